//! A model in a plant: how its root is held, which of its joints have an actuator, what it collides with.

use crate::{Base, Model};

/// Which joints of a model have an actuator.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Actuated {
    /// The actuators of the file; where the format has none, the joints that a transmission names, or every single-axis
    /// joint that is not mimic if the file has no transmission.
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

/// Pairs of links of one model that do not collide with each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExcludedPairs {
    /// Names of links within the model; a name that it does not have is ignored.
    pub links: Vec<[String; 2]>,
    /// And those whose shapes overlap in the initial positions.
    pub touching_at_start: bool,
}

impl Default for ExcludedPairs {
    /// None by name, and those that overlap at the start: shapes that stand for the parts of a robot reach into each
    /// other where the parts do not, and a contact there would push the joints apart from the first step on.
    fn default() -> Self {
        ExcludedPairs { links: Vec::new(), touching_at_start: true }
    }
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
    /// Which of its links do not collide with each other.
    pub excluded: ExcludedPairs,
    /// Its positions and velocities at the start, in the order of its joints; `None`: as the model and the base say.
    pub start: Option<(Vec<f64>, Vec<f64>)>,
}
