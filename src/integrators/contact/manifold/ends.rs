//! Rigid constraints in convex steps: the velocities at their ends, and the ways back.
//!
//! A convex step brings rows J v to rest by where they are at its start. At its end they have turned, by an angle of
//! the first order, and the velocity along them is wrong by as much: the acceleration of a body that a constraint leads
//! on a curve is missing altogether. So every convex step, half steps included, ends with the projection
//!
//! ```text
//! v := v + M⁻¹ J' y,   J v = 0,   J and M at the end
//! ```
//!
//! which never adds energy; full and half steps then differ by what can be extrapolated. Its impulses y are part of
//! what constraints do in the step. What the problem was asked for to take a violation back is taken out of the
//! velocities as well: it is a displacement, which contacts within the problem stand up to.

use super::evaluate::evaluate;
use super::system::RowSystem;
use super::{NEARLY_REDUNDANT, redundant, scatter};
use crate::contact::{Problem, RowGroup};
use crate::integrators::contact::constraints;
use crate::integrators::contact::point::StepPoint;
use crate::linearize::External;
use crate::systems::convex::Switches;
use nalgebra::Vector3;

/// What is off by less than this \[m, rad\] stays.
const ROUNDING: f64 = 1e-15;
/// The part by which rows give way where forces are sought that they hold with, as in the convex problem.
const GIVES_WAY: f64 = 1e-6;

/// Projects the ends of convex steps; keeps its memory from step to step.
#[derive(Clone, Debug, Default)]
pub(in crate::integrators::contact) struct EndProjection {
    /// The plants at the end projected last.
    point: StepPoint,
    system: RowSystem,
    x: Vec<f64>,
}

impl EndProjection {
    /// Takes the velocities of `continuous` to those that rigid constraints allow there, with these switches. `false`
    /// if that cannot be found: then nothing has changed.
    pub fn project(&mut self, external: &External, switches: &[Switches], continuous: &mut [f64]) -> bool {
        let own = &mut self.point.switches;
        own.resize_with(switches.len(), Switches::default);
        own.iter_mut().zip(switches).for_each(|(own, other)| own.clone_from(other));
        let layout = external.layout();
        evaluate(&mut self.point, external.diagram(), layout, continuous, false);
        self.system.collect_constraints(&mut self.point.problem);
        layout.gather_velocities(continuous, &mut self.x);
        if !self.system.solve(|_| 0.0, redundant, &mut self.x) {
            return false;
        }
        scatter(layout, &self.x, continuous);
        true
    }

    /// Adds the impulses of the last projection to those in `held`, one entry for each group of rows.
    pub fn add_impulses(&self, held: &mut [Vector3<f64>]) {
        for (group, axis, impulse) in self.system.forces() {
            if let Some(held) = held.get_mut(group) {
                held[axis] += impulse;
            }
        }
    }

    /// Writes what the impulses of the last projection make of velocities in `problem`, that at the start of the step.
    pub fn read_change(&self, problem: &mut Problem, change: &mut Vec<f64>) {
        change.clear();
        change.resize(problem.size(), 0.0);
        for (group, axis, impulse) in self.system.forces() {
            problem.add_row_impulse(group, &(Vector3::ith(axis, impulse)), 0, change);
        }
        for clique in 0..problem.cliques.len() {
            let own = &mut change[problem.velocities_of(clique)];
            if own.iter().any(|x| *x != 0.0) && !problem.solve_mass(clique, own) {
                own.fill(0.0);
            }
        }
    }

    /// Brings velocities or accelerations `x` to those of which constraints of `problem` leave nothing along their rows,
    /// by impulses that [`add_impulses`](Self::add_impulses) tells. `false` if they cannot be found.
    pub fn stop(&mut self, problem: &mut Problem, x: &mut [f64]) -> bool {
        self.system.collect_constraints(problem);
        self.system.solve(|_| 0.0, |_| GIVES_WAY, x)
    }

    /// Brings accelerations at `point`, by all other forces, to those on the way that rigid constraints leave.
    pub fn lead(&mut self, external: &External, point: &mut StepPoint, accelerations: [&mut [f64]; 2]) {
        let StepPoint { plants, wanted, .. } = point;
        for (slot, data) in external.layout().plants.iter().zip(plants) {
            let plant = external.layout().plant(external.diagram(), slot);
            wanted.clear();
            wanted.resize(plant.structure().bodies.len(), false);
            constraints::mark_bodies(data, wanted);
            plant.bias_accelerations(wanted, data);
        }
        self.system.collect(point, &[], false, &[]);
        for x in accelerations {
            self.x.clear();
            self.x.extend_from_slice(x);
            if self.system.solve(|row| -row.curvature, |_| GIVES_WAY, &mut self.x) {
                x.copy_from_slice(&self.x);
            }
        }
    }

    /// Finds how far the rows of rigid constraints of `problem` are to move to take back what they are off: as far as
    /// they can all together, so that rows which conflict, or nearly depend on each other, do not throw anything about.
    pub fn find_ways(&mut self, problem: &mut Problem, ways: &mut Vec<Vector3<f64>>) {
        ways.clear();
        ways.extend(problem.rows.iter().map(|group| group.way));
        let off = |group: &RowGroup| group.compliance.is_none() && group.violation.amax() > ROUNDING;
        if !problem.rows.iter().any(off) {
            return;
        }
        self.system.collect_constraints(problem);
        self.x.clear();
        self.x.resize(problem.size(), 0.0);
        if self.system.solve(|row| -row.violation, |_| NEARLY_REDUNDANT, &mut self.x) {
            for (group, way) in ways.iter_mut().enumerate() {
                *way = problem.row_velocity(group, &self.x);
            }
        }
    }
}
