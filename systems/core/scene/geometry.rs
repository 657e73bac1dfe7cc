//! Shapes to draw, and their appearance.

use super::Texture;
use serde::{Deserialize, Serialize};

pub use kinegraph_geometry::{Drawing as Geometry, FileReference};

/// Appearance of a shape. Fields that are `None` are not given in the model file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Appearance {
    /// Name of the material; may be empty.
    pub name: String,
    /// Red, green, blue and opacity, each from 0 to 1.
    pub rgba: Option<[f64; 4]>,
    /// An image on the surface.
    #[serde(rename = "textured", default)]
    pub texture: Option<Texture>,
}
