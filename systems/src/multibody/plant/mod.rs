//! The multibody plant as a block: models assembled into one tree, contact, ports.

mod actuator;
mod belt;
mod block;
mod builder;
mod buoyancy;
mod channels;
mod collision;
mod constraint;
mod constraints;
mod convex;
mod couplings;
mod error;
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
mod single_axis;
mod spring;
mod stop;
mod surfaces;

pub use belt::{Belt, SurfaceMotion};
pub use block::MultibodyPlant;
pub use builder::{CORRECTION_SPEED, PlantBuilder};
pub use constraint::{Attachment, Constraint, ConstraintLaw};
pub use error::{PlantError, PlantErrors};
pub use hydroelastic::{ContactModel, Hydroelastics};
pub use material::{ContactParameters, Material};
pub use model::{Actuated, Collisions, ExcludedPairs, PlantModel};
pub use spring::Spring;
pub use stop::StopLaw;
