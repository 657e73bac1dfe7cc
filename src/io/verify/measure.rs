//! How a channel of one run is compared with the same channel of another, in accuracies.
//!
//! States are weighted as in error control: positions in metres and radians, other states in units of their own,
//! velocities by a tenth. Forces and efforts count by their integrals over time. Every other output, and these
//! integrals, count relative to the largest value where that is more than one. Quaternions count by the angle between
//! them, whatever their signs, and angles by their difference on the circle. Where a channel jumps, the jump may come a
//! little earlier or later.

use super::forces::are_forces;
use super::readings::Rows;
use kinegraph_diagram::{Channel, Diagram};
use kinegraph_engine::integrators::{ErrorNorm, ErrorWeights};
use kinegraph_engine::linearize::Layout;
use nalgebra::{Quaternion, UnitQuaternion};
use std::collections::HashMap;
use std::f64::consts::TAU;

/// Ratio of the changes on the two sides of a time from which on a channel counts as jumping.
const JUMP: f64 = 4.0;
/// The components of two quaternions differ by about half of the angle between them.
const ROTATION_WEIGHT: f64 = 0.5;

/// Rules by which channels are compared.
#[derive(Clone, Debug)]
pub(super) struct Measure {
    laws: Vec<Law>,
}

#[derive(Clone, Copy, Debug)]
enum Law {
    /// A state with this weight.
    State(f64),
    /// A state with this weight that may jump.
    Rate(f64),
    /// Index of the first of the four numbers of a quaternion.
    Rotation(usize),
    /// One number of a quaternion whose other numbers are not recorded.
    Component,
    /// An angle \[rad\] that is not a state.
    Angle,
    /// Any other channel, and the integrals of forces.
    Output,
}

/// Values of another run around a recorded time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around<'a> {
    pub before: &'a [f64],
    pub at: &'a [f64],
    pub after: &'a [f64],
}

impl Measure {
    /// Measure of `channels` of `diagram`, where error control has these `weights`.
    pub fn new(diagram: &Diagram, channels: &[Channel], weights: &ErrorWeights) -> Self {
        let or = |given: f64, default: f64| if given > 0.0 { given } else { default };
        let default = ErrorWeights::STATE;
        let weights = ErrorWeights {
            angle: or(weights.angle, default.angle),
            length: or(weights.length, default.length),
            rotation: or(weights.rotation, default.rotation),
            angular_velocity: or(weights.angular_velocity, default.angular_velocity),
            velocity: or(weights.velocity, default.velocity),
            external: or(weights.external, default.external),
        };
        let norm = ErrorNorm::new(diagram, &Layout::new(diagram), &weights);
        let mut is_rate = vec![false; diagram.state_width()];
        for (block, plant) in diagram.plants() {
            is_rate[block.state.clone()][plant.structure().num_positions..].fill(true);
        }
        let names = diagram.state_names();
        let states = norm.entries.iter().map(|&(i, weight)| (names[i].as_str(), (i, weight)));
        let states: HashMap<&str, (usize, f64)> = states.collect();
        let places: HashMap<&str, usize> = channels.iter().enumerate().map(|(i, c)| (c.name.as_str(), i)).collect();
        let forces = are_forces(diagram, channels);
        let law = |(channel, is_force): (&Channel, &bool)| {
            if *is_force {
                return Law::Output;
            }
            if let Some(base) = quaternion(&channel.name) {
                let all = ["w", "x", "y", "z"].map(|part| places.get(format!("{base}.q{part}").as_str()).copied());
                return match all {
                    [Some(w), Some(x), Some(y), Some(z)] if [x, y, z] == [w + 1, w + 2, w + 3] => Law::Rotation(w),
                    _ => Law::Component,
                };
            }
            match states.get(channel.name.as_str()) {
                Some(&(i, weight)) if is_rate[i] => Law::Rate(weight),
                Some(&(_, weight)) => Law::State(weight),
                None if channel.unit == "rad" => Law::Angle,
                None => Law::Output,
            }
        };
        Measure { laws: channels.iter().zip(&forces).map(law).collect() }
    }

    /// Size of each channel that counts as one, from the values of a run.
    pub fn scales(&self, run: &Rows) -> Vec<f64> {
        let mut scales = vec![1.0_f64; self.laws.len()];
        for (i, scale) in scales.iter_mut().enumerate() {
            if let Law::Output = self.laws[i] {
                let sizes = (0..run.len()).map(|k| run.row(k)[i].abs()).filter(|size| size.is_finite());
                *scale = sizes.fold(1.0, f64::max);
            }
        }
        scales
    }

    /// Difference of channel `i` between the values of two runs, in the unit of accuracies.
    pub fn difference(&self, i: usize, scale: f64, one: &[f64], other: Around<'_>) -> f64 {
        let (a, b) = (one[i], other.at[i]);
        if a == b || (a.is_nan() && b.is_nan()) {
            return 0.0;
        }
        if !(a.is_finite() && b.is_finite()) {
            return f64::INFINITY;
        }
        let jumped = || (a - b).abs().min(beside_jump(a, other.before[i], b, other.after[i]));
        match self.laws[i] {
            Law::State(weight) => weight * (a - b).abs(),
            Law::Rate(weight) => weight * jumped(),
            Law::Rotation(first) => {
                ROTATION_WEIGHT * angle_between(&one[first..first + 4], &other.at[first..first + 4])
            }
            Law::Component => (a - b).abs().min((a + b).abs()),
            Law::Angle => on_circle(a - b).min(jumped()),
            Law::Output => jumped() / scale,
        }
    }
}

/// Distance of `value` from the range that a channel passes when it jumps near a time; infinite if it does not jump.
fn beside_jump(value: f64, before: f64, at: f64, after: f64) -> f64 {
    let (left, right) = ((at - before).abs(), (after - at).abs());
    // The comparison is false for not-a-number.
    if left.max(right) > JUMP * left.min(right) {
        let (low, high) = (before.min(at).min(after), before.max(at).max(after));
        return (low - value).max(value - high).max(0.0);
    }
    f64::INFINITY
}

/// The angle between two rotations \[rad\], whatever the signs of their quaternions.
fn angle_between(one: &[f64], other: &[f64]) -> f64 {
    let rotation = |q: &[f64]| UnitQuaternion::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3]));
    rotation(one).angle_to(&rotation(other))
}

/// The size of an angle on the circle \[rad\].
fn on_circle(angle: f64) -> f64 {
    let rest = angle.rem_euclid(TAU);
    rest.min(TAU - rest)
}

/// Base name of a component of a quaternion: `plant.body` of `plant.body.qw`.
fn quaternion(name: &str) -> Option<&str> {
    [".qw", ".qx", ".qy", ".qz"].into_iter().find_map(|part| name.strip_suffix(part))
}
