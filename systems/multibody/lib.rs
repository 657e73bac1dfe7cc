//! Multibody plants: the model as data, and the tree with its kinematics and dynamics.
//!
//! [`Tree::assemble`] makes one [`Tree`] of models. The tree holds structure only; the state of an evaluation lives in
//! a [`Kinematics`], generic over the scalar and free of allocation once it has its size:
//!
//! ```
//! use kinegraph_systems::multibody::{Armature, Kinematics, Model, Tree};
//! use nalgebra::Vector3;
//!
//! # fn torques(model: &Model, q: &[f64], v: &[f64], v_dot: &[f64]) -> Vec<f64> {
//! let arm = Tree::of_model("arm", model).unwrap();
//! let mut k = Kinematics::default();
//! arm.position_kinematics(q, &mut k);
//! arm.velocity_kinematics(v, &mut k);
//! let mut tau = vec![0.0; arm.num_velocities()];
//! arm.inverse_dynamics(&mut k, v_dot, &Vector3::new(0.0, 0.0, -9.81), Armature::Included, &mut tau);
//! # tau
//! # }
//! ```

mod assemble;
mod assembly_error;
mod composite_check;
mod energy;
pub mod fibre;
mod forward_dynamics;
mod frame;
mod free_body;
mod inertial_regressor;
mod inverse_dynamics;
mod inverse_dynamics_derivatives;
mod jacobian;
#[doc(hidden)]
pub mod joint;
mod kinematic_map;
mod kinematics;
mod layout;
mod mass_matrix;
pub mod model;
mod model_check;
mod name_order;
mod operational_inertia;
pub mod plant;
#[doc(hidden)]
pub mod product;
pub mod proximity;
mod reaction_forces;
pub mod rigid_links;
mod rigid_parts;
pub mod rotation_vector;
pub mod scene_data;
pub mod sensor_data;
pub mod spatial;
#[doc(hidden)]
pub mod tendon_path;
mod thread_kinematics;
mod topology;
mod tree;

pub use assembly_error::{AssemblyError, AssemblyErrors, AssemblyWarning};
#[doc(hidden)]
pub use composite_check::is_well_above;
pub use energy::TotalInertia;
pub use frame::Frame;
pub use kinematics::{Kinematics, Pose};
pub use model::{Base, Collision, Inertia, Joint, JointKind, Link, Mimic, Model, ModelInstance, Visual};
pub use model_check::InertiaCheck;
pub use plant::{MultibodyPlant, PlantBuilder};
pub use spatial::{SpatialInertia, SpatialVector};
pub use tendon_path::TendonPath;
pub use thread_kinematics::with_kinematics;
pub use tree::{Armature, Body, ModelPart, Tree, TreeJoint};
