//! A model in a plant: its base, its actuated joints, and its collisions.

use crate::{Base, Model};

/// Actuated joints of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Actuated {
    /// The actuators of the file. If its format has none: the joints that a transmission names, or, without
    /// transmissions, every single-axis joint that is not a mimic joint.
    #[default]
    Default,
    /// Every single-axis joint.
    All,
    /// None.
    None,
    /// These, by name within the model; on the port they are in the order of the model's joints.
    Joints(Vec<String>),
}

/// Collision partners of the shapes of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Collisions {
    /// Everything.
    #[default]
    All,
    /// The ground only.
    GroundOnly,
    /// Nothing.
    None,
}

/// Pairs of links of one model that do not collide with each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExcludedPairs {
    /// Names of links within the model; a name that it does not have is ignored.
    pub links: Vec<[String; 2]>,
    /// True to exclude also pairs whose shapes overlap in the initial positions.
    pub touching_at_start: bool,
}

impl Default for ExcludedPairs {
    /// No pairs by name, and all that overlap at the start: simplified shapes of the parts of a robot often overlap
    /// although the parts do not, and contact there would push the joints apart from the first step on.
    fn default() -> Self {
        ExcludedPairs { links: Vec::new(), touching_at_start: true }
    }
}

/// A model in a plant.
#[derive(Clone, Debug)]
pub struct PlantModel {
    /// Name in the plant.
    pub name: String,
    /// The model.
    pub model: Model,
    /// Base of its root link.
    pub base: Base,
    /// Joints with an actuator.
    pub actuated: Actuated,
    /// Its collision partners.
    pub collisions: Collisions,
    /// Pairs of its links that do not collide with each other.
    pub excluded: ExcludedPairs,
    /// Initial positions and velocities, in the order of its joints; `None`: those of the model and the base.
    pub start: Option<(Vec<f64>, Vec<f64>)>,
}
