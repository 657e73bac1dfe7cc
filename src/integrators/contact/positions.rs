//! Positions advanced by the mean of the velocities at both ends of a step.
//!
//! ```text
//! q1 = q0 + h (v0 + v1)/2,   p1 = exp(h w/2) p0   for quaternions p, w the mean angular velocity in world axes
//! ```

use crate::diagram::Diagram;
use crate::linearize::Layout;
use crate::systems::convex::Coordinate;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

/// Turns below this \[rad\] are none.
const LEAST_TURN: f64 = 1e-12;

/// Writes to `next` the positions a step of length `h` from `continuous` after, with the velocities `v0` at its start
/// and `v` at its end. `mean` and `rates` are scratch.
#[allow(clippy::too_many_arguments)]
pub(super) fn advance_by_mean(
    layout: &Layout,
    diagram: &Diagram,
    continuous: &[f64],
    (v0, v): (&[f64], &[f64]),
    h: f64,
    next: &mut [f64],
    mean: &mut Vec<f64>,
    rates: &mut Vec<f64>,
) {
    mean.clear();
    mean.extend(v0.iter().zip(v).map(|(a, b)| 0.5 * (a + b)));
    layout.advance_positions(diagram, continuous, mean, h, next, rates);
    for slot in &layout.plants {
        let structure = layout.plant(diagram, slot).structure();
        let (q, next) = (&continuous[slot.positions.clone()], &mut next[slot.positions.clone()]);
        let spins = structure.coordinates.iter().enumerate().filter(|(_, c)| **c == Coordinate::Spin).step_by(3);
        for (&at, (velocity, _)) in structure.quaternions.iter().zip(spins) {
            let turn = Vector3::from_column_slice(&mean[slot.global.start + velocity..][..3]) * h;
            let start = Quaternion::new(q[at], q[at + 1], q[at + 2], q[at + 3]);
            if turn.norm() < LEAST_TURN {
                continue;
            }
            let end = (UnitQuaternion::from_scaled_axis(turn).into_inner() * start).normalize();
            next[at..at + 4].copy_from_slice(&[end.w, end.i, end.j, end.k]);
        }
    }
}
