//! Contact forces carried from solve to solve: where the primal-dual method starts.

use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

/// What identifies a contact point: its bodies and its key.
type Name = (u32, u32, u64);

/// The contact forces that a solve found, point by point. A start for the next solve, of another step length or state; what is found does
/// not depend on them beyond the tolerance of the solve.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContactForces {
    /// Name and force on B in world axes \[N\], sorted by name.
    forces: Vec<(Name, [f64; 3])>,
}

impl Clone for ContactForces {
    fn clone(&self) -> Self {
        ContactForces { forces: self.forces.clone() }
    }
    /// Keeps its memory.
    fn clone_from(&mut self, other: &Self) {
        self.forces.clone_from(&other.forces);
    }
}

impl ContactForces {
    /// Forgets all forces.
    pub fn clear(&mut self) {
        self.forces.clear();
    }

    /// Whether no point has a force.
    pub fn is_empty(&self) -> bool {
        self.forces.is_empty()
    }

    /// Takes over other forces, without those that are not numbers, as forces from a file may be.
    pub fn recall(&mut self, other: &ContactForces) {
        self.forces.clear();
        self.forces.extend(other.forces.iter().filter(|(_, force)| force.iter().all(|f| f.is_finite())));
        self.sort();
    }

    /// Becomes `2 mean - first`: the forces in the second half of a step, if those over all of it and in its first half are known.
    pub fn extrapolate(&mut self, first: &ContactForces, mean: &ContactForces) {
        self.forces.clear();
        let (mut first, mut mean) = (first.forces.iter().peekable(), mean.forces.iter().peekable());
        loop {
            let name = match (first.peek(), mean.peek()) {
                (Some(a), Some(b)) => a.0.min(b.0),
                (Some(one), None) | (None, Some(one)) => one.0,
                (None, None) => return,
            };
            let own = |(other, _): &&(Name, [f64; 3])| *other == name;
            let subtrahend = first.next_if(own).map_or([0.0; 3], |one| one.1);
            let doubled = mean.next_if(own).map_or([0.0; 3], |one| one.1);
            self.forces.push((name, std::array::from_fn(|i| 2.0 * doubled[i] - subtrahend[i])));
        }
    }

    pub(super) fn push(&mut self, bodies: (usize, usize), key: u64, force: &Vector3<f64>) {
        if *force != Vector3::zeros() {
            self.forces.push(((bodies.0 as u32, bodies.1 as u32, key), (*force).into()));
        }
    }

    /// Puts forces pushed in any order in that in which they are found.
    pub(super) fn sort(&mut self) {
        // Points of the same name keep the order of the problem: the result does not depend on how sorting goes about it.
        if !self.forces.is_sorted_by_key(|(name, _)| *name) {
            self.forces.sort_unstable_by(|(a, f), (b, g)| a.cmp(b).then(f[0].total_cmp(&g[0])));
        }
    }

    pub(super) fn get(&self, bodies: (usize, usize), key: u64) -> Option<Vector3<f64>> {
        let name = (bodies.0 as u32, bodies.1 as u32, key);
        let at = self.forces.partition_point(|(other, _)| *other < name);
        self.forces.get(at).filter(|(other, _)| *other == name).map(|(_, force)| Vector3::from(*force))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forces(of: &[(u64, f64)]) -> ContactForces {
        let mut forces = ContactForces::default();
        of.iter().for_each(|&(key, f)| forces.push((1, 2), key, &Vector3::new(f, -f, 2.0 * f)));
        forces
    }

    #[test]
    fn the_forces_of_both_halves_of_a_step_have_those_of_all_of_it_as_their_mean() {
        let (first, mean) =
            (forces(&[(1, 3.0), (4, -2.0), (5, 1.0)]), forces(&[(0, 1.0), (4, 0.5), (5, 0.25), (9, 8.0)]));
        let mut second = forces(&[(7, 1.0)]);
        second.extrapolate(&first, &mean);
        assert!(second.forces.is_sorted_by_key(|(name, _)| *name));
        for key in 0..10 {
            let of = |forces: &ContactForces| forces.get((1, 2), key).unwrap_or_else(Vector3::zeros);
            assert_eq!(of(&first) + of(&second), of(&mean) * 2.0, "{key}");
        }
    }

    #[test]
    fn of_points_of_the_same_name_none_is_lost() {
        let mut second = ContactForces::default();
        second.extrapolate(&forces(&[(1, 1.0), (1, 2.0)]), &forces(&[(1, 1.0), (1, 3.0), (1, 5.0)]));
        assert_eq!(second, forces(&[(1, 1.0), (1, 4.0), (1, 10.0)]));
    }
}
