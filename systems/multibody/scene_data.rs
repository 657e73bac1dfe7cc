//! What a model file may say beyond links and joints: how surfaces touch, what is driven and how, what is held
//! together, named frames and named states.

use super::sensor_data::ModelSensor;
use kinegraph_core::convex::RaySensor;
use nalgebra::{Isometry3, Vector3};

/// What is known of a model beyond its links and joints.
#[derive(Clone, Debug, Default)]
pub struct SceneData {
    /// Whether the root link stands for the world: the file says itself what is fixed and what floats, and what is
    /// attached on the world by a joint may touch it.
    pub root_is_world: bool,
    /// Root links that the file connects by nothing, each floating on its own; empty where there is one.
    pub separate_roots: Vec<String>,
    /// Gravity of the file \[m/s²\].
    pub gravity: Option<Vector3<f64>>,
    /// Frames fixed to links.
    pub frames: Vec<LinkFrame>,
    /// Actuators in their order; where there are any, they are what the actuation port of the model has.
    pub actuators: Vec<Actuator>,
    /// What holds links together, and joints.
    pub couplings: Vec<Coupling>,
    /// Tendons with springs, dampers or stops of their own.
    pub tendons: Vec<Tendon>,
    /// Tendons along a path.
    pub spatial_tendons: Vec<SpatialTendon>,
    /// Stops of ball joints.
    pub cones: Vec<Cone>,
    /// Springs of ball and floating joints.
    pub turns: Vec<TurnSpring>,
    /// The range of the sum of the forces of all actuators on a joint of one coordinate \[N, N m\].
    pub effort_ranges: Vec<(String, (f64, f64))>,
    /// Joints that resist twist and bending as a piece of a cable does.
    pub bends: Vec<Bend>,
    /// Stops of joints of one coordinate that are not rigid.
    pub stops: Vec<SoftStop>,
    /// Links that are carried against gravity, and which part of their weight is.
    pub carried: Vec<(String, f64)>,
    /// Links that are moved from outside: each has an input for its pose.
    pub mocap: Vec<String>,
    /// Links that move in a fluid.
    pub immersed: Vec<FluidBody>,
    /// Pairs of links that do not touch.
    pub apart: Vec<[String; 2]>,
    /// Pairs of shapes, by name, that touch whatever else is said.
    pub touching: Vec<TouchingPair>,
    /// Named states.
    pub keyframes: Vec<Keyframe>,
    /// Sensors in their order.
    pub sensors: Vec<ModelSensor>,
    /// Sensors that look along rays at a rate of their own.
    pub rays: Vec<RaySensor>,
}

/// A frame fixed to a link.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkFrame {
    /// Name.
    pub name: String,
    /// The link L.
    pub link: String,
    /// Pose of the frame F in the link's frame.
    pub X_LF: Isometry3<f64>,
}

/// How a shape touches. Two shapes touch if a bit of `kind` of either is among the `touches` of the other. Shapes of
/// which nothing is said have bit 1 in both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// What it is (bits).
    pub kind: u32,
    /// What it touches (bits).
    pub touches: u32,
    /// Stiffness of this side \[N/m\]; infinite: rigid.
    pub stiffness: f64,
    /// Hunt-Crossley dissipation \[s/m\].
    pub dissipation: f64,
    /// Coefficient of friction. Of two shapes with surfaces the larger counts, not the mean.
    pub friction: f64,
    /// What it resists spinning about the normal and rolling with, for a normal force of one \[m\]. Of two shapes the
    /// larger counts.
    pub resistance: [f64; 2],
    /// Whether these act; one of two shapes is enough.
    pub resists: [bool; 2],
    /// Where two differ, the friction of the higher one counts.
    pub priority: i32,
    /// How far outside of its shape it touches \[m\]; of two shapes the sum counts.
    pub margin: f64,
    /// How much farther than that adhesion reaches \[m\]; of two shapes the sum counts.
    pub gap: f64,
    /// With what each of its contacts pulls \[N\]. Of two shapes the sum counts, or that of the higher priority.
    pub adhesion: f64,
    /// Of a plane that rays meet from above alone: its half size along x and y \[m\], infinite where it has no end. It
    /// touches without an end in any case.
    pub sheet: Option<[f64; 2]>,
}

/// Two shapes that touch whatever their own surfaces say, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct TouchingPair {
    /// Their names.
    pub shapes: [String; 2],
    /// Stiffness of each side \[N/m\]; infinite: rigid.
    pub stiffness: [f64; 2],
    /// Hunt-Crossley dissipation \[s/m\].
    pub dissipation: f64,
    /// Coefficient of friction.
    pub friction: f64,
    /// What it resists spinning about the normal and rolling with, for a normal force of one \[m\].
    pub resistance: [f64; 2],
    /// The distance at which they touch \[m\].
    pub margin: f64,
    /// How much farther than that adhesion reaches \[m\].
    pub gap: f64,
    /// With what each of their contacts pulls \[N\].
    pub adhesion: f64,
}

/// What drives joints. Its length is `l = Σ coefficient q`, its force `f = (g · (1, l, l̇)) u + b · (1, l, l̇)` within
/// the range of forces, with the input u within the range of controls; each joint gets `coefficient f`.
#[derive(Clone, Debug, PartialEq)]
pub struct Actuator {
    /// Name, unique within the model.
    pub name: String,
    /// The joints (of one coordinate) and their coefficients; empty: it drives no joint.
    pub joints: Vec<(String, f64)>,
    /// The spatial tendon that it pulls, and the coefficient of its length.
    pub tendon: Option<(String, f64)>,
    /// What it pushes along six components.
    pub push: Option<Push>,
    /// The link that pulls at what it touches: along the normals of its contacts, the force in equal parts.
    pub contacts: Option<String>,
    /// g.
    pub gain: Factor,
    /// b.
    pub bias: Factor,
    /// The state between the control and u, if there is one: u is it then, and the range of controls is that of what
    /// moves it.
    pub activation: Option<Activation>,
    /// The range of u.
    pub control_range: (f64, f64),
    /// The range of f \[N, N m\].
    pub force_range: (f64, f64),
    /// u where nothing is connected.
    pub idle: f64,
}

/// A factor of an actuator's force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Factor {
    /// The coefficients of 1, l and l̇.
    Affine([f64; 3]),
    /// That of a muscle: its force for a full activation where it is a gain, its passive force where it is a bias.
    Muscle(Muscle),
}

impl Factor {
    /// None at all.
    pub const ZERO: Factor = Factor::Affine([0.0; 3]);
}

/// A muscle with its tendon: force over length and velocity, normalized by its optimal length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Muscle {
    /// Peak active force \[N\].
    pub force: f64,
    /// The lengths between which it works \[m\].
    pub lengths: (f64, f64),
    /// The same in optimal lengths.
    pub range: (f64, f64),
    /// Below this length there is no active force, in optimal lengths.
    pub min_length: f64,
    /// Above this length there is no active force, in optimal lengths.
    pub max_length: f64,
    /// The velocity of shortening at which there is no active force, in optimal lengths per second.
    pub max_velocity: f64,
    /// Passive force at `max_length`, where it would be by its first half, in peak forces.
    pub max_passive: f64,
    /// Active force while lengthening, in peak forces.
    pub max_lengthening: f64,
}

/// A state between the control of an actuator and its force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Activation {
    /// How it follows the control.
    pub law: ActivationLaw,
    /// Its value at the start.
    pub initial: f64,
    /// What it stays within.
    pub range: (f64, f64),
}

/// How an activation a follows a control u.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ActivationLaw {
    /// `ȧ = u`.
    Integrator,
    /// `time ȧ = u - a`.
    Filter {
        /// \[s\]
        time: f64,
    },
    /// As calcium in a muscle.
    Muscle {
        /// Of activation and of deactivation \[s\].
        times: [f64; 2],
        /// The width of u - a over which one time becomes the other.
        width: f64,
    },
}

/// What an actuator pushes along six components.
#[derive(Clone, Debug, PartialEq)]
pub struct Push {
    /// The force \[N\], then the torque \[N m\], for a force of one; of a ball joint the first three count.
    pub gear: [f64; 6],
    /// What it pushes.
    pub on: PushOn,
}

/// What an actuator pushes.
#[derive(Clone, Debug, PartialEq)]
pub enum PushOn {
    /// A frame of a link, along its axes; or against another frame, along the axes of that.
    Frame {
        /// The frame.
        frame: LinkPose,
        /// What it is pushed against.
        reference: Option<LinkPose>,
    },
    /// A crank at the end of a rod whose other end slides along z of a frame; the first component of the gear counts.
    Crank {
        /// The frame on the crank at whose origin the rod is fastened.
        crank: LinkPose,
        /// The frame along whose z axis the other end slides.
        slider: LinkPose,
        /// Length of the rod \[m\].
        rod: f64,
    },
    /// A ball or floating joint.
    Joint {
        /// Its name.
        joint: String,
        /// Whether torques are along the axes of the parent, not of the child.
        in_parent: bool,
    },
}

/// A pose on a link.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkPose {
    /// The link L.
    pub link: String,
    /// Pose of the frame F in the link's frame.
    pub X_LF: Isometry3<f64>,
}

/// Terms of a spring and of a damper beyond those that are linear.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HigherTerms {
    /// (b, c) of `-b x² - c x³`, x the way from rest.
    pub spring: [f64; 2],
    /// (b, c) of `-b v |v| - c v³`.
    pub damper: [f64; 2],
}

/// A fixed tendon: a weighted sum of joint positions `l = Σ coefficient q` \[rad, m\] with a spring and a damper,
/// `f = -stiffness (l - clamp(l, rest)) - damping l̇` and [`HigherTerms`]; each joint gets `coefficient f`.
#[derive(Clone, Debug, PartialEq)]
pub struct Tendon {
    /// Name, unique within the model.
    pub name: String,
    /// The joints (of one coordinate) and their coefficients.
    pub joints: Vec<(String, f64)>,
    /// \[N/m, N m/rad\]
    pub stiffness: f64,
    /// \[N s/m, N m s/rad\]
    pub damping: f64,
    /// What else spring and damper have.
    pub terms: HigherTerms,
    /// The lengths between which the spring is slack.
    pub rest: (f64, f64),
    /// The range of l, and what happens beyond it.
    pub stop: Option<((f64, f64), Stop)>,
    /// The inertia of what turns with it, in the rate of l.
    pub armature: f64,
    /// Dry friction: the largest force that resists its motion, in the force along l.
    pub friction: f64,
    /// The rate of l at which dry friction has its full force; zero: a tenth of the plant's stiction tolerance.
    pub creep: f64,
}

impl Tendon {
    /// Whether it has forces of springs, dampers or stops.
    pub fn pulls(&self) -> bool {
        let linear = self.stiffness != 0.0 || self.damping != 0.0;
        linear || self.terms != HigherTerms::default() || self.stop.is_some()
    }

    /// A tendon over these joints that does nothing.
    pub fn new(name: impl Into<String>, joints: Vec<(String, f64)>) -> Self {
        Tendon {
            name: name.into(),
            joints,
            stiffness: 0.0,
            damping: 0.0,
            terms: HigherTerms::default(),
            rest: (0.0, 0.0),
            stop: None,
            armature: 0.0,
            friction: 0.0,
            creep: 0.0,
        }
    }
}

/// A spatial tendon: a string along a path, with a spring and a damper, `f = -stiffness (l - clamp(l, rest)) -
/// damping l̇` along it.
#[derive(Clone, Debug, PartialEq)]
pub struct SpatialTendon {
    /// Name, unique within the model.
    pub name: String,
    /// Its places in order.
    pub path: Vec<PathPart>,
    /// \[N/m\]
    pub stiffness: f64,
    /// \[N s/m\]
    pub damping: f64,
    /// What else spring and damper have.
    pub terms: HigherTerms,
    /// The lengths between which the spring is slack \[m\].
    pub rest: (f64, f64),
    /// The range of l, and what happens beyond it.
    pub stop: Option<((f64, f64), Stop)>,
    /// The inertia of what turns with it \[kg\]; of a string that wraps over nothing.
    pub armature: f64,
    /// Dry friction: the largest force that resists its motion \[N\].
    pub friction: f64,
    /// The rate of l at which dry friction has its full force; zero: a tenth of the plant's stiction tolerance.
    pub creep: f64,
}

/// A place of a string.
#[derive(Clone, Debug, PartialEq)]
pub enum PathPart {
    /// A point of a link.
    Site {
        /// The link L.
        link: String,
        /// The point in the link's frame \[m\].
        p_LS: Vector3<f64>,
    },
    /// A shape that the string wraps over, between two sites.
    Wrap {
        /// The link L.
        link: String,
        /// Pose of the shape in the link's frame.
        X_LG: Isometry3<f64>,
        /// What it is.
        form: WrapForm,
        /// Its radius \[m\].
        radius: f64,
        /// A point of a link on the side on which the string goes by; one within the shape keeps the string inside.
        side: Option<(String, Vector3<f64>)>,
    },
    /// The string branches: what follows counts by one over the divisor.
    Pulley {
        /// The divisor.
        divisor: f64,
    },
}

/// What a string wraps over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrapForm {
    /// A sphere about the origin of its frame.
    Sphere,
    /// A cylinder without ends about the z axis of its frame.
    Cylinder,
}

/// A compliant stop: the force `stiffness x (1 + dissipation x')`, x beyond it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// \[N/m, N m/rad\]
    pub stiffness: f64,
    /// \[s/m, s/rad\]
    pub dissipation: f64,
}

/// A spring that brings a ball or floating joint back to a pose: a torque of `stiffness` times the rotation vector, of
/// a floating joint also a force of `stiffness` times the way.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnSpring {
    /// The joint.
    pub joint: String,
    /// \[N m/rad; N/m\]
    pub stiffness: f64,
    /// The pose at rest; of a ball joint its rotation counts.
    pub rest: Isometry3<f64>,
}

/// What a piece of a cable between two links holds: `Σ K_i (ψ_i - ψ0_i)²/(2 L)`, ψ the rotation vector from the axes of
/// the first to those of the second.
#[derive(Clone, Debug, PartialEq)]
pub struct Bend {
    /// Both links.
    pub links: [String; 2],
    /// Length L \[m\].
    pub length: f64,
    /// K about x (twist), y and z \[N m²\].
    pub stiffness: [f64; 3],
    /// ψ0, the rotation vector without load \[rad\].
    pub rest: Vector3<f64>,
}

/// The law of the stops of a joint of one coordinate: a spring and a damper that push and never pull.
#[derive(Clone, Debug, PartialEq)]
pub struct SoftStop {
    /// The joint.
    pub joint: String,
    /// \[N/m, N m/rad\]
    pub stiffness: f64,
    /// \[N s/m, N m s/rad\]
    pub damping: f64,
}

/// The largest angle by which a ball joint turns from rest, about whatever axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Cone {
    /// The joint.
    pub joint: String,
    /// \[rad\]
    pub angle: f64,
    /// What happens beyond it.
    pub stop: Stop,
}

/// A fluid at rest, or in a steady wind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Medium {
    /// \[kg/m³\]
    pub density: f64,
    /// \[Pa s\]
    pub viscosity: f64,
    /// Velocity in the world \[m/s\].
    pub wind: Vector3<f64>,
}

/// A shape on a link that a fluid resists.
#[derive(Clone, Debug, PartialEq)]
pub struct FluidBody {
    /// The link L.
    pub link: String,
    /// Pose of the shape in the link's frame.
    pub X_LF: Isometry3<f64>,
    /// What it is.
    pub shape: FluidShape,
    /// The fluid around it.
    pub medium: Medium,
}

/// What a fluid acts on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FluidShape {
    /// A box, each of whose faces is a plate in the flow.
    Box {
        /// \[m\]
        edges: Vector3<f64>,
    },
    /// An ellipsoid, with lift and with fluid that is carried along.
    Ellipsoid {
        /// \[m\]
        semi_axes: Vector3<f64>,
        /// Blunt, slender and angular drag, Kutta and Magnus lift.
        coefficients: [f64; 5],
    },
}

/// Something of a model that is held together.
#[derive(Clone, Debug, PartialEq)]
pub struct Coupling {
    /// Name, unique within the model.
    pub name: String,
    /// Whether it acts at the start.
    pub active: bool,
    /// What it holds.
    pub law: CouplingLaw,
}

/// What a coupling holds together. Frames are poses in links.
#[derive(Clone, Debug, PartialEq)]
pub enum CouplingLaw {
    /// The origins of two frames coincide.
    Ball([(String, Isometry3<f64>); 2]),
    /// The origins of two frames coincide but for a spring and a damper.
    SoftBall {
        /// The two frames.
        ends: [(String, Isometry3<f64>); 2],
        /// In every direction.
        compliance: ConstraintCompliance,
    },
    /// Two frames coincide.
    Weld([(String, Isometry3<f64>); 2]),
    /// The origins of two frames keep a distance.
    Distance {
        /// The two frames.
        ends: [(String, Isometry3<f64>); 2],
        /// \[m\]
        length: f64,
        /// `None`: it is rigid.
        compliance: Option<ConstraintCompliance>,
    },
    /// Two frames coincide but for springs and dampers.
    Bushing {
        /// The two frames.
        ends: [(String, Isometry3<f64>); 2],
        /// Along each axis of the first frame.
        linear: [ConstraintCompliance; 3],
        /// About each axis of the first frame.
        angular: [ConstraintCompliance; 3],
    },
    /// `q₁ - r₁ = Σ aᵢ (q₂ - r₂)ⁱ` of two joints of one coordinate.
    Polynomial {
        /// The joints.
        joints: [String; 2],
        /// Their references r.
        references: [f64; 2],
        /// a₀ to a₄.
        coefficients: [f64; 5],
        /// `None`: it is rigid.
        compliance: Option<ConstraintCompliance>,
    },
    /// `Σ coefficient q = offset` of one to four joints of one coordinate.
    Joints {
        /// The joints and their coefficients.
        joints: Vec<(String, f64)>,
        /// \[rad, m\].
        offset: f64,
        /// Along the sum; `None`: it is rigid.
        compliance: Option<ConstraintCompliance>,
    },
}

/// A spring and a damper in parallel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstraintCompliance {
    /// \[N/m, N m/rad\]
    pub stiffness: f64,
    /// \[N s/m, N m s/rad\]
    pub damping: f64,
}

/// A named state: positions and velocities in the order of the model's joints.
#[derive(Clone, Debug, PartialEq)]
pub struct Keyframe {
    /// Name, unique within the model.
    pub name: String,
    /// Positions, quaternions as w, x, y, z, that of a floating joint before its place.
    pub positions: Vec<f64>,
    /// Velocities, those of a floating joint in world axes.
    pub velocities: Vec<f64>,
    /// The controls of the actuators, where the state says them, while nothing is connected.
    pub controls: Option<Vec<f64>>,
    /// The activations of those actuators that have one, in their order, where the state says them.
    pub activations: Option<Vec<f64>>,
}
