//! A plant to draw.

use super::{Appearance, Geometry, Pose};
use crate::constraint_kind::ConstraintKind;
use serde::{Deserialize, Serialize};

/// Scene of one plant.
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
    /// Index of its parent body; `None` for the world, and if the plant does not state it.
    pub parent: Option<usize>,
    /// Full name of the joint between it and its parent; `None` for a weld, and if the plant does not state it.
    pub joint: Option<String>,
    /// True if it can move; a body that cannot stays at `start`.
    pub moving: bool,
    /// Its pose in the world at the initial state.
    pub start: Pose,
    /// Collision shapes.
    pub collisions: Vec<SceneShape>,
    /// Visual shapes.
    pub visuals: Vec<SceneShape>,
}

/// A shape on a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneShape {
    /// Name; may be empty.
    pub name: String,
    /// Pose in the body's frame.
    pub pose: Pose,
    /// Geometry of the shape.
    pub geometry: Geometry,
    /// Appearance; `None` for collision shapes, and if the model file does not give it.
    pub appearance: Option<Appearance>,
}

/// A frame on a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneFrame {
    /// Name within the plant.
    pub name: String,
    /// The body that carries it.
    pub body: usize,
    /// Pose in the body's frame.
    pub pose: Pose,
}

/// A surface that moves although its body may rest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneBelt {
    /// Name; the plant's input `NAME.speed` drives it.
    pub name: String,
    /// The body whose surface moves; the world for the ground.
    pub body: usize,
    /// Motion of the surface.
    pub motion: BeltMotion,
    /// Speed while the input is not connected \[m/s\].
    pub speed: f64,
}

/// The motion of a belt, a unit vector in body axes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BeltMotion {
    /// Around rollers with this axis.
    Axis([f64; 3]),
    /// In this direction on every side.
    Direction([f64; 3]),
}

/// A constraint and its anchors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneConstraint {
    /// Name; for a mimic joint, the full name of that joint.
    pub name: String,
    /// Kind of the constraint.
    pub kind: ConstraintKind,
    /// The frames that it connects: two, or none for a coupler.
    pub anchors: Vec<Anchor>,
}

/// A frame on a body on which a constraint acts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Anchor {
    /// The body.
    pub body: usize,
    /// Pose in the body's frame.
    pub pose: Pose,
}
