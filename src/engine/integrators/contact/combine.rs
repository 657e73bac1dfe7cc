//! Linear combinations of ends of one step, with coefficients whose sum is one: extrapolation.
//!
//! Positions, velocities and external state are combined entry by entry, orientations in the chart of rotation vectors
//! at the end with the last coefficient, the finest one,
//!
//! ```text
//! q = Exp(Σ c_j Log(q_j q_n⁻¹)) q_n
//! ```
//!
//! which leaves a turn about a fixed axis exact. The angular velocities of a floating base are combined in world axes
//! where something touches it (rolling, `w × r + v = 0`, is linear there), and where nothing does in its own axes,
//!
//! ```text
//! w = R Σ c_j R_j' w_j,   v + w × R c = Σ c_j (v_j + w_j × R_j c)
//! ```
//!
//! since ends differ in their orientation, and the energy of a body that turns freely is a function of its angular
//! velocity in its own axes.

use super::movers::{Movers, Rotation};
use kinegraph_convex::linear_algebra::quaternion::{turn_between, turned};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

/// Ends of a step, each with its coefficient.
pub(super) struct Ends<'a> {
    /// The coarser ends.
    pub others: &'a [(f64, &'a [f64])],
    /// Coefficient of the finest end.
    pub finest: f64,
}

/// The combination; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Combination {
    /// The finest end before it was combined.
    finest: Vec<f64>,
}

impl Combination {
    /// Replaces the entries of `end`, the finest end, that are moved by cliques for which `is` is true, by the
    /// combination of `ends`; external state too if it is true for `all`. `touches`: whether something acts on a
    /// clique.
    pub fn combine(
        &mut self,
        movers: &Movers,
        ends: &Ends<'_>,
        end: &mut [f64],
        all: bool,
        is: impl Fn(usize) -> bool,
        touches: impl Fn(usize) -> bool,
    ) {
        self.finest.clear();
        self.finest.extend_from_slice(end);
        for i in movers.entries(all, &is) {
            let others = ends.others.iter().map(|(c, other)| c * other[i]).sum::<f64>();
            end[i] = ends.finest * end[i] + others;
        }
        for rotation in movers.rotations.iter().filter(|rotation| is(rotation.clique)) {
            let at = rotation.at..rotation.at + 4;
            let finest = &self.finest[at.clone()];
            let turns = ends.others.iter().map(|(c, other)| turn_between(finest, &other[at.clone()]) * *c);
            let combined = turned(&turns.sum(), finest);
            end[at].copy_from_slice(&combined);
            if !touches(rotation.clique) {
                self.turn_freely(rotation, ends, end);
            }
        }
    }

    /// Combines the velocities of a floating base without contact; `end` has its orientation.
    fn turn_freely(&self, rotation: &Rotation, ends: &Ends<'_>, end: &mut [f64]) {
        let Some(first) = rotation.base else { return };
        let at = |x: &[f64]| (orientation(&x[rotation.at..]), vector(&x[first..]), vector(&x[first + 3..]));
        let c = rotation.center_of_mass;
        let (mut in_body, mut of_center) = (Vector3::zeros(), Vector3::zeros());
        let finest = (ends.finest, &*self.finest);
        for (part, other) in ends.others.iter().copied().chain([finest]) {
            let (R, w, v) = at(other);
            in_body += R.inverse_transform_vector(&w) * part;
            of_center += (v + w.cross(&(R * c))) * part;
        }
        let R = orientation(&end[rotation.at..]);
        let w = R * in_body;
        end[first..first + 3].copy_from_slice(w.as_slice());
        if c != Vector3::zeros() {
            end[first + 3..first + 6].copy_from_slice((of_center - w.cross(&(R * c))).as_slice());
        }
    }
}

/// Moves `middle` by half of the difference from `full` to `end`, as they were solved: the error of the state in the
/// middle of a step is half of that at its end.
pub(super) fn correct_middle(
    movers: &Movers,
    full: &[f64],
    end: &[f64],
    middle: &mut [f64],
    all: bool,
    is: impl Fn(usize) -> bool,
) {
    for rotation in movers.rotations.iter().filter(|rotation| is(rotation.clique)) {
        let at = rotation.at..rotation.at + 4;
        let half = turn_between(&full[at.clone()], &end[at.clone()]) * 0.5;
        let corrected = turned(&half, &middle[at.clone()]);
        middle[at].copy_from_slice(&corrected);
    }
    for i in movers.entries(all, &is).filter(|&i| !movers.is_quaternion(i)) {
        middle[i] += 0.5 * (end[i] - full[i]);
    }
}

fn orientation(q: &[f64]) -> UnitQuaternion<f64> {
    UnitQuaternion::new_unchecked(Quaternion::new(q[0], q[1], q[2], q[3]))
}

fn vector(x: &[f64]) -> Vector3<f64> {
    Vector3::new(x[0], x[1], x[2])
}
