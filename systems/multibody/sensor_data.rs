//! Sensors that a model file has: what each measures, by the names of links and joints.

use kinegraph_geometry::Shape;
use nalgebra::{Isometry3, Vector3};

/// A sensor of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelSensor {
    /// Name, unique among the sensors of the model.
    pub name: String,
    /// What it measures.
    pub quantity: Quantity,
    /// Readings are cut to this size; infinite: they are not.
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

/// A length that joints or a string have.
#[derive(Clone, Debug, PartialEq)]
pub enum Length {
    /// `Σ coefficient q` of joints of one coordinate.
    Joints(Vec<(String, f64)>),
    /// That of a spatial tendon of the model, by name, times a coefficient.
    Tendon(String, f64),
}

/// What a sensor measures.
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
    /// The angular velocity of a ball joint, in the axes of what it carries \[rad/s\].
    TurnRate(String),
    /// How far a joint stands beyond a stop, negative; zero within the range \[rad, m\].
    StopDistance(String),
    /// How fast a joint beyond a stop returns; zero within the range \[rad/s, m/s\].
    StopRate(String),
    /// The force of the stops of a joint in the last step, back into the range \[N m, N\].
    StopForce(String),
    /// The effort of all actuators on a joint in the last step \[N m, N\].
    JointEffort(String),
    /// The force of an actuator in the last step, which alone drives a joint and with this coefficient.
    ActuatorForce {
        /// The joint.
        joint: String,
        /// Effort on it by the force of the actuator.
        coefficient: f64,
    },
    /// Of a frame.
    Frame {
        /// The frame.
        frame: FrameOnLink,
        /// The frame from which it is seen; `None`: the world.
        seen_from: Option<FrameOnLink>,
        /// What of it.
        what: OfFrame,
    },
    /// Of a link and all that it carries.
    Subtree {
        /// The link.
        link: String,
        /// What of it.
        what: OfSubtree,
    },
    /// A field of the world, in the axes of a frame.
    Field {
        /// The frame.
        frame: FrameOnLink,
        /// In the axes of the world.
        field_W: Vector3<f64>,
    },
    /// The sum of the normal forces of contacts of a link whose normal meets a zone, in the last step \[N\].
    Touch {
        /// The frame of the zone.
        frame: FrameOnLink,
        /// The zone.
        zone: Shape,
    },
    /// The distance along z of a frame to the first shape that is not of its link; -1 where there is none \[m\].
    Range(FrameOnLink),
}

/// What of a frame is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfFrame {
    /// \[m\]
    Position,
    /// As a unit quaternion.
    Orientation,
    /// One of its axes: 0, 1 or 2.
    Axis(usize),
    /// As seen from the other frame, in its axes \[m/s\].
    LinearVelocity,
    /// As seen from the other frame, in its axes \[rad/s\].
    AngularVelocity,
    /// Of the world, in its own axes \[m/s\].
    OwnLinearVelocity,
    /// Of the world, in its own axes \[rad/s\].
    OwnAngularVelocity,
    /// In the last step, in the axes of the world, as an accelerometer feels it: at rest it is g upwards \[m/s²\].
    LinearAcceleration,
    /// In the last step, in the axes of the world \[rad/s²\].
    AngularAcceleration,
    /// In the last step, acceleration less gravity in its own axes \[m/s²\].
    SpecificForce,
    /// What the link got from its parent in the last step, in its own axes or in those of the other frame \[N\].
    Force,
    /// The same about its origin \[N m\].
    Torque,
    /// What the parent got from the link in the last step: the opposite of [`Force`](Self::Force) \[N\].
    ForceOnParent,
    /// The same about its origin \[N m\].
    TorqueOnParent,
}

/// What of a link with all that it carries is measured.
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
    /// Names of its numbers; none: it is one number.
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
            // Of joints that turn or slide.
            _ => "",
        }
    }

    /// Whether it reports what acted in the last step, and not only where things are and how they move.
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

    /// Whether it is about this joint.
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

    /// Whether readings may be cut: directions and quaternions may not.
    pub fn has_cutoff(&self) -> bool {
        !matches!(self, Quantity::Turn(_) | Quantity::Frame { what: OfFrame::Orientation | OfFrame::Axis(_), .. })
    }
}
