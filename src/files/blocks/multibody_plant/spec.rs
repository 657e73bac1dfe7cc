//! Description of a plant in a diagram file.

use super::belt::BeltSpec;
use super::collisions::CollisionSpec;
use super::constraint::ConstraintSpec;
use super::contact::Contact;
use super::element::JointRef;
use super::fibre::FibreSpec;
use super::model::ModelSpec;
use crate::form::{Named, Position};
use kinegraph_multibody::plant::StopLaw;
use kinegraph_multibody::proximity::Proximity;

/// Rigid bodies with joints and contact.
#[derive(Clone, Debug)]
pub struct MultibodyPlant {
    /// Gravity \[m/s²\]; `None`: gravity of the model files, or of the earth.
    pub gravity: Option<[f64; 3]>,
    /// The contact law of every pair of geometries.
    pub contact: Contact,
    /// Hydroelastic properties, by the name of a model, link or shape.
    pub hydroelastic: Vec<Named<Proximity>>,
    /// Height of the ground, the half-space below this z \[m\]; `None`: no ground.
    pub ground: Option<f64>,
    /// The models, each after the model it is welded to.
    pub models: Vec<ModelSpec>,
    /// Ropes, cables, strips and rings.
    pub fibres: Vec<FibreSpec>,
    /// Joint positions and velocities at time zero, by model.
    pub initial: Vec<Named<Vec<Named<JointState>>>>,
    /// Springs on joints.
    pub springs: Vec<Spring>,
    /// Surfaces with a prescribed velocity.
    pub belts: Vec<BeltSpec>,
    /// Collision settings of models; a model that is not listed collides with everything.
    pub collisions: Vec<Named<CollisionSpec>>,
    /// Constraints between links and between joints.
    pub constraints: Vec<ConstraintSpec>,
    /// Joints that are locked unless an input unlocks them.
    pub locked: Vec<JointRef>,
    /// Joints that an input can lock.
    pub lockable: Vec<JointRef>,
    /// The laws of the stops of joints, by model.
    pub stops: Vec<Named<Vec<Named<StopLaw>>>>,
    /// Largest speed at which limits and rigid constraints remove a violation \[m/s, rad/s\].
    pub correction_speed: f64,
}

/// Position and velocity of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointState {
    /// Position \[rad or m\].
    pub q: f64,
    /// Velocity \[rad/s or m/s\].
    pub v: f64,
}

/// A force `-stiffness (q - rest)` on a joint.
#[derive(Clone, Debug)]
pub struct Spring {
    /// The model.
    pub model: String,
    /// The joint of the model.
    pub joint: String,
    /// Where the joint is named in the file.
    pub at: Position,
    /// Stiffness \[N m/rad or N/m\].
    pub stiffness: f64,
    /// Position without force \[rad or m\].
    pub rest: f64,
}
