//! A plant to draw.

use super::{Appearance, Geometry, Pose};
use crate::constraint_kind::ConstraintKind;
use serde::{Deserialize, Serialize};

/// What there is to draw of one plant.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlantScene {
    /// Full name of the plant's block.
    pub name: String,
    /// The bodies; body 0 is the world.
    pub bodies: Vec<SceneBody>,
    /// Frames with names of their own: the bases of models.
    pub frames: Vec<SceneFrame>,
    /// Height of the ground, the half-space below this z \[m\]; `None`: no ground.
    pub ground: Option<f64>,
    /// Surfaces that move.
    pub belts: Vec<SceneBelt>,
    /// The constraints, active or not, in the order of their indices.
    pub constraints: Vec<SceneConstraint>,
}

/// A body with its shapes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SceneBody {
    /// Full name within the plant (`arm/link1`; `world`).
    pub name: String,
    /// The body it hangs on; `None` for the world, and where the plant does not say.
    pub parent: Option<usize>,
    /// Full name of the joint that lets it move against its parent; `None` for a weld, and where the plant does not
    /// say.
    pub joint: Option<String>,
    /// Whether it can move; a body that cannot stays at `start`.
    pub moving: bool,
    /// Its pose in the world at the initial state.
    pub start: Pose,
    /// Shapes that touch.
    pub collisions: Vec<SceneShape>,
    /// Shapes to look at.
    pub visuals: Vec<SceneShape>,
}

/// A shape on a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneShape {
    /// Name; may be empty.
    pub name: String,
    /// Its frame in the body's.
    pub pose: Pose,
    /// What it is.
    pub geometry: Geometry,
    /// How it looks; `None` for collision shapes, and where the model file does not say.
    pub appearance: Option<Appearance>,
}

/// A frame on a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneFrame {
    /// Name within the plant.
    pub name: String,
    /// The body that carries it.
    pub body: usize,
    /// Where on the body.
    pub pose: Pose,
}

/// A surface that moves although its body may rest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneBelt {
    /// Name; the plant's input `NAME.speed` drives it.
    pub name: String,
    /// The body whose surface moves; the world for the ground.
    pub body: usize,
    /// How it moves.
    pub motion: BeltMotion,
    /// Its speed while the input is not connected \[m/s\].
    pub speed: f64,
}

/// The motion of a belt, a unit vector in body axes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BeltMotion {
    /// Around rollers along this axis.
    Axis([f64; 3]),
    /// In this direction on every side.
    Direction([f64; 3]),
}

/// A constraint and where it is attached.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneConstraint {
    /// Name; of a mimic joint, the full name of that joint.
    pub name: String,
    /// What it constrains.
    pub kind: ConstraintKind,
    /// The frames it holds together: two, or none for a coupler.
    pub anchors: Vec<Anchor>,
}

/// A frame on a body that a constraint acts on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Anchor {
    /// The body.
    pub body: usize,
    /// The frame in the body's.
    pub pose: Pose,
}
