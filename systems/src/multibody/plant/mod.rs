//! The multibody plant as a block: models assembled into one tree, contact, ports.

mod block;
mod builder;
mod collision;
mod convex;
mod error;
mod material;
mod ports;
mod spring;

pub use block::MultibodyPlant;
pub use builder::{Actuated, Collisions, PlantBuilder, PlantModel};
pub(crate) use collision::Query;
pub use error::{PlantError, PlantErrors};
pub use material::{ContactParameters, Material};
pub use spring::Spring;
