//! Source of elements: a plant at the start of a step.

use super::element::Element;
use crate::contact::RunScales;
use kinegraph_core::convex::{JointElement, PlantStructure};

/// A plant at the start of a step.
#[derive(Clone, Copy)]
pub struct PlantElements<'a> {
    /// Structure of the plant, which never changes.
    pub structure: &'a PlantStructure,
    /// Its positions.
    pub q: &'a [f64],
    /// First of its velocities among those of the problem.
    pub first: usize,
    /// Stiction tolerance \[m/s\].
    pub stiction_tolerance: f64,
    /// Scales of the run.
    pub scales: RunScales,
    /// State of one of its velocities in the problem.
    pub start: &'a dyn Fn(usize) -> VelocityStart,
}

/// State of one velocity at the start of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VelocityStart {
    /// Value \[m/s, rad/s\].
    pub velocity: f64,
    /// Approximate acceleration by gravity and other forces \[m/s², rad/s²\].
    pub acceleration: f64,
    /// True if it is locked.
    pub locked: bool,
    /// Largest speed at which a violation is removed \[m/s, rad/s\].
    pub correction_speed: f64,
    /// Slowest impact on a stop with a rebound \[m/s, rad/s\].
    pub slowest_rebound: f64,
    /// The largest step of the run \[s\].
    pub max_step: f64,
}

/// Elements that a plant has of a kind, by its name.
pub(super) fn named<E: Element>(structure: &PlantStructure) -> impl Iterator<Item = &JointElement> {
    structure.elements.iter().filter(|element| element.kind == E::KIND)
}

impl PlantElements<'_> {
    /// Stiction tolerance of one of the plant's velocities \[m/s, rad/s\].
    pub fn stiction_tolerance_of(&self, velocity: usize) -> f64 {
        self.stiction_tolerance * self.scales.unit(self.structure.coordinates[velocity])
    }

    /// Elements that the plant has of a kind, by its name: velocity in the problem, position and numbers.
    pub fn named<E: Element>(&self) -> impl Iterator<Item = (usize, f64, &[f64])> {
        named::<E>(self.structure).map(|e| (self.first + e.velocity, self.q[e.position], &*e.parameters))
    }
}
