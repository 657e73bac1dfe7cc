//! Contact forces carried from solve to solve: where the primal-dual method starts.

use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

/// Name of a contact point: its bodies and its key.
type Name = (u32, u32, u64);

/// Contact forces of a solve, point by point. A start for the next solve, of another step length or state; its solution
/// does not depend on them beyond its tolerance.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContactForces {
    /// Name and force on B in world axes \[N\], sorted by name.
    forces: Vec<(Name, [f64; 3])>,
}

impl Clone for ContactForces {
    fn clone(&self) -> Self {
        ContactForces { forces: self.forces.clone() }
    }
    /// Reuses the allocated memory.
    fn clone_from(&mut self, other: &Self) {
        self.forces.clone_from(&other.forces);
    }
}

impl ContactForces {
    /// Forgets all forces.
    pub fn clear(&mut self) {
        self.forces.clear();
    }

    /// True if no point has a force.
    pub fn is_empty(&self) -> bool {
        self.forces.is_empty()
    }

    /// Takes over other forces, without those that are not numbers, as forces from a file may be.
    pub fn recall(&mut self, other: &ContactForces) {
        self.forces.clear();
        self.forces.extend(other.forces.iter().filter(|(_, force)| force.iter().all(|f| f.is_finite())));
        self.sort();
    }

    pub(crate) fn push(&mut self, bodies: [usize; 2], key: u64, force: &Vector3<f64>) {
        if *force != Vector3::zeros() {
            self.forces.push(((bodies[0] as u32, bodies[1] as u32, key), (*force).into()));
        }
    }

    /// Sorts forces that were pushed in any order, so that they can be found.
    pub(crate) fn sort(&mut self) {
        // Points of the same name keep the order of the problem: the result does not depend on the sorting algorithm.
        if !self.forces.is_sorted_by_key(|(name, _)| *name) {
            self.forces.sort_unstable_by(|(a, f), (b, g)| a.cmp(b).then(f[0].total_cmp(&g[0])));
        }
    }

    /// Force at the point of this key between two bodies.
    pub fn get(&self, bodies: [usize; 2], key: u64) -> Option<Vector3<f64>> {
        let name = (bodies[0] as u32, bodies[1] as u32, key);
        let at = self.forces.partition_point(|(other, _)| *other < name);
        self.forces.get(at).filter(|(other, _)| *other == name).map(|(_, force)| Vector3::from(*force))
    }

    /// Force at the point of this key between two bodies, where no other point has its name.
    pub fn get_only(&self, bodies: [usize; 2], key: u64) -> Option<Vector3<f64>> {
        let name = (bodies[0] as u32, bodies[1] as u32, key);
        let at = self.forces.partition_point(|(other, _)| *other <= name);
        let shared = at >= 2 && self.forces[at - 2].0 == name;
        if shared { None } else { self.get(bodies, key) }
    }
}
