//! Bilateral constraints: up to three rows `J v` that are driven to a target velocity by a quadratic potential.
//!
//! ```text
//! cost = 1/2 |v_hat - vc|^2 / R,   gamma = (v_hat - vc)/R,   vc = J v
//! rigid:      R = eps w,                 v_hat = way/dt + R dt f
//! compliant:  R = 1/(dt (dt k + c)),     v_hat = -g0 k/(dt k + c)
//! ```
//!
//! with w the inverse effective mass. A rigid constraint yields by the same small part of its impulse whatever the
//! step, or none where it holds with the force f that is expected of it: what rests stays at rest. It is asked for no
//! velocity but the one that takes back, as a `way`, the violation that it had before the whole step: a velocity
//! towards where it should be that depended on the violation of each solve, which is of second order, would differ
//! between steps of different lengths by the first order, and hold their lengths. Who advances the state takes that
//! velocity, and what the turning of the rows within a step leaves, out of its end.
//!
//! A compliant constraint is the implicit spring `gamma = -dt (k (g0 + dt vc) + c vc)`; it is no stiffer than a rigid
//! one. Violations are removed at a bounded speed: an unbounded `v_hat` would throw a mechanism that starts far off.

use super::{Couple, HessianBlocks, Note, Potential};
use crate::contact::{Island, Problem, RowCompliance, RowGroup, Solution};
use kinegraph_systems::Scalar;
use nalgebra::Vector3;

/// Up to three rows within one solve.
#[derive(Clone, Copy, Debug)]
pub struct RowLaw {
    target: Vector3<f64>,
    inverse_regularization: Vector3<f64>,
}

impl RowLaw {
    /// The law of a group of rows in a step of length `dt`.
    pub(crate) fn new(group: &RowGroup, dt: f64) -> Self {
        if group.delassus <= 0.0 {
            return RowLaw { target: Vector3::zeros(), inverse_regularization: Vector3::zeros() };
        }
        let rigid = 1.0 / (group.softness * group.delassus);
        let Some(compliance) = group.compliance else {
            let target = group.correction_within(dt) / dt + group.expected * (dt / rigid);
            return RowLaw { target, inverse_regularization: Vector3::repeat(rigid) };
        };
        let hardness = compliance.map(|RowCompliance { stiffness: k, damping: c }| dt * (dt * k + c));
        let mut target = Vector3::from_fn(|i, _| {
            let RowCompliance { stiffness: k, damping: c } = compliance[i];
            if hardness[i] > 0.0 { group.violation[i] * (-k / (dt * k + c)) } else { 0.0 }
        });
        let speed = target.norm();
        if hardness.iter().any(|hardness| *hardness > rigid) && speed > group.correction_speed {
            target *= group.correction_speed / speed;
        }
        RowLaw { target, inverse_regularization: Vector3::from(hardness.map(|hardness| hardness.min(rigid))) }
    }

    /// The potential of row `row` \[J\].
    pub fn cost<S: Scalar>(&self, row: usize, vc: S) -> S {
        let e = vc - S::constant(self.target[row]);
        S::constant(0.5 * self.inverse_regularization[row]) * e * e
    }

    /// The impulse along row `row`: minus the gradient of the cost.
    #[inline]
    pub fn impulse<S: Scalar>(&self, row: usize, vc: S) -> S {
        S::constant(self.inverse_regularization[row]) * (S::constant(self.target[row]) - vc)
    }

    /// The impulses of all rows.
    #[inline]
    pub fn impulses(&self, vc: &Vector3<f64>) -> Vector3<f64> {
        (self.target - vc).component_mul(&self.inverse_regularization)
    }

    /// Second derivative of the cost of each row.
    #[inline]
    pub fn hessian(&self) -> Vector3<f64> {
        self.inverse_regularization
    }

    /// Second derivative of the cost along `u`.
    #[inline]
    fn curvature(&self, u: &Vector3<f64>) -> f64 {
        let w = &self.inverse_regularization;
        if w.x == w.y && w.y == w.z { w.x * u.dot(u) } else { w.component_mul(u).dot(u) }
    }
}

/// All groups of rows, in the order of the problem.
#[derive(Clone, Debug, Default)]
pub struct RowPool {
    laws: Vec<RowLaw>,
}

impl RowPool {
    /// The impulses of a group at `v`.
    #[inline]
    fn impulse(&self, problem: &Problem, group: usize, v: &[f64]) -> Vector3<f64> {
        self.laws[group].impulses(&problem.row_velocity(group, v))
    }
}

impl Potential for RowPool {
    fn copy(&self) -> Box<dyn Potential> {
        Box::new(self.clone())
    }

    fn kind(&self) -> u64 {
        4
    }

    fn set_step(&mut self, problem: &Problem) {
        self.laws.clear();
        self.laws.extend(problem.rows.iter().map(|group| RowLaw::new(group, problem.dt)));
    }

    fn is_empty(&self) -> bool {
        self.laws.is_empty()
    }

    fn is_quadratic(&self, _: &Island) -> bool {
        true
    }

    fn couple(&self, problem: &Problem, island: &Island, couple: &mut Couple<'_>) {
        for &g in &island.rows {
            let support = &problem.support[problem.rows[g].support.clone()];
            for (i, a) in support.iter().enumerate() {
                support[..i].iter().for_each(|b| couple(a.clique, b.clique));
            }
        }
    }

    fn cost(&self, problem: &Problem, island: &Island, v: &[f64]) -> f64 {
        let cost = |&g: &usize| {
            let vc = problem.row_velocity(g, v);
            (0..3).map(|row| self.laws[g].cost(row, vc[row])).sum::<f64>()
        };
        island.rows.iter().map(cost).sum()
    }

    fn add_gradient(&self, problem: &Problem, island: &Island, v: &[f64], gradient: &mut [f64]) {
        for &g in &island.rows {
            let gamma = self.impulse(problem, g, v);
            for s in &problem.support[problem.rows[g].support.clone()] {
                gradient[s.velocity] -= s.column.dot(&gamma);
            }
        }
    }

    fn add_hessian(&self, problem: &Problem, island: &Island, _: &[f64], h: &mut HessianBlocks<'_>) {
        for &g in &island.rows {
            let (weight, support) = (self.laws[g].hessian(), &problem.support[problem.rows[g].support.clone()]);
            for (k, sj) in support.iter().enumerate() {
                let column = sj.column.component_mul(&weight);
                for si in &support[k..] {
                    h.add(problem, si.velocity, sj.velocity, si.column.dot(&column));
                }
            }
        }
    }

    fn quadratic_along(&self, problem: &Problem, island: &Island, v: &[f64], w: &[f64]) -> (f64, f64) {
        let (mut slope, mut curvature) = (0.0, 0.0);
        for &g in &island.rows {
            let u = problem.row_velocity(g, w);
            slope -= self.impulse(problem, g, v).dot(&u);
            curvature += self.laws[g].curvature(&u);
        }
        (slope, curvature)
    }

    fn note_pieces(&self, _: &Problem, island: &Island, _: &[f64], note: &mut Note<'_>) {
        island.rows.iter().for_each(|&g| note(g as u64, [4; 3]));
    }

    fn is_touching(&self, _: &Problem, _: &Island, _: &[f64]) -> bool {
        false
    }

    fn impulse_norms(&self, problem: &Problem, island: &Island, v: &[f64]) -> f64 {
        island.rows.iter().map(|&g| self.impulse(problem, g, v).norm() * problem.rows[g].delassus.sqrt()).sum()
    }

    fn write(&self, problem: &Problem, v: &[f64], solution: &mut Solution) {
        solution.rows.clear();
        solution.rows.extend((0..self.laws.len()).map(|g| self.impulse(problem, g, v)));
    }
}
