//! Pair velocities and the gradient of one island at a velocity.
//!
//! A method fills the values of the pairs first (impulse and 3x3 Hessian of each; [`pair_values`] those of the cost);
//! what follows carries them to the velocities and asks no law of a pair. Contact acts through body velocities: the
//! pairs of a patch are summed into one wrench on each body, which the Jacobians then carry to the cliques.

use super::line_pairs::LinePairs;
use crate::contact::Island;
use crate::contact::{Problem, Wrench};
use nalgebra::{Matrix3, Vector3};

/// Values that vary with the velocity, reused from solve to solve.
#[derive(Clone, Debug, Default)]
pub(super) struct Workspace {
    /// Gradient of the cost, for all velocities.
    pub gradient: Vec<f64>,
    /// Search direction.
    pub direction: Vec<f64>,
    /// A times the search direction.
    pub product: Vec<f64>,
    /// Relative velocity of each pair at the current velocity.
    pub vc: Vec<Vector3<f64>>,
    /// Rate of `vc` along the search direction.
    pub uc: Vec<Vector3<f64>>,
    /// Impulse of each pair on B \[N s\].
    pub impulse: Vec<Vector3<f64>>,
    /// Hessian of each pair, symmetric positive semidefinite \[kg\].
    pub curvature: Vec<Matrix3<f64>>,
    /// The pairs of the island along the search direction.
    pub line: LinePairs,
    /// Velocities of the bodies of the island.
    body: Vec<(Vector3<f64>, Vector3<f64>)>,
    /// Number of each clique within its island.
    pub local: Vec<usize>,
    /// First row of each clique of the island, by that number, in the order of the island.
    pub row: Vec<usize>,
    /// Scratch: a Hessian times a Jacobian.
    pub product_jacobian: Vec<f64>,
}

impl Workspace {
    pub fn resize(&mut self, problem: &Problem) {
        let n = problem.size();
        for v in [&mut self.gradient, &mut self.direction, &mut self.product] {
            v.clear();
            v.resize(n, 0.0);
        }
        for v in [&mut self.vc, &mut self.uc, &mut self.impulse] {
            v.clear();
            v.resize(problem.pairs.len(), Vector3::zeros());
        }
        self.curvature.clear();
        self.curvature.resize(problem.pairs.len(), Matrix3::zeros());
        self.body.resize(problem.bodies.len(), Default::default());
        self.local.resize(problem.cliques.len(), 0);
    }

    /// Numbers the cliques of an island and their rows.
    pub fn enter(&mut self, problem: &Problem, island: &Island) {
        self.row.clear();
        let mut at = 0;
        for (number, &c) in island.cliques.iter().enumerate() {
            self.local[c] = number;
            self.row.push(at);
            at += problem.cliques[c].size();
        }
    }
}

/// Relative velocities of all pairs of the island when the velocities are `v` (B relative to A).
pub(super) fn pair_velocities(
    problem: &Problem,
    island: &Island,
    v: &[f64],
    work: &mut Workspace,
    along_direction: bool,
) {
    for &b in &island.bodies {
        work.body[b] = problem.body_velocity(b, if along_direction { &work.direction } else { v });
    }
    let out = if along_direction { &mut work.uc } else { &mut work.vc };
    for &p in &island.patches {
        let patch = &problem.patches[p];
        let ((wa, va), (wb, vb)) = (work.body[patch.body_a], work.body[patch.body_b]);
        for i in patch.pairs.clone() {
            let pair = &problem.pairs[i];
            let bias = if along_direction { Vector3::zeros() } else { pair.bias_velocity };
            out[i] = (vb + wb.cross(&pair.p_BC)) - (va + wa.cross(&pair.p_AC)) + bias;
        }
    }
}

/// Impulses and Hessians of all pairs of the island, those of the cost at the pair velocities `vc`.
pub(super) fn pair_values(problem: &Problem, island: &Island, work: &mut Workspace) {
    for &p in &island.patches {
        for i in problem.patches[p].pairs.clone() {
            (work.impulse[i], work.curvature[i]) = problem.pairs[i].law.impulse_and_hessian(&work.vc[i]);
        }
    }
}

/// Gradient on the island at `v`, with the impulses of the pairs that stand in `work`.
pub(super) fn gradient(problem: &Problem, island: &Island, v: &[f64], work: &mut Workspace) {
    gradient_of_rest(problem, island, v, &mut work.gradient);
    subtract_impulses(problem, island, |i| work.impulse[i], &mut work.gradient);
}

/// The gradient without contact: of inertia, bilateral rows, joint limits and limited efforts.
pub(super) fn gradient_of_rest(problem: &Problem, island: &Island, v: &[f64], out: &mut [f64]) {
    for &c in &island.cliques {
        let range = problem.cliques[c].velocities.clone();
        for i in range {
            out[i] = -problem.momentum[i];
        }
    }
    problem.add_product(island, v, out);
    problem.add_row_gradient(island, v, out);
    for &l in &island.limits {
        let limit = &problem.limits[l];
        out[limit.velocity] -= limit.impulse(v[limit.velocity]);
    }
    for &e in &island.efforts {
        let effort = &problem.efforts[e];
        out[effort.velocity] -= effort.impulse(v[effort.velocity]);
    }
}

/// Subtracts `J' gamma` of the island, where `impulse` gives gamma of each pair.
pub(super) fn subtract_impulses(
    problem: &Problem,
    island: &Island,
    mut impulse: impl FnMut(usize) -> Vector3<f64>,
    out: &mut [f64],
) {
    for &p in &island.patches {
        let (patch, mut sum) = (&problem.patches[p], Wrench::default());
        for i in patch.pairs.clone() {
            sum.add(&problem.pairs[i], &impulse(i));
        }
        sum.subtract_from(problem, patch, out);
    }
}
