//! Sensors of a model: the quantity of each, with links and joints by name.

use kinegraph_geometry::Shape;
use nalgebra::{Isometry3, Vector3};

/// A sensor of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelSensor {
    /// Name, unique among the sensors of the model.
    pub name: String,
    /// The measured quantity.
    pub quantity: Quantity,
    /// Limit of the magnitude of readings; infinite: none.
    pub cutoff: f64,
}

/// A frame fixed to a link.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameOnLink {
    /// The link L.
    pub link: String,
    /// Pose of the frame F in the link's frame.
    pub X_LF: Isometry3<f64>,
}

/// A length of joints or of a spatial tendon.
#[derive(Clone, Debug, PartialEq)]
pub enum Length {
    /// `Σ coefficient q` of joints of one coordinate.
    Joints(Vec<(String, f64)>),
    /// The length of a spatial tendon of the model, by name, times a coefficient.
    Tendon(String, f64),
}

/// Quantities that a sensor measures.
#[derive(Clone, Debug, PartialEq)]
pub enum Quantity {
    /// The time \[s\].
    Time,
    /// Energy of gravity and of springs \[J\].
    PotentialEnergy,
    /// Energy of motion, rotors included \[J\].
    KineticEnergy,
    /// A length \[rad, m\].
    Length(Length),
    /// The rate of a length \[rad/s, m/s\].
    Rate(Length),
    /// The unit quaternion of a ball joint.
    Turn(String),
    /// Angular velocity of a ball joint, in the axes of its child \[rad/s\].
    TurnRate(String),
    /// Distance of a joint from a stop, negative beyond it; zero within the range \[rad, m\].
    StopDistance(String),
    /// Rate of this distance while the joint is beyond a stop; zero within the range \[rad/s, m/s\].
    StopRate(String),
    /// Force of the stops of a joint in the last step, positive towards the range \[N m, N\].
    StopForce(String),
    /// The effort of all actuators on a joint in the last step \[N m, N\].
    JointEffort(String),
    /// Force in the last step of an actuator that is the only one on a joint, with this coefficient.
    ActuatorForce {
        /// The joint.
        joint: String,
        /// Effort on the joint per force of the actuator.
        coefficient: f64,
    },
    /// A quantity of a frame.
    Frame {
        /// The frame.
        frame: FrameOnLink,
        /// The frame relative to which it is measured; `None`: the world.
        seen_from: Option<FrameOnLink>,
        /// The quantity.
        what: OfFrame,
    },
    /// A quantity of a link and its descendants.
    Subtree {
        /// The link.
        link: String,
        /// The quantity.
        what: OfSubtree,
    },
    /// A constant field of the world, in the axes of a frame.
    Field {
        /// The frame.
        frame: FrameOnLink,
        /// The field in the axes of the world.
        field_W: Vector3<f64>,
    },
    /// Sum of the normal forces of contacts of a link whose normals meet a zone, in the last step \[N\].
    Touch {
        /// The frame of the zone.
        frame: FrameOnLink,
        /// The zone.
        zone: Shape,
    },
    /// Distance along z of a frame to the first shape of another link; -1 if there is none \[m\].
    Range(FrameOnLink),
}

/// Quantities of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfFrame {
    /// Position \[m\].
    Position,
    /// Orientation, as a unit quaternion.
    Orientation,
    /// One of its axes: 0, 1 or 2.
    Axis(usize),
    /// Linear velocity relative to the other frame, in its axes \[m/s\].
    LinearVelocity,
    /// Angular velocity relative to the other frame, in its axes \[rad/s\].
    AngularVelocity,
    /// Linear velocity relative to the world, in the frame's own axes \[m/s\].
    OwnLinearVelocity,
    /// Angular velocity relative to the world, in the frame's own axes \[rad/s\].
    OwnAngularVelocity,
    /// Linear acceleration in the last step, in world axes, as an accelerometer measures it: g upwards at rest
    /// \[m/s²\].
    LinearAcceleration,
    /// Angular acceleration in the last step, in world axes \[rad/s²\].
    AngularAcceleration,
    /// Acceleration minus gravity in the last step, in the frame's own axes \[m/s²\].
    SpecificForce,
    /// Force on the link from its parent in the last step, in its own axes or in those of the other frame \[N\].
    Force,
    /// Torque on the link from its parent about the origin of the frame \[N m\].
    Torque,
    /// Force on the parent from the link in the last step: the opposite of [`Force`](Self::Force) \[N\].
    ForceOnParent,
    /// Torque on the parent from the link about the origin of the frame \[N m\].
    TorqueOnParent,
}

/// Quantities of a link and its descendants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfSubtree {
    /// Centre of mass \[m\].
    CenterOfMass,
    /// Velocity of the centre of mass \[m/s\].
    LinearVelocity,
    /// Angular momentum about the centre of mass \[kg m²/s\].
    AngularMomentum,
}

const XYZ: &[&str] = &["x", "y", "z"];

impl Quantity {
    /// Names of its numbers; empty for a single number.
    pub fn elements(&self) -> &'static [&'static str] {
        match self {
            Quantity::Turn(_) | Quantity::Frame { what: OfFrame::Orientation, .. } => &["qw", "qx", "qy", "qz"],
            Quantity::TurnRate(_) | Quantity::Frame { .. } | Quantity::Subtree { .. } | Quantity::Field { .. } => XYZ,
            _ => &[],
        }
    }

    /// The unit of its numbers.
    pub fn unit(&self) -> &'static str {
        match self {
            Quantity::Time => "s",
            Quantity::PotentialEnergy | Quantity::KineticEnergy => "J",
            Quantity::TurnRate(_) => "rad/s",
            Quantity::Touch { .. } => "N",
            Quantity::Range(_) => "m",
            Quantity::Subtree { what, .. } => match what {
                OfSubtree::CenterOfMass => "m",
                OfSubtree::LinearVelocity => "m/s",
                OfSubtree::AngularMomentum => "kg m²/s",
            },
            Quantity::Frame { what, .. } => match what {
                OfFrame::Position => "m",
                OfFrame::Orientation | OfFrame::Axis(_) => "",
                OfFrame::LinearVelocity | OfFrame::OwnLinearVelocity => "m/s",
                OfFrame::AngularVelocity | OfFrame::OwnAngularVelocity => "rad/s",
                OfFrame::LinearAcceleration | OfFrame::SpecificForce => "m/s²",
                OfFrame::AngularAcceleration => "rad/s²",
                OfFrame::Force | OfFrame::ForceOnParent => "N",
                OfFrame::Torque | OfFrame::TorqueOnParent => "N m",
            },
            // Units of joints depend on their kind, rotation or translation.
            _ => "",
        }
    }

    /// True if it reports forces or accelerations of the last step, not only positions and velocities.
    pub fn is_of_step(&self) -> bool {
        use OfFrame::{
            AngularAcceleration, Force, ForceOnParent, LinearAcceleration, SpecificForce, Torque, TorqueOnParent,
        };
        match self {
            Quantity::StopForce(_) | Quantity::JointEffort(_) | Quantity::ActuatorForce { .. } => true,
            Quantity::Touch { .. } | Quantity::Range(_) => true,
            Quantity::Frame { what, .. } => {
                let accelerations = matches!(what, LinearAcceleration | AngularAcceleration | SpecificForce);
                accelerations || matches!(what, Force | Torque | ForceOnParent | TorqueOnParent)
            }
            _ => false,
        }
    }

    /// True if it belongs to this joint.
    pub fn is_of_joint(&self, joint: &str) -> bool {
        match self {
            Quantity::Length(Length::Joints(joints)) | Quantity::Rate(Length::Joints(joints)) => {
                joints.iter().any(|(name, _)| name == joint)
            }
            Quantity::Turn(name) | Quantity::TurnRate(name) | Quantity::JointEffort(name) => name == joint,
            Quantity::StopDistance(name) | Quantity::StopRate(name) | Quantity::StopForce(name) => name == joint,
            Quantity::ActuatorForce { joint: name, .. } => name == joint,
            _ => false,
        }
    }

    /// True if readings may be cut off; directions and quaternions may not.
    pub fn has_cutoff(&self) -> bool {
        !matches!(self, Quantity::Turn(_) | Quantity::Frame { what: OfFrame::Orientation | OfFrame::Axis(_), .. })
    }
}
