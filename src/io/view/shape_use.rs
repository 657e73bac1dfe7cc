//! A shape of a scene, as lines of the stream name it.

use serde::{Deserialize, Serialize};

/// A shape that is a mesh.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeshUse {
    /// Index of the plant in the scene.
    pub plant: usize,
    /// Index of the body.
    pub body: usize,
    /// Which of its lists of shapes.
    pub list: ShapeList,
    /// Index in the list.
    pub shape: usize,
}

/// A list of shapes of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShapeList {
    /// Shapes to look at.
    Visuals,
    /// Shapes that touch.
    Collisions,
}
