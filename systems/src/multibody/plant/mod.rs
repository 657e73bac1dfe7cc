//! The multibody plant as a block: models assembled into one tree, contact, ports.

mod actuator;
mod belt;
mod block;
mod builder;
mod buoyancy;
mod bushing;
mod channels;
mod collision;
mod constraint;
mod constraints;
mod convex;
mod couplings;
mod dispatch;
mod element;
mod error;
#[cfg(test)]
mod force_conformance;
mod hydroelastic;
mod material;
mod model;
mod overlaps;
mod passive;
mod placing;
mod ports;
mod press;
mod read_outs;
mod scene;
mod scene_query;
mod single_axis;
mod spatial_tendon;
mod spring;
mod stop;
mod surfaces;

pub use belt::{Belt, SurfaceMotion};
pub use block::MultibodyPlant;
pub use builder::{CORRECTION_SPEED, PlantBuilder};
pub use bushing::BushingLaw;
pub use constraint::{Attachment, Constraint, ConstraintLaw};
pub use element::Element;
pub use error::{PlantError, PlantErrors};
pub use hydroelastic::{ContactModel, Hydroelastics};
pub use material::{ContactParameters, Material};
pub use model::{Actuated, Collisions, ExcludedPairs, PlantModel};
pub use scene_query::{PosesMismatch, SceneHit, SceneQuery};
pub use spring::Spring;
pub use stop::StopLaw;
