//! Scenes to draw, as plain data: bodies with their shapes and colours, frames, belts, anchors of constraints.
//!
//! A plant describes its scene ([`ConvexPlant::scene`](crate::ConvexPlant::scene)); other blocks add [`Marker`]s.
//! Lengths are metres; a pose is a position and a unit quaternion, scalar first, as in diagram files. Bodies are known
//! by their index in [`PlantStructure::bodies`](crate::convex::PlantStructure::bodies); body 0 is the world. A scene
//! does not move: the poses of the bodies at an instant are reported elsewhere, by the same indices.

mod contact_surface;
mod geometry;
mod marker;
mod plant;
mod pose;
mod texture;

pub use crate::constraint_kind::ConstraintKind;
pub use contact_surface::ContactSurface;
pub use geometry::{Appearance, FileReference, Geometry};
pub use marker::{Marker, MarkerKind};
pub use plant::{Anchor, BeltMotion, PlantScene, SceneBelt, SceneBody, SceneConstraint, SceneFrame, SceneShape};
pub use pose::Pose;
pub use texture::{Image, Mapping, Pattern, PatternMark, PatternRule, Texture};
