//! `<joint>`: a connection of two links.

use super::pose::read_origin;
use crate::faults::FaultKind;
use crate::notes::NoteKind;
use crate::quantities::strange_limits;
use crate::report::Report;
use crate::xml::{Attribute, Element, Known};
use kinegraph_multibody::{Joint, JointKind, Mimic};
use nalgebra::{UnitQuaternion, Vector3};

const PITCH: &str = "drake:screw_thread_pitch";
const VALUE: Known = Known { attributes: &["value"], once: &[], many: &[], ignored: &[], ignored_attributes: &[] };
const JOINT: Known = Known {
    attributes: &["name", "type"],
    once: &["origin", "parent", "child", "axis", "limit", "dynamics", "mimic", PITCH],
    many: &[],
    ignored: &["calibration", "safety_controller"],
    ignored_attributes: &[],
};
const LINK_NAME: Known = Known { attributes: &["link"], once: &[], many: &[], ignored: &[], ignored_attributes: &[] };
const AXIS: Known = Known { attributes: &["xyz"], once: &[], many: &[], ignored: &[], ignored_attributes: &[] };
const LIMIT: Known = Known {
    attributes: &["lower", "upper", "effort"],
    once: &[],
    many: &[],
    ignored: &[],
    ignored_attributes: &["velocity", "acceleration", "deceleration", "jerk"],
};
const DYNAMICS: Known =
    Known { attributes: &["damping", "friction"], once: &[], many: &[], ignored: &[], ignored_attributes: &[] };
const MIMIC: Known = Known {
    attributes: &["joint", "multiplier", "offset"],
    once: &[],
    many: &[],
    ignored: &[],
    ignored_attributes: &[],
};

/// The attributes in which a joint names its links and the joint that it follows; `None` if they are missing.
pub(crate) struct Edge<'a, 'i> {
    pub(crate) element: Element<'a, 'i>,
    pub(crate) parent: Option<Attribute<'a, 'i>>,
    pub(crate) child: Option<Attribute<'a, 'i>>,
    pub(crate) mimic: Option<Attribute<'a, 'i>>,
}

/// Name of a kind of joint in messages.
pub(crate) fn kind_name(kind: JointKind) -> &'static str {
    match kind {
        JointKind::Fixed => "fixed",
        JointKind::Revolute => "revolute",
        JointKind::Continuous => "continuous",
        JointKind::Prismatic => "prismatic",
        JointKind::Floating => "floating",
        JointKind::Ball => "ball",
        JointKind::Screw => "screw",
        JointKind::Universal => "universal",
        JointKind::Planar => "planar",
    }
}

/// True if the joint has exactly one coordinate.
pub(crate) fn has_one_coordinate(kind: JointKind) -> bool {
    matches!(kind, JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic | JointKind::Screw)
}

/// Reads a joint; faulty parts keep their defaults.
pub(crate) fn read_joint<'a, 'i>(element: Element<'a, 'i>, report: &mut Report<'_>) -> (Joint, Edge<'a, 'i>) {
    element.check(&JOINT, report);
    let name = element.required_name("joint", report);
    let kind = read_kind(element, &name, report);
    let parent = read_link_name(element, "parent", report);
    let child = read_link_name(element, "child", report);
    let link_name =
        |link: &Option<Attribute<'_, '_>>| link.as_ref().map(|link| link.value.to_owned()).unwrap_or_default();
    let mut joint = Joint {
        X_PF: read_origin(element, report),
        ..Joint::new(name, kind.unwrap_or(JointKind::Fixed), link_name(&parent), link_name(&child))
    };
    if has_one_coordinate(joint.kind) {
        joint.axis = read_axis(element, &joint.name, report).unwrap_or_else(Vector3::x);
        read_limit(element, &mut joint, report);
    }
    if joint.kind == JointKind::Planar {
        // The axis is the normal of the plane: z is rotated onto it by the smallest rotation.
        let normal = read_axis(element, &joint.name, report).unwrap_or_else(Vector3::x);
        let turn = UnitQuaternion::rotation_between(&Vector3::z(), &normal)
            .unwrap_or_else(|| UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI));
        joint.X_PF *= turn;
        joint.X_BM.rotation = turn;
    }
    if joint.kind == JointKind::Screw {
        joint.pitch = read_pitch(element, report).unwrap_or_default();
    }
    read_dynamics(element, &mut joint, report);
    let mimic = read_mimic(element, &mut joint, report);
    (joint, Edge { element, parent, child, mimic })
}

fn read_kind(element: Element<'_, '_>, joint: &str, report: &mut Report<'_>) -> Option<JointKind> {
    let written = element.required("type", report)?;
    let (joint, found) = (joint.to_owned(), written.value.to_owned());
    let kind = match written.value {
        "fixed" => return Some(JointKind::Fixed),
        "revolute" => return Some(JointKind::Revolute),
        "continuous" => return Some(JointKind::Continuous),
        "prismatic" => return Some(JointKind::Prismatic),
        "floating" => return Some(JointKind::Floating),
        "ball" | "spherical" => return Some(JointKind::Ball),
        "planar" => return Some(JointKind::Planar),
        "screw" => return Some(JointKind::Screw),
        "universal" => return Some(JointKind::Universal),
        "curvilinear" => FaultKind::UnsupportedJointType { joint, found },
        other => {
            let types =
                ["fixed", "revolute", "continuous", "prismatic", "floating", "ball", "planar", "screw", "universal"];
            FaultKind::UnknownJointType { joint, nearest: report.nearest(other, types), found }
        }
    };
    report.fault(written.span, kind);
    None
}

/// Metres of travel per revolution.
fn read_pitch(element: Element<'_, '_>, report: &mut Report<'_>) -> Option<f64> {
    let pitch = element.required_child(PITCH, report)?;
    pitch.check(&VALUE, report);
    pitch.required_number("value", report)
}

fn read_link_name<'a, 'i>(
    joint: Element<'a, 'i>,
    role: &'static str,
    report: &mut Report<'_>,
) -> Option<Attribute<'a, 'i>> {
    let element = joint.required_child(role, report)?;
    element.check(&LINK_NAME, report);
    element.required("link", report)
}

fn read_axis(element: Element<'_, '_>, joint: &str, report: &mut Report<'_>) -> Option<Vector3<f64>> {
    let axis = element.child("axis")?;
    axis.check(&AXIS, report);
    let xyz = axis.required("xyz", report)?;
    let direction = Vector3::from(xyz.numbers::<3>(report)?);
    // Scaled by the largest component first, so that the norm neither overflows nor vanishes.
    let largest = direction.amax();
    if largest == 0.0 {
        report.fault(xyz.span, FaultKind::ZeroAxis { joint: joint.to_owned() });
        return None;
    }
    Some((direction / largest).normalize())
}

fn read_limit(element: Element<'_, '_>, joint: &mut Joint, report: &mut Report<'_>) {
    let name = || joint.name.clone();
    let continuous = joint.kind == JointKind::Continuous;
    let Some(limit) = element.child("limit") else {
        if !continuous {
            report.note(element.span(), NoteKind::NoLimit { joint: name() });
        }
        return;
    };
    limit.check(&LIMIT, report);
    let effort = limit.attribute("effort");
    if effort.is_none() {
        report.note(limit.span(), NoteKind::NoBound { joint: name(), bound: "effort" });
    }
    let effort = effort.and_then(|effort| effort.limit(report).and_then(|value| effort.not_negative(value, report)));
    if effort == Some(0.0) {
        report.note(limit.span(), NoteKind::ZeroEffort { joint: name() });
    }
    let mut bound = |bound: &'static str, without: f64| {
        let written = limit.attribute(bound);
        if written.is_none() && !continuous {
            report.note(limit.span(), NoteKind::NoBound { joint: name(), bound });
        }
        written.and_then(|written| written.limit(report)).unwrap_or(without)
    };
    let (lower, upper) = (bound("lower", f64::NEG_INFINITY), bound("upper", f64::INFINITY));
    if continuous {
        if limit.attribute("lower").or(limit.attribute("upper")).is_some() {
            report.note(limit.span(), NoteKind::LimitOnContinuous { joint: name() });
        }
    } else if lower > upper {
        // Other readers do so, too; some files mean by it that there is no limit.
        report.note(limit.span(), NoteKind::ReversedLimits { joint: name(), lower, upper });
    } else {
        if lower > 0.0 || upper < 0.0 {
            report.note(limit.span(), NoteKind::ZeroOutsideLimits { joint: name(), lower, upper });
        }
        joint.limits = (lower, upper);
        report.note_strange(limit.span(), element.describe(), "limit", strange_limits(joint));
    }
    joint.effort = effort.unwrap_or(f64::INFINITY);
}

fn read_dynamics(element: Element<'_, '_>, joint: &mut Joint, report: &mut Report<'_>) {
    let Some(dynamics) = element.child("dynamics") else { return };
    dynamics.check(&DYNAMICS, report);
    joint.damping = dynamics.magnitude_or("damping", 0.0, report);
    joint.friction = dynamics.magnitude_or("friction", 0.0, report);
}

fn read_mimic<'a, 'i>(
    element: Element<'a, 'i>,
    joint: &mut Joint,
    report: &mut Report<'_>,
) -> Option<Attribute<'a, 'i>> {
    let mimic = element.child("mimic")?;
    mimic.check(&MIMIC, report);
    if !has_one_coordinate(joint.kind) {
        let kind = NoteKind::MimicIgnored { joint: joint.name.clone(), kind: kind_name(joint.kind) };
        report.note(mimic.span(), kind);
        return None;
    }
    let target = mimic.required("joint", report);
    let multiplier = mimic.number_or("multiplier", 1.0, report);
    let offset = mimic.number_or("offset", 0.0, report);
    joint.mimic = target.as_ref().map(|target| Mimic { joint: target.value.to_owned(), multiplier, offset });
    target
}
