//! What elements are made of: a plant at the start of a step.

use super::element::Element;
use crate::contact::RunScales;
use kinegraph_core::convex::{JointElement, PlantStructure};

/// A plant at the start of a step.
#[derive(Clone, Copy)]
pub struct PlantElements<'a> {
    /// What of it never changes.
    pub structure: &'a PlantStructure,
    /// Its positions.
    pub q: &'a [f64],
    /// The first of its velocities among those of the problem.
    pub first: usize,
    /// \[m/s\]
    pub stiction_tolerance: f64,
    /// Those of the run.
    pub scales: RunScales,
    /// What the problem knows of one of its velocities.
    pub start: &'a dyn Fn(usize) -> VelocityStart,
}

/// What a problem knows of one velocity at the start of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VelocityStart {
    /// Its value \[m/s, rad/s\].
    pub velocity: f64,
    /// How fast gravity and the like change it, about \[m/s², rad/s²\].
    pub acceleration: f64,
    /// Whether it is locked.
    pub locked: bool,
    /// Largest speed at which a violation is removed \[m/s, rad/s\].
    pub correction_speed: f64,
    /// Stops that are struck more slowly give nothing back \[m/s, rad/s\].
    pub slowest_rebound: f64,
    /// The largest step of the run \[s\].
    pub max_step: f64,
}

/// What a plant has of a kind by its name.
pub(super) fn named<E: Element>(structure: &PlantStructure) -> impl Iterator<Item = &JointElement> {
    structure.elements.iter().filter(|element| element.kind == E::KIND)
}

impl PlantElements<'_> {
    /// The stiction tolerance of one of the plant's velocities \[m/s, rad/s\].
    pub fn stiction_tolerance_of(&self, velocity: usize) -> f64 {
        self.stiction_tolerance * self.scales.unit(self.structure.coordinates[velocity])
    }

    /// What the plant has of a kind by its name: its velocity in the problem, its position and its numbers.
    pub fn named<E: Element>(&self) -> impl Iterator<Item = (usize, f64, &[f64])> {
        named::<E>(self.structure).map(|e| (self.first + e.velocity, self.q[e.position], &*e.parameters))
    }
}
