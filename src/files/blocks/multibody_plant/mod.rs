//! `type: multibody_plant`.

mod belt;
mod build;
mod changed_names;
mod changes;
mod collisions;
mod constraint;
mod contact;
mod element;
mod fibre;
#[doc(hidden)]
pub mod fibre_points;
mod hydroelastic;
mod meshes;
mod model;
mod names;
#[doc(hidden)]
pub mod pose;
mod read;
mod spec;
mod start;
mod stops;

pub use belt::BeltSpec;
pub(super) use build::{gravity_of, material_of};
pub use changes::{Changes, JointChange, LinkChange, MaterialChange};
pub use collisions::{Collides, CollisionSpec};
pub use constraint::{ComplianceSpec, ConstraintSpec, FrameSpec, LawSpec};
pub use contact::{Contact, ContactPoints};
pub use element::JointRef;
pub use fibre::FibreSpec;
pub use model::{Actuated, Base, ModelSpec, Surfaces, Velocity};
pub use pose::Pose;
pub use spec::{JointState, MultibodyPlant, Spring};

use crate::example_files::PENDULUM;
use crate::form::{BlockType, Group};

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "multibody_plant",
    group: Group::Plants,
    about: "rigid bodies with joints, contact and gravity",
    example: "plant:\n  type: multibody_plant\n  models: [{name: pendulum, file: pendulum.urdf, base: fixed}]\n  initial: {pendulum: {pivot: {q: 0.5}}}",
    files: &[PENDULUM],
    read: read::read,
};
