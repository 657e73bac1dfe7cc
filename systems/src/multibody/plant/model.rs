//! A model in a plant: how its root is held, which of its joints have an actuator, what it collides with.

use crate::multibody::{Base, Model};

/// Which joints of a model have an actuator.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Actuated {
    /// The joints that a transmission names, or every single-axis joint that is not mimic if the file has no
    /// transmission.
    #[default]
    Default,
    /// Every single-axis joint.
    All,
    /// None.
    None,
    /// These, by name within the model; their order on the port is that of the model's joints.
    Joints(Vec<String>),
}

/// What the shapes of a model collide with.
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

/// A model in a plant.
#[derive(Clone, Debug)]
pub struct PlantModel {
    /// Name in the plant.
    pub name: String,
    /// What it is.
    pub model: Model,
    /// How its root link is held.
    pub base: Base,
    /// Which joints have an actuator.
    pub actuated: Actuated,
    /// What it collides with.
    pub collisions: Collisions,
}
