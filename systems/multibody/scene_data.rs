//! Data of a model file beyond links and joints: contact of surfaces, actuators, couplings, named frames and named
//! states.

use super::sensor_data::ModelSensor;
use kinegraph_core::convex::RaySensor;
use nalgebra::{Isometry3, Vector3};

/// Data of a model beyond its links and joints.
#[derive(Clone, Debug, Default)]
pub struct SceneData {
    /// True if the root link stands for the world: the file itself states which links are fixed and which float, and
    /// links attached to the world by a joint may collide with it.
    pub root_is_world: bool,
    /// Root links that nothing in the file connects, each floating on its own; empty if there is a single root.
    pub separate_roots: Vec<String>,
    /// Gravity given by the file \[m/s²\].
    pub gravity: Option<Vector3<f64>>,
    /// Frames fixed to links.
    pub frames: Vec<LinkFrame>,
    /// Actuators in their order; if there are any, they are the elements of the actuation port of the model.
    pub actuators: Vec<Actuator>,
    /// Couplings between links, and between joints.
    pub couplings: Vec<Coupling>,
    /// Fixed tendons with springs, dampers or stops.
    pub tendons: Vec<Tendon>,
    /// Spatial tendons.
    pub spatial_tendons: Vec<SpatialTendon>,
    /// Stops of ball joints.
    pub cones: Vec<Cone>,
    /// Springs of ball and floating joints.
    pub turns: Vec<TurnSpring>,
    /// Range of the total actuator force on a joint of one coordinate \[N, N m\].
    pub effort_ranges: Vec<(String, (f64, f64))>,
    /// Joints that resist twist and bending like a piece of a cable.
    pub bends: Vec<Bend>,
    /// Compliant stops of joints of one coordinate.
    pub stops: Vec<SoftStop>,
    /// Links with gravity compensation, and the fraction of their weight that it carries.
    pub carried: Vec<(String, f64)>,
    /// Links that are moved from outside (mocap): each has an input for its pose.
    pub mocap: Vec<String>,
    /// Links that move in a fluid.
    pub immersed: Vec<FluidBody>,
    /// Pairs of links that are excluded from contact.
    pub apart: Vec<[String; 2]>,
    /// Pairs of shapes, by name, that collide despite all filters.
    pub touching: Vec<TouchingPair>,
    /// Named states.
    pub keyframes: Vec<Keyframe>,
    /// Sensors in their order.
    pub sensors: Vec<ModelSensor>,
    /// Ray sensors, which have their own rates.
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

/// Contact properties of a shape. Two shapes collide if `kind` of either shares a bit with `touches` of the other.
/// Shapes without a surface have bit 1 in both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Bits of its own kind.
    pub kind: u32,
    /// Bits of the kinds it collides with.
    pub touches: u32,
    /// Stiffness of this side \[N/m\]; infinite: rigid.
    pub stiffness: f64,
    /// Hunt-Crossley dissipation \[s/m\].
    pub dissipation: f64,
    /// Coefficient of friction. For two shapes with surfaces the larger one counts, not the mean.
    pub friction: f64,
    /// Where friction depends on the direction of sliding: then [`friction`](Self::friction) is that along the grain.
    pub grain: Option<Grain>,
    /// Resistance to spinning about the normal and to rolling, per normal force \[m\]. Of two shapes the larger counts.
    pub resistance: [f64; 2],
    /// True if these resistances act; one of two shapes is enough.
    pub resists: [bool; 2],
    /// Priority: of two shapes that differ in it, the friction of the higher one counts.
    pub priority: i32,
    /// Distance outside of the shape at which contact begins \[m\]; for two shapes the sum counts.
    pub margin: f64,
    /// Further distance that adhesion reaches \[m\]; for two shapes the sum counts.
    pub gap: f64,
    /// Adhesive force of each of its contacts \[N\]. For two shapes the sum counts, or the one of the higher priority.
    pub adhesion: f64,
    /// Half size along x and y of a plane that rays meet from above only \[m\], infinite if unbounded. For contact the
    /// plane is always unbounded.
    pub sheet: Option<[f64; 2]>,
}

/// A direction of a surface in which its friction differs from that across it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grain {
    /// The direction, in the frame of the link; not zero, of any length.
    pub along: [f64; 3],
    /// Coefficient of friction in all directions orthogonal to it.
    pub across: f64,
}

/// Two shapes that collide whatever their own surfaces say, with the properties of the contact.
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
    /// Resistance to spinning about the normal and to rolling, per normal force \[m\].
    pub resistance: [f64; 2],
    /// Distance at which contact begins \[m\].
    pub margin: f64,
    /// Further distance that adhesion reaches \[m\].
    pub gap: f64,
    /// Adhesive force of each of their contacts \[N\].
    pub adhesion: f64,
}

/// An actuator. Its length is `l = Σ coefficient q`, its force `f = (g · (1, l, l̇)) u + b · (1, l, l̇)` within the
/// range of forces, with the input u within the range of controls; each joint gets `coefficient f`.
#[derive(Clone, Debug, PartialEq)]
pub struct Actuator {
    /// Name, unique within the model.
    pub name: String,
    /// The joints (of one coordinate) and their coefficients; empty: it drives no joint.
    pub joints: Vec<(String, f64)>,
    /// The spatial tendon that it pulls, and the coefficient of its length.
    pub tendon: Option<(String, f64)>,
    /// The object that it pushes along six components.
    pub push: Option<Push>,
    /// Link whose contacts it pulls together: along their normals, the force in equal parts.
    pub contacts: Option<String>,
    /// Gain g.
    pub gain: Factor,
    /// Bias b.
    pub bias: Factor,
    /// Activation state between the control and u, if there is one: then u is this state, and the range of controls
    /// applies to its input.
    pub activation: Option<Activation>,
    /// The range of u.
    pub control_range: (f64, f64),
    /// The range of f \[N, N m\].
    pub force_range: (f64, f64),
    /// Value of u while nothing is connected.
    pub idle: f64,
}

/// A factor of an actuator's force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Factor {
    /// The coefficients of 1, l and l̇.
    Affine([f64; 3]),
    /// Factor of a muscle: as a gain, its force at full activation; as a bias, its passive force.
    Muscle(Muscle),
}

impl Factor {
    /// The factor zero.
    pub const ZERO: Factor = Factor::Affine([0.0; 3]);
}

/// A muscle with its tendon: force over length and velocity, normalized by its optimal length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Muscle {
    /// Peak active force \[N\].
    pub force: f64,
    /// Range of lengths in which it works \[m\].
    pub lengths: (f64, f64),
    /// Range of lengths in which it works, in optimal lengths.
    pub range: (f64, f64),
    /// Length below which there is no active force, in optimal lengths.
    pub min_length: f64,
    /// Length above which there is no active force, in optimal lengths.
    pub max_length: f64,
    /// The velocity of shortening at which there is no active force, in optimal lengths per second.
    pub max_velocity: f64,
    /// Scale of the passive force, in peak forces: half of it is reached half way from the optimal length to
    /// `max_length`.
    pub max_passive: f64,
    /// Active force while lengthening, in peak forces.
    pub max_lengthening: f64,
}

/// A state between the control of an actuator and its force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Activation {
    /// Law of the activation.
    pub law: ActivationLaw,
    /// Its value at the start.
    pub initial: f64,
    /// Range of the activation.
    pub range: (f64, f64),
}

/// Law of an activation a with a control u.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ActivationLaw {
    /// `ȧ = u`.
    Integrator,
    /// `time ȧ = u - a`.
    Filter {
        /// Time constant \[s\].
        time: f64,
    },
    /// Activation dynamics of a muscle (calcium).
    Muscle {
        /// Time constants of activation and of deactivation \[s\].
        times: [f64; 2],
        /// Width in u - a of the transition from one time constant to the other.
        width: f64,
    },
}

/// A push along six components.
#[derive(Clone, Debug, PartialEq)]
pub struct Push {
    /// Force \[N\], then torque \[N m\], per unit force of the actuator; for a ball joint the first three count.
    pub gear: [f64; 6],
    /// The object pushed.
    pub on: PushOn,
}

/// Objects that an actuator can push.
#[derive(Clone, Debug, PartialEq)]
pub enum PushOn {
    /// A frame of a link, along its own axes, or against a reference frame, along the axes of that.
    Frame {
        /// The frame.
        frame: LinkPose,
        /// The reference frame, which gets the opposite force.
        reference: Option<LinkPose>,
    },
    /// A slider-crank: a rod from a crank to a point that slides along z of a frame; the first component of the gear
    /// counts.
    Crank {
        /// Frame on the crank; the rod is fastened at its origin.
        crank: LinkPose,
        /// Frame along whose z axis the other end of the rod slides.
        slider: LinkPose,
        /// Length of the rod \[m\].
        rod: f64,
    },
    /// A ball or floating joint.
    Joint {
        /// Its name.
        joint: String,
        /// True if torques are along the axes of the parent, not of the child.
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

/// Nonlinear terms of a spring and of a damper.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HigherTerms {
    /// (b, c) of `-b x² - c x³`, with the deflection x.
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
    /// Stiffness \[N/m, N m/rad\].
    pub stiffness: f64,
    /// Damping \[N s/m, N m s/rad\].
    pub damping: f64,
    /// Nonlinear terms of spring and damper.
    pub terms: HigherTerms,
    /// Range of lengths in which the spring is slack.
    pub rest: (f64, f64),
    /// Range of l, and the stop at its ends.
    pub stop: Option<((f64, f64), Stop)>,
    /// Inertia that moves with the tendon, with respect to the rate of l.
    pub armature: f64,
    /// Dry friction: the largest force along l that resists motion.
    pub friction: f64,
    /// Rate of l at which dry friction reaches its limit; zero: a tenth of the plant's stiction tolerance.
    pub creep: f64,
}

impl Tendon {
    /// True if it has forces of springs, dampers or stops.
    pub fn pulls(&self) -> bool {
        let linear = self.stiffness != 0.0 || self.damping != 0.0;
        linear || self.terms != HigherTerms::default() || self.stop.is_some()
    }

    /// A tendon over these joints without any force.
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
    /// Parts of its path, in order.
    pub path: Vec<PathPart>,
    /// Stiffness \[N/m\].
    pub stiffness: f64,
    /// Damping \[N s/m\].
    pub damping: f64,
    /// Nonlinear terms of spring and damper.
    pub terms: HigherTerms,
    /// Range of lengths in which the spring is slack \[m\].
    pub rest: (f64, f64),
    /// Range of l, and the stop at its ends.
    pub stop: Option<((f64, f64), Stop)>,
    /// Inertia that moves with the tendon \[kg\]; only for a path without wrapping.
    pub armature: f64,
    /// Dry friction: the largest force that resists its motion \[N\].
    pub friction: f64,
    /// Rate of l at which dry friction reaches its limit; zero: a tenth of the plant's stiction tolerance.
    pub creep: f64,
}

/// A part of the path of a spatial tendon.
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
        /// Form of the shape.
        form: WrapForm,
        /// Its radius \[m\].
        radius: f64,
        /// A point of a link that states on which side the string passes; a point within the shape keeps the string
        /// inside.
        side: Option<(String, Vector3<f64>)>,
    },
    /// A branch: forces and lengths of the following parts are divided by the divisor.
    Pulley {
        /// The divisor.
        divisor: f64,
    },
}

/// Forms of shapes that a string wraps over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrapForm {
    /// A sphere about the origin of its frame.
    Sphere,
    /// A cylinder without ends about the z axis of its frame.
    Cylinder,
}

/// A compliant stop: the force `stiffness x (1 + dissipation x')` at the excess x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// Stiffness \[N/m, N m/rad\].
    pub stiffness: f64,
    /// Dissipation \[s/m, s/rad\].
    pub dissipation: f64,
}

/// A spring that pulls a ball or floating joint towards a rest pose: a torque of `stiffness` times the rotation vector,
/// and for a floating joint also a force of `stiffness` times the displacement.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnSpring {
    /// The joint.
    pub joint: String,
    /// Stiffness \[N m/rad; N/m\].
    pub stiffness: f64,
    /// Rest pose; of a ball joint only its rotation counts.
    pub rest: Isometry3<f64>,
}

/// Twist and bending of a piece of a cable between two links, with the energy `Σ K_i (ψ_i - ψ0_i)²/(2 L)`, where ψ is
/// the rotation vector from the axes of the first link to those of the second.
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

/// Compliance of the stops of a joint of one coordinate: a spring and a damper that push and never pull.
#[derive(Clone, Debug, PartialEq)]
pub struct SoftStop {
    /// The joint.
    pub joint: String,
    /// Stiffness \[N/m, N m/rad\].
    pub stiffness: f64,
    /// Damping \[N s/m, N m s/rad\].
    pub damping: f64,
}

/// Largest angle by which a ball joint may turn from rest, about any axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Cone {
    /// The joint.
    pub joint: String,
    /// The angle \[rad\].
    pub angle: f64,
    /// The stop at that angle.
    pub stop: Stop,
}

/// A fluid at rest, or in a steady wind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Medium {
    /// Density \[kg/m³\].
    pub density: f64,
    /// Viscosity \[Pa s\].
    pub viscosity: f64,
    /// Velocity in the world \[m/s\].
    pub wind: Vector3<f64>,
}

/// A shape on a link on which a fluid exerts drag.
#[derive(Clone, Debug, PartialEq)]
pub struct FluidBody {
    /// The link L.
    pub link: String,
    /// Pose of the shape in the link's frame.
    pub X_LF: Isometry3<f64>,
    /// The shape.
    pub shape: FluidShape,
    /// The fluid around it.
    pub medium: Medium,
}

/// Shapes on which a fluid acts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FluidShape {
    /// A box, each of whose faces is a plate in the flow.
    Box {
        /// Edge lengths \[m\].
        edges: Vector3<f64>,
    },
    /// An ellipsoid, with lift and added mass.
    Ellipsoid {
        /// Semi-axes \[m\].
        semi_axes: Vector3<f64>,
        /// Blunt, slender and angular drag, Kutta and Magnus lift.
        coefficients: [f64; 5],
    },
}

/// A coupling of links or joints: a constraint of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Coupling {
    /// Name, unique within the model.
    pub name: String,
    /// True if it is active at the start.
    pub active: bool,
    /// Its law.
    pub law: CouplingLaw,
}

/// Laws of couplings. Frames are poses in links.
#[derive(Clone, Debug, PartialEq)]
pub enum CouplingLaw {
    /// The origins of two frames coincide.
    Ball([(String, Isometry3<f64>); 2]),
    /// The origins of two frames are held together by a spring and a damper.
    SoftBall {
        /// The two frames.
        ends: [(String, Isometry3<f64>); 2],
        /// Compliance in every direction.
        compliance: ConstraintCompliance,
    },
    /// Two frames coincide.
    Weld([(String, Isometry3<f64>); 2]),
    /// The origins of two frames keep a distance.
    Distance {
        /// The two frames.
        ends: [(String, Isometry3<f64>); 2],
        /// The distance \[m\].
        length: f64,
        /// Compliance; `None`: rigid.
        compliance: Option<ConstraintCompliance>,
    },
    /// Two frames are held together by springs and dampers.
    Bushing {
        /// The two frames.
        ends: [(String, Isometry3<f64>); 2],
        /// Compliance along each axis of the first frame.
        linear: [ConstraintCompliance; 3],
        /// Compliance about each axis of the first frame.
        angular: [ConstraintCompliance; 3],
    },
    /// `x₁ - r₁ = Σ aᵢ (x₂ - r₂)ⁱ` of two sums x of positions of joints of one coordinate.
    Polynomial {
        /// The joints of each sum and their coefficients.
        sums: [Vec<(String, f64)>; 2],
        /// References r of the sums.
        references: [f64; 2],
        /// a₀ to a₄.
        coefficients: [f64; 5],
        /// Compliance; `None`: rigid.
        compliance: Option<ConstraintCompliance>,
    },
    /// `Σ coefficient q = offset` of joints of one coordinate.
    Joints {
        /// The joints and their coefficients.
        joints: Vec<(String, f64)>,
        /// The offset \[rad, m\].
        offset: f64,
        /// Compliance along the sum; `None`: rigid.
        compliance: Option<ConstraintCompliance>,
    },
}

/// A spring and a damper in parallel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstraintCompliance {
    /// Stiffness \[N/m, N m/rad\].
    pub stiffness: f64,
    /// Damping \[N s/m, N m s/rad\].
    pub damping: f64,
}

/// A named state: positions and velocities in the order of the model's joints.
#[derive(Clone, Debug, PartialEq)]
pub struct Keyframe {
    /// Name, unique within the model.
    pub name: String,
    /// Positions; quaternions as w, x, y, z, and that of a floating joint before its position.
    pub positions: Vec<f64>,
    /// Velocities, those of a floating joint in world axes.
    pub velocities: Vec<f64>,
    /// Controls of the actuators while nothing is connected, if the state gives them.
    pub controls: Option<Vec<f64>>,
    /// Activations of the actuators that have one, in their order, if the state gives them.
    pub activations: Option<Vec<f64>>,
}
