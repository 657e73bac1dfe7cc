//! Spinning bodies of the plants in the convex step: see `contact/spins.rs`.

use crate::linearize::External;
use kinegraph_convex::contact::{Problem, Spin};
use kinegraph_core::convex::PlantStructure;
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

/// Adds the spinning bodies of a plant at the positions `q`, whose first velocity in the problem is `first`.
pub(in crate::integrators) fn add(problem: &mut Problem, structure: &PlantStructure, q: &[f64], first: usize) {
    for spin in &structure.spins {
        let velocity = first + spin.velocities.start;
        if (velocity..velocity + spin.velocities.len()).any(|v| problem.is_locked(v)) {
            continue;
        }
        let R_WB = rotation(&q[spin.position..]);
        let arm = spin.alone.map(|(mass, c)| (mass, R_WB * Vector3::from(c))).filter(|(_, c)| *c != Vector3::zeros());
        problem.add_spin(Spin { velocity, R_WB, inertia: Matrix3::from_column_slice(&spin.inertia), arm });
    }
}

/// Sets the velocities of origins at the positions in `next`, to which a solution `v` has led: centres of mass have
/// kept their velocities.
pub(in crate::integrators) fn keep_centres(external: &External, problem: &Problem, v: &[f64], next: &mut [f64]) {
    let (layout, diagram) = (external.layout(), external.diagram());
    for slot in &layout.plants {
        for spin in &layout.plant(diagram, slot).structure().spins {
            let first = slot.global.start + spin.velocities.start;
            let (Some((_, c)), Some(before)) = (spin.alone, problem.arm_of(first)) else { continue };
            let now = rotation(&next[slot.positions.start + spin.position..]) * Vector3::from(c);
            let change = Vector3::from_column_slice(&v[first..first + 3]).cross(&(before - now));
            let at = slot.velocities.start + spin.velocities.start + 3;
            next[at..at + 3].iter_mut().zip(change.iter()).for_each(|(v, change)| *v += change);
        }
    }
}

/// Rotation matrix of the quaternion at the begin of `q`: w, x, y, z.
pub fn rotation(q: &[f64]) -> Matrix3<f64> {
    UnitQuaternion::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3])).to_rotation_matrix().into_inner()
}
