//! What a solver found: velocities and the impulses of everything that acts.

use super::contact_forces::ContactForces;
use super::elements::Element;
use nalgebra::Vector3;
use std::any::TypeId;

/// One contact point at the solution, in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairImpulse {
    /// Impulse on B within the step \[N s\].
    pub impulse: Vector3<f64>,
    /// Velocity of the surface of B against that of A \[m/s\].
    pub velocity: Vector3<f64>,
}

impl Default for PairImpulse {
    fn default() -> Self {
        PairImpulse { impulse: Vector3::zeros(), velocity: Vector3::zeros() }
    }
}

/// The solution of a contact problem. Keeps its memory from solve to solve.
#[derive(Clone, Debug, Default)]
pub struct Solution {
    /// All velocities; before a solve, the guess to start from.
    pub velocity: Vec<f64>,
    /// Contact forces by name; before a solve, those to start from.
    pub forces: ContactForces,
    /// The contact points, in the order of the problem.
    pub pairs: Vec<PairImpulse>,
    /// The impulses along the rows of every group, in the order of the problem: on B and on the coordinates, in the units
    /// of a force times time.
    pub rows: Vec<Vector3<f64>>,
    /// The generalized impulses of elements, type by type.
    elements: Vec<(TypeId, Vec<f64>)>,
}

impl Solution {
    /// A guess: velocities to start from, no forces known.
    pub fn from_velocity(velocity: Vec<f64>) -> Self {
        Solution { velocity, ..Solution::default() }
    }

    /// The generalized impulses \[N s, N m s\] of the elements of one type, in the order of the problem.
    pub fn impulses_of<T: Element>(&self) -> &[f64] {
        let list = self.elements.iter().find(|(id, _)| *id == TypeId::of::<T>());
        list.map_or(&[], |(_, impulses)| impulses)
    }

    /// Room for the impulses of `count` elements of one type, all zero.
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
