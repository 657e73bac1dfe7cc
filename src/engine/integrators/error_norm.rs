//! The norm in which error is controlled: the largest weighted deviation of any coordinate, absolute.
//!
//! Convex steps control the positions of plants and the external state; velocities take part if their weights say so.
//! The rotation of a body counts as the angle between its two orientations, whatever the signs and components of their
//! quaternions. Methods for differential equations control every state. An accuracy means the same for all of them, so
//! that integrators can be swapped; a measure relative to the size of a state would let velocities err by as much as
//! they are large just where it matters, in near collisions.

use super::OutputErrors;
use crate::choices::error_norm::VELOCITY_WEIGHT;
use crate::linearize::Layout;
use kinegraph_convex::linear_algebra::quaternion::angle_between;
use kinegraph_core::convex::Coordinate;
use kinegraph_diagram::Diagram;
use serde::{Deserialize, Serialize};

/// Weights of the deviations of each kind: `accuracy` bounds deviation times weight. Zero leaves a kind out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ErrorWeights {
    /// Positions of hinges \[1/rad\].
    pub angle: f64,
    /// Positions of sliders, and places of free bodies \[1/m\].
    pub length: f64,
    /// Angles between orientations of free bodies and ball joints \[1/rad\]. One half by default: about the deviation
    /// of the components of the quaternions.
    pub rotation: f64,
    /// Angular velocities \[s/rad\].
    pub angular_velocity: f64,
    /// Velocities \[s/m\].
    pub velocity: f64,
    /// State outside plants (controllers, filters), in units of its own.
    pub external: f64,
}

impl ErrorWeights {
    /// Positions and external state; velocities are left out.
    pub const POSITIONS: ErrorWeights =
        ErrorWeights { angle: 1.0, length: 1.0, rotation: 0.5, angular_velocity: 0.0, velocity: 0.0, external: 1.0 };
    /// Weights with velocities, which count a tenth: an error of velocity matters for a tenth of a second.
    pub const STATE: ErrorWeights =
        ErrorWeights { angular_velocity: VELOCITY_WEIGHT, velocity: VELOCITY_WEIGHT, ..ErrorWeights::POSITIONS };
}

impl Default for ErrorWeights {
    fn default() -> Self {
        ErrorWeights::POSITIONS
    }
}

/// The error norm of a diagram's continuous state.
#[derive(Clone, Debug, Default)]
pub struct ErrorNorm {
    /// State index and weight of each controlled coordinate.
    pub entries: Vec<(usize, f64)>,
    /// First state index and weight of each controlled quaternion.
    pub rotations: Vec<(usize, f64)>,
    /// Names of the coordinates, then of the quaternions, then of outputs under error control.
    pub names: Vec<String>,
}

impl ErrorNorm {
    /// Norm of the plants' coordinates and the external state, with these `weights`.
    pub fn new(diagram: &Diagram, layout: &Layout, weights: &ErrorWeights) -> Self {
        let mut norm = ErrorNorm::default();
        for slot in &layout.plants {
            let structure = layout.plant(diagram, slot).structure();
            let (mut position, mut velocity) = (slot.positions.start, 0);
            while velocity < structure.num_velocities {
                let kind = structure.coordinates[velocity];
                let weight = [weights.angle, weights.length, weights.rotation][kind as usize];
                let (positions, velocities) = if kind == Coordinate::Spin { (4, 3) } else { (1, 1) };
                let list = if kind == Coordinate::Spin { &mut norm.rotations } else { &mut norm.entries };
                list.push((position, weight));
                let rate = if kind == Coordinate::Length { weights.velocity } else { weights.angular_velocity };
                let first = slot.velocities.start + velocity;
                norm.entries.extend((first..first + velocities).map(|v| (v, rate)));
                position += positions;
                velocity += velocities;
            }
        }
        norm.entries.extend(layout.external.iter().map(|&i| (i, weights.external)));
        norm.finish(diagram)
    }

    /// Norm of the positions of the plants, radians, metres and quaternion components alike: the norm of the reference
    /// implementation.
    pub fn of_positions(diagram: &Diagram, layout: &Layout) -> Self {
        let entries = layout.plants.iter().flat_map(|slot| slot.positions.clone()).map(|i| (i, 1.0)).collect();
        ErrorNorm { entries, ..ErrorNorm::default() }.finish(diagram)
    }

    /// Norm of every continuous state of a diagram without plants: all of it is external.
    pub fn external(diagram: &Diagram, weights: &ErrorWeights) -> Self {
        let entries = (0..diagram.state_width()).map(|i| (i, weights.external)).collect();
        ErrorNorm { entries, ..ErrorNorm::default() }.finish(diagram)
    }

    fn finish(mut self, diagram: &Diagram) -> Self {
        let all = diagram.state_names();
        self.entries.retain(|&(_, weight)| weight > 0.0);
        self.rotations.retain(|&(_, weight)| weight > 0.0);
        self.entries.sort_unstable_by_key(|&(i, _)| i);
        self.rotations.sort_unstable_by_key(|&(i, _)| i);
        let rotation = |name: &str| name.strip_suffix(".qw").map_or(name.to_owned(), |base| format!("{base}.rotation"));
        self.names = self.entries.iter().map(|&(i, _)| all[i].clone()).collect();
        self.names.extend(self.rotations.iter().map(|&(i, _)| rotation(&all[i])));
        self.names.extend(OutputErrors::names(diagram));
        self
    }

    /// Number of controlled coordinates: outputs under error control are counted after them.
    pub fn num_coordinates(&self) -> usize {
        self.entries.len() + self.rotations.len()
    }

    /// Largest entry of `error`, the deviation of a whole state, and its index among the controlled ones; not-a-number
    /// if any controlled one is.
    pub fn size(&self, error: &[f64]) -> (f64, usize) {
        largest(self.entries.iter().map(|&(i, weight)| error[i].abs() * weight))
    }

    /// Largest weighted difference of two states, and its index among the controlled coordinates.
    pub fn distance(&self, a: &[f64], b: &[f64]) -> (f64, usize) {
        let coordinates = self.entries.iter().map(|&(i, weight)| (a[i] - b[i]).abs() * weight);
        let rotations = self.rotations.iter().map(|&(i, weight)| angle_between(&a[i..i + 4], &b[i..i + 4]) * weight);
        largest(coordinates.chain(rotations))
    }

    /// Deviation of state `i` that an error of `accuracy` allows; zero if it is not controlled. Components of a
    /// quaternion deviate by half of the angle.
    pub fn deviation(&self, i: usize, accuracy: f64) -> f64 {
        if let Ok(k) = self.entries.binary_search_by_key(&i, |&(entry, _)| entry) {
            return accuracy / self.entries[k].1;
        }
        let before = self.rotations.partition_point(|&(first, _)| first <= i);
        let rotation = before.checked_sub(1).map(|k| self.rotations[k]).filter(|(first, _)| i < first + 4);
        rotation.map_or(0.0, |(_, weight)| accuracy / (2.0 * weight))
    }

    /// State index and weight of a controlled coordinate; `None` of a rotation.
    pub fn entry(&self, index: usize) -> Option<(usize, f64)> {
        self.entries.get(index).copied()
    }

    /// State indices and weights of all controlled coordinates but rotations, in their order.
    pub fn entries(&self) -> &[(usize, f64)] {
        &self.entries
    }

    /// Largest weighted difference of two states, over the coordinates whose first entry in the state satisfies `is`.
    pub fn distance_of(&self, a: &[f64], b: &[f64], is: impl Fn(usize) -> bool) -> (f64, usize) {
        let coordinates =
            self.entries.iter().map(|&(i, weight)| if is(i) { (a[i] - b[i]).abs() * weight } else { 0.0 });
        let angle = |i: usize| angle_between(&a[i..i + 4], &b[i..i + 4]);
        let rotations = self.rotations.iter().map(|&(i, weight)| if is(i) { angle(i) * weight } else { 0.0 });
        largest(coordinates.chain(rotations))
    }

    /// Name of a controlled coordinate.
    pub fn name(&self, index: usize) -> &str {
        self.names.get(index).map_or("nothing", String::as_str)
    }
}

fn largest(sizes: impl Iterator<Item = f64>) -> (f64, usize) {
    let (mut largest, mut worst) = (0.0, 0);
    for (k, size) in sizes.enumerate() {
        if size.is_nan() {
            return (f64::NAN, k);
        }
        if size > largest {
            (largest, worst) = (size, k);
        }
    }
    (largest, worst)
}
