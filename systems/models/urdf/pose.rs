//! `<origin>`: a pose from xyz and rpy.
//!
//! rpy are angles about the fixed axes x, y, z, applied in this order: R = Rz(yaw) Ry(pitch) Rx(roll). URDF 1.1 adds
//! `quat_xyzw` as another way to write the orientation (scalar last, normalised here).

use crate::faults::FaultKind;
use crate::quantities::strange_orientation;
use crate::report::Report;
use crate::xml::{Element, Known};
use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};

const ORIGIN: Known =
    Known { attributes: &["xyz", "rpy", "quat_xyzw"], once: &[], many: &[], ignored: &[], ignored_attributes: &[] };

/// The pose in an element's `<origin>`; identity if there is none, or after a fault.
pub(super) fn read_origin(parent: Element<'_, '_>, report: &mut Report<'_>) -> Isometry3<f64> {
    let Some(origin) = parent.child("origin") else { return Isometry3::identity() };
    origin.check(&ORIGIN, report);
    let xyz = origin.attribute("xyz").and_then(|xyz| xyz.numbers(report)).unwrap_or([0.0; 3]);
    Isometry3::from_parts(Translation3::from(xyz), read_orientation(origin, report))
}

fn read_orientation(origin: Element<'_, '_>, report: &mut Report<'_>) -> UnitQuaternion<f64> {
    let rpy = origin.attribute("rpy");
    let Some(quat) = origin.attribute("quat_xyzw") else {
        let angles = rpy.as_ref().and_then(|rpy| rpy.numbers(report)).unwrap_or([0.0; 3]);
        if let Some(rpy) = rpy {
            report.note_strange(rpy.span, origin.describe(), "rpy", strange_orientation(angles));
        }
        let [roll, pitch, yaw] = angles;
        return UnitQuaternion::from_euler_angles(roll, pitch, yaw);
    };
    if rpy.is_some() {
        report.fault(quat.span.clone(), FaultKind::TwoOrientations { element: origin.describe() });
    }
    let Some(xyzw) = quat.numbers::<4>(report) else { return UnitQuaternion::identity() };
    // Scaled by the largest component first, so that the norm neither overflows nor vanishes.
    let largest = xyzw.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    if largest == 0.0 {
        report.fault(quat.span, FaultKind::ZeroQuaternion { element: origin.describe() });
        return UnitQuaternion::identity();
    }
    let [x, y, z, w] = xyzw.map(|value| value / largest);
    UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z))
}
