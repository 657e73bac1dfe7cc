//! `<pose>`: six numbers, or seven with a quaternion, in the frame that it names.

use super::frames::Written;
use crate::faults::SdfFault;
use crate::notes::SdfNote;
use crate::quantities::strange_orientation;
use crate::report::Report;
use crate::xml::{Element, Known};
use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};

const POSE: Known = Known {
    attributes: &["relative_to", "degrees", "rotation_format", "frame"],
    once: &[],
    many: &[],
    ignored: &[],
    ignored_attributes: &[],
};

/// A pose and the frame it is relative to, as written.
pub(super) struct Pose {
    pub X: Isometry3<f64>,
    /// The name, with its place; `None`: the default of the element.
    pub relative_to: Option<Written>,
}

/// The frame that the pose of an element is relative to, if it is stated.
pub(super) fn read_frame(parent: Element<'_, '_>, report: &Report<'_>) -> Option<Written> {
    let pose = parent.child("pose")?;
    let name = pose.attribute("relative_to").filter(|name| !name.value.is_empty())?;
    Some(Written::of(&name, pose, report))
}

/// The pose of an element; identity if there is none, and after a fault.
pub(super) fn read(parent: Element<'_, '_>, report: &mut Report<'_>) -> Pose {
    let identity = Pose { X: Isometry3::identity(), relative_to: None };
    let Some(pose) = parent.child("pose") else { return identity };
    pose.check(&POSE, report);
    if let Some(frame) = pose.attribute("frame").filter(|frame| !frame.value.is_empty()) {
        let how = "names a frame by `frame`, which is ignored, as by the library of the format; write `relative_to`";
        report.note(frame.span.clone(), SdfNote::Differs { element: pose.describe(), how }.into());
    }
    let relative_to = read_frame(parent, report);
    let text = pose.content();
    let is_quaternion = pose.attribute("rotation_format").is_some_and(|format| format.value == "quat_xyzw");
    let expected = if is_quaternion { 7 } else { 6 };
    let found = text.value.split_whitespace().count();
    if found == 0 {
        return Pose { relative_to, ..identity };
    }
    if found != expected {
        let kind = SdfFault::Pose { element: pose.describe(), expected, found };
        report.fault(text.span, kind.into());
        return Pose { relative_to, ..identity };
    }
    let rotation = if is_quaternion {
        let Some([_, _, _, x, y, z, w]) = text.numbers(report) else { return identity };
        let q = Quaternion::new(w, x, y, z);
        if q.norm() < f64::MIN_POSITIVE {
            let what = "has a quaternion without direction";
            report.fault(text.span.clone(), SdfFault::Other { element: pose.describe(), what }.into());
            return identity;
        }
        UnitQuaternion::from_quaternion(q)
    } else {
        let Some([_, _, _, roll, pitch, yaw]) = text.numbers(report) else { return identity };
        let degrees = pose.attribute("degrees").is_some_and(|degrees| matches!(degrees.value, "true" | "1"));
        let doubt = strange_orientation([roll, pitch, yaw]).filter(|_| !degrees);
        report.note_strange(text.span.clone(), pose.describe(), "rpy", doubt);
        let scale = if degrees { std::f64::consts::PI / 180.0 } else { 1.0 };
        UnitQuaternion::from_euler_angles(scale * roll, scale * pitch, scale * yaw)
    };
    let mut position = text.value.split_whitespace().filter_map(|word| word.parse::<f64>().ok());
    let p: [f64; 3] = std::array::from_fn(|_| position.next().unwrap_or_default());
    Pose { X: Isometry3::from_parts(Translation3::from(p), rotation), relative_to }
}
