//! `<joint>`: a connection of two links. It is placed once all poses are known.

use super::draft::Draft;
use super::frames::{Kind, Stated, WORLD, Written, here};
use super::placing::PlacedLater;
use super::pose;
use super::text::flag;
use crate::faults::FaultKind;
use crate::notes::NoteKind;
use crate::quantities::strange_limits;
use crate::report::Report;
use crate::xml::{Element, Known};
use kinegraph_multibody::{Joint, JointKind, Mimic};
use nalgebra::Vector3;

const ROTOR_INERTIA: &str = "drake:rotor_inertia";
const GEAR_RATIO: &str = "drake:gear_ratio";

const JOINT: Known = Known {
    attributes: &["name", "type"],
    once: &[
        "pose",
        "parent",
        "child",
        "axis",
        "axis2",
        "screw_thread_pitch",
        "thread_pitch",
        ROTOR_INERTIA,
        GEAR_RATIO,
    ],
    many: &["sensor"],
    ignored: &["physics", "gearbox_ratio", "gearbox_reference_body"],
    ignored_attributes: &[],
};
const AXIS: Known = Known {
    attributes: &[],
    once: &["xyz", "limit", "dynamics", "mimic", "use_parent_model_frame"],
    many: &[],
    ignored: &["initial_position"],
    ignored_attributes: &[],
};
const XYZ: Known = Known { attributes: &["expressed_in"], once: &[], many: &[], ignored: &[], ignored_attributes: &[] };
const LIMIT: Known = Known {
    attributes: &[],
    once: &["lower", "upper", "effort"],
    many: &[],
    ignored: &["velocity", "stiffness", "dissipation", "drake:acceleration"],
    ignored_attributes: &[],
};
const DYNAMICS: Known = Known {
    attributes: &[],
    once: &["damping", "friction", "spring_stiffness", "spring_reference"],
    many: &[],
    ignored: &[],
    ignored_attributes: &[],
};
const MIMIC: Known = Known {
    attributes: &["joint", "axis"],
    once: &["multiplier", "offset", "reference"],
    many: &[],
    ignored: &[],
    ignored_attributes: &[],
};

/// A limit of this size or more is none.
const ENDLESS: f64 = 1e16;

/// Reads a joint; faulty parts keep their defaults.
pub(super) fn read(draft: &mut Draft, element: Element<'_, '_>, scope: &str, report: &mut Report<'_>) {
    element.check(&JOINT, report);
    let name = format!("{scope}{}", element.required_name("joint", report));
    let kind = read_kind(element, &name, report).unwrap_or(JointKind::Fixed);
    let mut end = |role: &'static str| {
        let link = element.required_child(role, report)?;
        // Earlier versions have it as an attribute.
        let name = link.attribute("link").unwrap_or_else(|| link.content());
        Some(draft.within(Written::of(&name, element, report), scope))
    };
    let (parent, child) = (end("parent"), end("child"));
    let pose = pose::read(element, report);
    let relative_to = pose.relative_to.map(|written| draft.within(written, scope)).or_else(|| child.clone());
    let relative_to = relative_to.unwrap_or_else(|| here("", element, report));
    let fixed_to = Kind::FixedTo(child.as_ref().map(|child| child.name.clone()).unwrap_or_default());
    let stated = Stated { kind: fixed_to, X: pose.X, relative_to, placed_by: None };
    draft.frames.add(name.clone(), stated, element, report);
    draft.read_sensors(element, &name, scope, report);
    let (Some(parent), Some(child)) = (parent, child) else { return };
    if parent.name == WORLD {
        draft.needs_world(element, report);
    }
    let kind = if draft.stands_still && kind != JointKind::Fixed {
        draft.differs(element, "does not move, because its model is static", report);
        JointKind::Fixed
    } else {
        kind
    };
    let mut joint = Joint::new(name.clone(), kind, parent.name.clone(), child.name.clone());
    let mut axes = Vec::new();
    let wanted: &[&'static str] = match kind {
        JointKind::Fixed | JointKind::Ball => &[],
        JointKind::Universal => &["axis", "axis2"],
        _ => &["axis"],
    };
    for axis in wanted {
        axes.extend(read_axis(draft, element, axis, scope, report));
    }
    if axes.len() < wanted.len() {
        return;
    }
    if wanted.len() == 1 {
        let motor = read_law(element, scope, &mut joint, report);
        if motor {
            draft.model.transmissions.push(name.clone());
        }
    } else if let Some(axis) = element.child("axis") {
        let damping = axis.child("dynamics").and_then(|dynamics| dynamics.child("damping"));
        joint.damping = damping.and_then(|damping| damping.content().number(report)).unwrap_or(0.0).max(0.0);
    }
    if kind == JointKind::Screw {
        joint.pitch = read_pitch(element, report).unwrap_or_default();
    }
    let mut number = |name: &str, otherwise: f64| {
        let child = element.child(name);
        child.and_then(|child| child.value(report)).and_then(|value| value.number(report)).unwrap_or(otherwise)
    };
    joint.armature = number(ROTOR_INERTIA, 0.0).max(0.0) * number(GEAR_RATIO, 1.0).powi(2);
    let at = here(&name, element, report);
    draft.joints.push(PlacedLater { joint, frame: name, parent, child, axes, at });
}

fn read_kind(element: Element<'_, '_>, joint: &str, report: &mut Report<'_>) -> Option<JointKind> {
    let written = element.required("type", report)?;
    let (joint, found) = (joint.to_owned(), written.value.to_owned());
    let kind = match written.value {
        "fixed" => return Some(JointKind::Fixed),
        "revolute" => return Some(JointKind::Revolute),
        "continuous" => return Some(JointKind::Continuous),
        "prismatic" => return Some(JointKind::Prismatic),
        "ball" => return Some(JointKind::Ball),
        "universal" => return Some(JointKind::Universal),
        "screw" => return Some(JointKind::Screw),
        "revolute2" | "gearbox" => FaultKind::UnsupportedJointType { joint, found },
        other => {
            let types = ["fixed", "revolute", "continuous", "prismatic", "ball", "universal", "screw"];
            FaultKind::UnknownJointType { joint, nearest: report.nearest(other, types), found }
        }
    };
    report.fault(written.span, kind);
    None
}

/// The direction and the frame in which it is written; `None` after a fault.
fn read_axis(
    draft: &Draft,
    joint: Element<'_, '_>,
    name: &'static str,
    scope: &str,
    report: &mut Report<'_>,
) -> Option<(Vector3<f64>, Written)> {
    let axis = joint.required_child(name, report)?;
    axis.check(&AXIS, report);
    let own = || format!("{scope}{}", joint.attribute("name").map(|name| name.value).unwrap_or_default());
    let in_model = flag(axis, "use_parent_model_frame", report);
    if let Some(flag) = axis.child("use_parent_model_frame").filter(|_| draft.version.has_expressed_in()) {
        draft.differs(flag, "is no part of the format since 1.7 and is read as before; write `expressed_in`", report);
    }
    let in_model = in_model.unwrap_or_else(|| draft.version.has_axes_in_model());
    let otherwise = if in_model { draft.model_frame.clone() } else { own() };
    let otherwise = here(&otherwise, joint, report);
    let Some(xyz) = axis.child("xyz") else { return Some((Vector3::z(), otherwise)) };
    xyz.check(&XYZ, report);
    let direction = Vector3::from(xyz.content().numbers::<3>(report)?);
    let largest = direction.amax();
    if largest == 0.0 {
        report.fault(xyz.span(), FaultKind::ZeroAxis { joint: own() });
        return None;
    }
    let expressed_in = xyz.attribute("expressed_in").filter(|name| !name.value.is_empty());
    let expressed_in = expressed_in.map(|name| draft.within(Written::of(&name, xyz, report), scope));
    Some(((direction / largest).normalize(), expressed_in.unwrap_or(otherwise)))
}

/// Reads limits, dynamics and mimicry of a single-axis joint; returns true if it has a motor.
fn read_law(element: Element<'_, '_>, scope: &str, joint: &mut Joint, report: &mut Report<'_>) -> bool {
    let Some(axis) = element.child("axis") else { return false };
    if let Some(limit) = axis.child("limit") {
        limit.check(&LIMIT, report);
        let mut bound = |name: &str, without: f64| {
            let value = limit.child(name).and_then(|bound| bound.content().limit(report)).unwrap_or(without);
            if value.abs() >= ENDLESS { without } else { value }
        };
        let (lower, upper) = (bound("lower", f64::NEG_INFINITY), bound("upper", f64::INFINITY));
        let effort = bound("effort", f64::INFINITY);
        if lower > upper {
            let kind = FaultKind::ReversedLimits { joint: joint.name.clone(), lower, upper };
            report.fault(limit.span(), kind);
        } else if joint.kind == JointKind::Continuous {
            if lower.is_finite() || upper.is_finite() {
                report.note(limit.span(), NoteKind::LimitOnContinuous { joint: joint.name.clone() });
            }
        } else {
            if lower > 0.0 || upper < 0.0 {
                let kind = NoteKind::ZeroOutsideLimits { joint: joint.name.clone(), lower, upper };
                report.note(limit.span(), kind);
            }
            joint.limits = (lower, upper);
            report.note_strange(limit.span(), element.describe(), "limit", strange_limits(joint));
        }
        joint.effort = if effort < 0.0 { f64::INFINITY } else { effort };
    }
    if joint.effort == 0.0 {
        report.note(axis.span(), NoteKind::ZeroEffort { joint: joint.name.clone() });
    }
    if let Some(dynamics) = axis.child("dynamics") {
        dynamics.check(&DYNAMICS, report);
        let mut number = |name: &str, signed: bool| {
            let value = dynamics.child(name)?.content();
            let number = value.number(report)?;
            if signed { Some(number) } else { value.not_negative(number, report) }
        };
        joint.damping = number("damping", false).unwrap_or(0.0);
        joint.friction = number("friction", false).unwrap_or(0.0);
        let (stiffness, rest) = (number("spring_stiffness", false), number("spring_reference", true));
        joint.spring = stiffness.filter(|k| *k > 0.0).map(|k| (k, rest.unwrap_or(0.0)));
    }
    if let Some(mimic) = axis.child("mimic") {
        mimic.check(&MIMIC, report);
        let leader = mimic.required("joint", report);
        let mut number = |name: &str, otherwise: f64| {
            mimic.child(name).and_then(|child| child.content().number(report)).unwrap_or(otherwise)
        };
        let multiplier = number("multiplier", 1.0);
        // q = multiplier (q' - reference) + offset
        let offset = number("offset", 0.0) - multiplier * number("reference", 0.0);
        joint.mimic = leader.map(|leader| Mimic { joint: format!("{scope}{}", leader.value), multiplier, offset });
    }
    joint.effort != 0.0 && joint.mimic.is_none()
}

/// Metres of travel per revolution. An earlier version has radians per metre, of the other sign.
fn read_pitch(element: Element<'_, '_>, report: &mut Report<'_>) -> Option<f64> {
    if let Some(pitch) = element.child("screw_thread_pitch") {
        pitch.check(&Known::TEXT, report);
        return pitch.content().number(report);
    }
    let old = element.required_child("thread_pitch", report)?.content();
    let turns = old.number(report)?;
    if turns == 0.0 { old.positive(turns, report) } else { Some(-std::f64::consts::TAU / turns) }
}
