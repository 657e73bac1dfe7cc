//! Solution of a contact problem: velocities and the impulses of all elements.

use super::contact_forces::ContactForces;
use super::elements::Element;
use super::islands::Island;
use super::problem::Problem;
use nalgebra::Vector3;
use std::any::TypeId;

/// One contact point at the solution, in world axes, as its law has them: where friction depends on the direction of
/// sliding, both are [scaled](super::ContactRow::scaled).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactImpulse {
    /// Impulse of the law within the step \[N s\]; scaled, that on B.
    pub impulse: Vector3<f64>,
    /// Velocity of the surface of B against that of A \[m/s\].
    pub velocity: Vector3<f64>,
}

impl Default for ContactImpulse {
    fn default() -> Self {
        ContactImpulse { impulse: Vector3::zeros(), velocity: Vector3::zeros() }
    }
}

/// The solution of a contact problem. Keeps its memory from solve to solve.
#[derive(Clone, Debug, Default)]
pub struct Solution {
    /// Velocities; before a solve, the guess.
    pub velocity: Vec<f64>,
    /// Contact forces by name; before a solve, the guess.
    pub forces: ContactForces,
    /// Contact points, in the order of the problem.
    pub pairs: Vec<ContactImpulse>,
    /// Impulses along the rows of every group, in the order of the problem: on B and on the coordinates, in the units
    /// of a force times time.
    pub rows: Vec<Vector3<f64>>,
    /// Generalized impulses of elements, type by type.
    elements: Vec<(TypeId, Vec<f64>)>,
}

impl Solution {
    /// A guess: initial velocities, without forces.
    pub fn from_velocity(velocity: Vec<f64>) -> Self {
        Solution { velocity, ..Solution::default() }
    }

    /// Generalized impulses \[N s, N m s\] of the elements of one type, in the order of the problem.
    pub fn impulses_of<T: Element>(&self) -> &[f64] {
        let list = self.elements.iter().find(|(id, _)| *id == TypeId::of::<T>());
        list.map_or(&[], |(_, impulses)| impulses)
    }

    /// Generalized impulses of the elements of one type, to be changed.
    pub(crate) fn impulses_of_mut<T: Element>(&mut self) -> &mut [f64] {
        let list = self.elements.iter_mut().find(|(id, _)| *id == TypeId::of::<T>());
        list.map_or(&mut [], |(_, impulses)| impulses)
    }

    /// Impulses of elements of the kind `id`, to be changed.
    pub fn impulses_of_kind_mut(&mut self, id: TypeId) -> &mut [f64] {
        let list = self.elements.iter_mut().find(|(other, _)| *other == id);
        list.map_or(&mut [], |(_, impulses)| impulses)
    }

    /// Makes room for the impulses of all elements of `problem`, set to zero.
    pub fn start_impulses(&mut self, problem: &Problem) {
        self.pairs.clear();
        self.pairs.resize(problem.contacts.points.len(), ContactImpulse::default());
        self.rows.clear();
        self.rows.resize(problem.constraints.rows.len(), Vector3::zeros());
        for (id, count) in problem.elements.counts() {
            let at = self.elements.iter().position(|(other, _)| *other == id).unwrap_or_else(|| {
                self.elements.push((id, Vec::new()));
                self.elements.len() - 1
            });
            self.elements[at].1.clear();
            self.elements[at].1.resize(count, 0.0);
        }
    }

    /// Copies velocities, contact points and rows of one island from another solution of the same problem.
    pub fn take_island(&mut self, problem: &Problem, island: &Island, other: &Solution) {
        for velocities in island.cliques.iter().map(|&clique| problem.velocities_of(clique)) {
            self.velocity[velocities.clone()].copy_from_slice(&other.velocity[velocities]);
        }
        for pairs in island.patches.iter().map(|&patch| problem.contacts.patches[patch].points.clone()) {
            self.pairs[pairs.clone()].copy_from_slice(&other.pairs[pairs]);
        }
        island.rows.iter().for_each(|&row| self.rows[row] = other.rows[row]);
    }

    /// Copies the impulses of active elements from another solution of the same problem. An element acts on one island.
    pub fn take_elements(&mut self, other: &Solution) {
        for (id, found) in &other.elements {
            let own = self.impulses_of_kind_mut(*id);
            own.iter_mut().zip(found).filter(|(_, found)| found.to_bits() != 0).for_each(|(own, found)| *own = *found);
        }
    }

    /// Notes the forces of all contact points by name, to start the next solve from.
    pub fn keep_forces(&mut self, problem: &Problem) {
        self.forces.clear();
        for patch in &problem.contacts.patches {
            for (pair, found) in
                problem.contacts.points[patch.points.clone()].iter().zip(&self.pairs[patch.points.clone()])
            {
                self.forces.push([patch.body_a, patch.body_b], pair.key, &(found.impulse / problem.step_terms.dt));
            }
        }
        self.forces.sort();
    }

    /// Makes room for the impulses of `count` elements of one type, set to zero.
    pub fn start_impulses_of<T: Element>(&mut self, count: usize) -> &mut [f64] {
        let id = TypeId::of::<T>();
        let at = self.elements.iter().position(|(other, _)| *other == id).unwrap_or_else(|| {
            self.elements.push((id, Vec::new()));
            self.elements.len() - 1
        });
        let list = &mut self.elements[at].1;
        list.clear();
        list.resize(count, 0.0);
        list
    }
}
