//! Accelerations at the start of a step, by all forces, rigid constraints and the stops on which joints rest.

use super::manifold::EndProjection;
use super::point::StepPoint;
use crate::linearize::{External, Forces};
use nalgebra::Vector3;

/// Accelerations at a state; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(in crate::integrators) struct Accelerations {
    /// Accelerations by all forces but contacts, of all plants.
    pub free: Vec<f64>,
    /// Accelerations by all forces.
    pub all: Vec<f64>,
    forces: Forces<f64>,
}

impl Accelerations {
    /// Finds the accelerations at `point`, by all forces but constraints. `false` if a mass matrix has no factor.
    pub fn find_unbound(&mut self, external: &mut External, point: &mut StepPoint) -> bool {
        let problem = &mut point.problem;
        self.free.clear();
        self.free.extend(problem.trees.bias.iter().map(|bias| -bias));
        if !external.is_absent() {
            external.evaluate(point.state.time, &point.state.continuous, &mut self.forces);
            let efforts = external.limited(&self.forces.actuation).zip(&self.forces.applied);
            self.free.iter_mut().zip(efforts).for_each(|(sum, (effort, applied))| *sum += effort + applied);
        }
        for clique in 0..problem.trees.cliques.len() {
            let range = problem.trees.cliques[clique].velocities.clone();
            if !problem.solve_mass(clique, &mut self.free[range]) {
                return false;
            }
        }
        self.all.clone_from(&self.free);
        problem.add_contact_accelerations(0.0, &mut self.all)
    }

    /// Finds the accelerations at `point`, compatible with rigid constraints and stops. `false` if a mass matrix has no
    /// factor.
    pub fn find(&mut self, external: &mut External, ends: &mut EndProjection, point: &mut StepPoint) -> bool {
        if !self.find_unbound(external, point) {
            return false;
        }
        ends.lead(external, point, [&mut self.free, &mut self.all]);
        true
    }

    /// Finds the forces with which rigid constraints would hold everything at rest at `point`: zero where they are not
    /// known.
    pub fn find_expected(
        &mut self,
        external: &mut External,
        ends: &mut EndProjection,
        point: &mut StepPoint,
        expected: &mut Vec<Vector3<f64>>,
    ) {
        expected.clear();
        expected.resize(point.problem.num_row_groups(), Vector3::zeros());
        if self.find_unbound(external, point) && ends.stop(external, point, &mut self.all) {
            ends.add_forces(expected);
        }
    }
}
