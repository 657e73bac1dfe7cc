//! Joints: a body with several becomes a chain of links without mass.
//!
//! With F on the parent and M on the child, `X_PC = X_PF X_FM(q) X_MC`. The pose of the body and the anchor a are
//! before the motion, the anchor and the reference position after it: of the first joint `X_PF = X_PB T(a)`, of each
//! `X_CM = T(a) X_FM(ref)`, so that the child stands at X_PF T(-a) at q = ref.

use super::bodies::{Bodies, Body, Part};
use super::classes::Classes;
use super::fields::Fields;
use super::log::Log;
use super::names::Names;
use super::orientation::position;
use super::recognition;
use super::schema::words::JOINTS;
use super::settings::Settings;
use super::surfaces::{self, Law};
use crate::faults::MjcfFault;
use kinegraph_multibody::scene_data::{HigherTerms, Tendon, TurnSpring};
use kinegraph_multibody::{Joint, JointKind, Link};
use nalgebra::{Isometry3, Translation3, Unit, UnitQuaternion, Vector3};

/// Joints as the file states them, in the order of the coordinates.
pub(super) struct Joints<'a> {
    pub names: Names,
    /// Index among the joints of the model, and what kind of joint it is.
    pub all: Vec<Written<'a>>,
}

/// A joint as written.
pub(super) struct Written<'a> {
    pub part: Part<'a>,
    /// Name in the model.
    pub name: String,
    pub kind: JointKind,
    /// Index among the joints of the model.
    pub index: usize,
    /// `springdamper`: time constant and damping ratio.
    pub spring_damper: Option<[f64; 2]>,
    /// `springref`: where springs are at rest.
    pub spring_rest: f64,
    /// The largest angle of a ball joint, and what happens beyond it.
    pub cone: Option<(f64, Law)>,
    /// The range of the sum of the forces of its actuators, where it differs between the directions.
    pub efforts: Option<(f64, f64)>,
    /// Its range.
    pub limits: Option<(f64, f64)>,
    /// Stiffness and damping of its stops, per unit of inertia.
    pub stop: Option<[f64; 2]>,
    /// The stiffness of a ball or free joint.
    pub turn: f64,
    /// Higher terms of spring and damper, of a joint of one coordinate.
    pub terms: HigherTerms,
}

impl Written<'_> {
    /// Spring and damper of the joint beyond their linear terms, as a tendon along it; `None` if they are linear.
    pub fn higher_terms(&self) -> Option<Tendon> {
        let (rest, terms) = ((self.spring_rest, self.spring_rest), self.terms);
        let along = Tendon::new(format!("{}~terms", self.name), vec![(self.name.clone(), 1.0)]);
        (terms != HigherTerms::default()).then_some(Tendon { terms, rest, ..along })
    }

    /// The spring of a ball or free joint.
    pub fn turn_spring(&self, of_model: &Joint) -> TurnSpring {
        let rest = if self.kind == JointKind::Floating { of_model.X_PF } else { Isometry3::identity() };
        TurnSpring { joint: self.name.clone(), stiffness: self.turn, rest }
    }
}

/// Properties of a joint that the joint of the model does not hold.
#[derive(Default)]
struct Beside {
    spring_damper: Option<[f64; 2]>,
    spring_rest: f64,
    cone: Option<(f64, Law)>,
    efforts: Option<(f64, f64)>,
    limits: Option<(f64, f64)>,
    stop: Option<[f64; 2]>,
    turn: f64,
    terms: HigherTerms,
}

/// The joints of all bodies, and the links between the joints of one body.
pub(super) fn read<'a>(
    bodies: &Bodies<'a>,
    classes: &Classes,
    settings: &Settings,
    log: &mut Log<'_>,
) -> (Joints<'a>, Vec<Joint>, Vec<Link>) {
    let parts: Vec<(usize, Part<'a>)> =
        bodies.bodies.iter().enumerate().flat_map(|(b, body)| body.joints.iter().map(move |j| (b, *j))).collect();
    let otherwise = |b: usize, part: &Part<'_>| {
        let body: &Body<'_> = &bodies.bodies[b];
        match part.element.name.as_str() {
            "freejoint" => body.name.clone(),
            _ => format!("{}_joint", body.name),
        }
    };
    let named: Vec<_> = parts.iter().map(|(b, part)| (part.element, otherwise(*b, part))).collect();
    let (mut names, found) = Names::of("joint", &named, log);
    let (mut joints, mut between, mut all) = (Vec::new(), Vec::new(), Vec::new());
    let mut given = parts.iter().zip(found).peekable();
    for body in bodies.bodies.iter().skip(1) {
        let mut parent = bodies.bodies[body.parent].name.clone();
        let mut X_PB = body.X_PB;
        let count = body.joints.len();
        for i in 0..count {
            let Some(((_, part), name)) = given.next() else { break };
            let last = i + 1 == count;
            let child = if last { body.name.clone() } else { format!("{}~{name}", body.name) };
            if !last {
                between.push(Link { name: child.clone(), between_joints: true, ..Link::default() });
            }
            let f = classes.fields(part.element, "joint", part.class, log);
            // A <freejoint/> takes no defaults.
            let f = if part.element.name == "freejoint" { Fields::alone(part.element) } else { f };
            recognition::check_attributes(part.element, log);
            let (joint, beside) =
                read_joint(&f, part, Joint::new(name, JointKind::Fixed, &parent, &child), X_PB, settings, log);
            if joint.kind == JointKind::Floating && (count > 1 || body.parent != 0) {
                log.fault(&part.element.at, MjcfFault::FreeJoint { element: part.element.describe() });
            }
            let (index, name, kind) = (joints.len(), joint.name.clone(), joint.kind);
            let Beside { spring_damper, spring_rest, cone, efforts, limits, stop, turn, terms } = beside;
            all.push(Written {
                part: *part,
                name,
                kind,
                index,
                spring_damper,
                spring_rest,
                cone,
                efforts,
                limits,
                stop,
                turn,
                terms,
            });
            joints.push(joint);
            (parent, X_PB) = (child, Isometry3::identity());
        }
        if count == 0 {
            let name = names.free(&format!("{}_weld", body.name));
            let X_PF = body.X_PB;
            joints.push(Joint { X_PF, ..Joint::new(name, JointKind::Fixed, parent, body.name.clone()) });
        }
    }
    (Joints { names, all }, joints, between)
}

fn read_joint(
    f: &Fields<'_>,
    part: &Part<'_>,
    joint: Joint,
    X_PB: Isometry3<f64>,
    settings: &Settings,
    log: &mut Log<'_>,
) -> (Joint, Beside) {
    if f.element.name == "freejoint" {
        return (Joint { kind: JointKind::Floating, X_PF: X_PB, ..joint }, Beside::default());
    }
    let kind = f.word("type", &JOINTS, JointKind::Revolute, log);
    let mut joint = Joint { kind, X_PF: X_PB, ..joint };
    let written = settings.of(f.element);
    let scale = |x: f64| if kind == JointKind::Revolute { written.angle(x) } else { x };
    let (stiffness, damping, terms) = settings.spring_and_damper(f, log);
    joint.damping = damping;
    joint.armature = f.magnitude_or("armature", 0.0, log);
    let friction = if settings.friction_loss { f.magnitude_or("frictionloss", 0.0, log) } else { 0.0 };
    if matches!(kind, JointKind::Floating | JointKind::Ball) && terms != HigherTerms::default() {
        log.differs(f.element, "has terms of a spring or damper beyond the first, which hinges and slides have alone");
    }
    let limits = f.range("range", "limited", written.autolimits, log).filter(|_| settings.limits);
    let spring_damper = f.exactly::<2>("springdamper", log).filter(|values| values.iter().all(|x| *x > 0.0));
    if kind == JointKind::Floating {
        if friction != 0.0 {
            log.differs(f.element, "is free: its friction is not simulated");
        }
        return (joint, Beside { turn: stiffness, spring_damper, ..Beside::default() });
    }
    let anchor = Translation3::from((part.X_BF * nalgebra::Point3::from(position(f, log))).coords);
    joint.X_PF *= anchor;
    joint.X_BM = Isometry3::from_parts(anchor, UnitQuaternion::identity());
    let creep = surfaces::creep_of(f, log).unwrap_or(0.0);
    if kind == JointKind::Ball {
        (joint.friction, joint.creep) = (friction, creep);
        let law = surfaces::law_of(f, ["solreflimit", "solimplimit"], settings.gravity.norm(), log);
        let cone = limits.map(|(_, most)| written.angle(most)).zip(law);
        return (joint, Beside { cone, turn: stiffness, spring_damper, ..Beside::default() });
    }
    let axis = f.exactly::<3>("axis", log).map_or_else(Vector3::z, Vector3::from);
    match Unit::try_new(part.X_BF.rotation * axis, 1e-14) {
        Some(axis) => joint.axis = axis.into_inner(),
        None => {
            let (element, attribute) = (f.element.describe(), "axis");
            log.fault(&f.element.at, MjcfFault::NoDirection { element, attribute });
        }
    }
    (joint.friction, joint.creep) = (friction, creep);
    joint.start = scale(f.number_or("ref", 0.0, log));
    if stiffness > 0.0 {
        joint.spring = Some((stiffness, scale(f.number_or("springref", 0.0, log))));
    } else if let Some(rest) = f.number("springref", log) {
        // A spring whose stiffness comes from `springdamper`.
        joint.spring = Some((0.0, scale(rest)));
    }
    joint.X_BM *= match kind {
        JointKind::Prismatic => Isometry3::from_parts((joint.axis * joint.start).into(), UnitQuaternion::identity()),
        _ => Isometry3::rotation(joint.axis * joint.start),
    };
    let range = f.range("range", "limited", written.autolimits, log).map(|(a, b)| (scale(a), scale(b)));
    if let Some((lower, upper)) = limits {
        // The constraint begins to act a margin before the stop, and is at rest there.
        let margin = f.number_or("margin", 0.0, log);
        joint.limits = (scale(lower) + margin, scale(upper) - margin);
    }
    let mut efforts = None;
    if let Some((least, most)) = f.range("actuatorfrcrange", "actuatorfrclimited", written.autolimits, log) {
        joint.effort = least.abs().max(most.abs());
        efforts = Some((least, most)).filter(|_| -least != most);
    }
    let stop = limits.and_then(|_| surfaces::stop_of(f, ["solreflimit", "solimplimit"], log));
    let spring_rest = scale(f.number_or("springref", 0.0, log));
    (joint, Beside { spring_damper, spring_rest, efforts, limits: range, stop, terms, ..Beside::default() })
}
