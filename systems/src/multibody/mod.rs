//! Multibody plants: the model as data, and (to come) tree, kinematics, dynamics, contact, and the plant block.

pub mod model;

pub use model::{Collision, Inertia, Joint, JointKind, Link, Mimic, Model};
