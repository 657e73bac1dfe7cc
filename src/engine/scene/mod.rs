//! Drawable parts of a diagram: the scene of every plant, and markers of other blocks on its bodies.
//!
//! A [`Scene`] is plain data with a versioned format; it does not change while the diagram runs. Observers of a run
//! ([`Observer`](crate::simulate::Observer)) get the poses and contacts of bodies by the same indices.

mod collect;

pub use kinegraph_core::scene::*;

use serde::{Deserialize, Serialize};

/// The format this program writes and reads.
pub const VERSION: u32 = 1;

/// Drawable parts of a diagram.
///
/// ```
/// use kinegraph::scene::Scene;
/// use kinegraph::scenario::Scenario;
///
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
/// let scenario = Scenario::open("examples/franka/franka.yaml")?;
/// let scene = Scene::of(&scenario.diagram);
/// let (plant, body) = scene.find("plant", "arm/link7").unwrap();
/// assert!(scene.plants[plant].bodies[body].moving);
/// assert_eq!(Scene::from_json(&scene.to_json()?)?, scene);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    /// Version of the format.
    #[serde(rename = "kinegraph_scene")]
    pub version: u32,
    /// Name of the diagram.
    pub diagram: String,
    /// The plants, in the order of the diagram.
    pub plants: Vec<PlantScene>,
    /// Markers of other blocks on bodies, in the order of the diagram.
    pub markers: Vec<SceneMarker>,
}

/// Where to look at a scene from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct View {
    /// The eye \[m\].
    pub eye: [f64; 3],
    /// Point that the eye looks at \[m\].
    pub target: [f64; 3],
    /// Direction that is up in the picture.
    pub up: [f64; 3],
}

/// Something that a block has on a body of a plant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneMarker {
    /// Full name of the block.
    pub block: String,
    /// Name within the block (`cups[0]`).
    pub name: String,
    /// Its kind.
    pub kind: MarkerKind,
    /// Index of the plant among [`Scene::plants`].
    pub plant: usize,
    /// Index of the body among the plant's.
    pub body: usize,
    /// Where on the body.
    pub pose: Pose,
}

/// Reason why a scene cannot be read.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// The text is not that of a scene.
    #[error("not a scene: {reason}. Scenes are written by `kinegraph scene`")]
    Malformed {
        /// Reason why the text is not a scene.
        reason: String,
    },
    /// The scene has another format.
    #[error("a scene of format version {found}; this program reads version {VERSION}")]
    Version {
        /// Its version.
        found: u32,
    },
}

kinegraph_core::debug_is_message!(SceneError);

impl Scene {
    /// Indices of a plant, by the full name of its block, and of one of its bodies (`arm/link1`).
    pub fn find(&self, plant: &str, body: &str) -> Option<(usize, usize)> {
        let plant = self.plants.iter().position(|p| p.name == plant)?;
        let body = self.plants[plant].bodies.iter().position(|b| b.name == body)?;
        Some((plant, body))
    }

    /// Writes the scene as JSON.
    ///
    /// # Errors
    /// None that is known; the JSON writer's, if it has one.
    pub fn to_json(&self) -> Result<String, SceneError> {
        serde_json::to_string_pretty(self).map_err(malformed)
    }

    /// Reads a scene from JSON. Fields that this version does not know are ignored.
    ///
    /// # Errors
    /// [`SceneError::Malformed`] or [`SceneError::Version`].
    pub fn from_json(text: &str) -> Result<Self, SceneError> {
        /// Fields of every version of the format.
        #[derive(Deserialize)]
        struct Head {
            kinegraph_scene: u32,
        }
        let Head { kinegraph_scene: found } = serde_json::from_str(text).map_err(malformed)?;
        if found != VERSION {
            return Err(SceneError::Version { found });
        }
        serde_json::from_str(text).map_err(malformed)
    }
}

fn malformed(reason: serde_json::Error) -> SceneError {
    SceneError::Malformed { reason: reason.to_string() }
}
