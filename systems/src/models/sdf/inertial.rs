//! `<inertial>`: mass properties, which the format has a default for: 1 kg, and 1 kg m² about each axis.

use super::pose;
use super::text::TEXT;
use crate::models::common::inertia;
use crate::models::faults::SdfFault;
use crate::models::notes::SdfNote;
use crate::models::report::Report;
use crate::models::xml::{Element, Known};
use crate::multibody::Inertia;
use nalgebra::{Matrix3, Vector3};

const INERTIAL: Known = Known {
    attributes: &[],
    once: &["pose", "mass", "inertia"],
    many: &[],
    ignored: &["density", "auto_inertia_params", "fluid_added_mass"],
    ignored_attributes: &["auto"],
};
const INERTIA: Known = Known {
    attributes: &[],
    once: &["ixx", "ixy", "ixz", "iyy", "iyz", "izz"],
    many: &[],
    ignored: &[],
    ignored_attributes: &[],
};

/// Mass properties in the link's axes; `None` for a massless link or after a fault.
pub(super) fn read(link: Element<'_, '_>, name: &str, report: &mut Report<'_>) -> Option<Inertia> {
    let default = |missing, value, report: &mut Report<'_>| {
        report.note(link.span(), SdfNote::DefaultInertial { link: name.to_owned(), missing, value }.into());
    };
    let Some(inertial) = link.child("inertial") else {
        default("<inertial>", "1 kg and 1 kg m² about each axis", report);
        return Some(Inertia { mass: 1.0, p_BoBcm: Vector3::zeros(), I_BBcm: Matrix3::identity() });
    };
    inertial.check(&INERTIAL, report);
    let pose = pose::read(inertial, report);
    if let Some(relative_to) = pose.relative_to {
        let what = "has a `relative_to`, which the pose of an inertia cannot have";
        report.fault(relative_to.span, SdfFault::Other { element: relative_to.element, what }.into());
    }
    let mass_element = inertial.child("mass");
    let mass = match mass_element {
        Some(element) => {
            element.check(&TEXT, report);
            element.content().number(report)?
        }
        None => {
            default("<mass>", "1 kg", report);
            1.0
        }
    };
    let tensor_element = inertial.child("inertia");
    let tensor = match tensor_element {
        Some(element) => {
            element.check(&INERTIA, report);
            let mut entry = |name: &str, otherwise: f64| match element.child(name) {
                Some(entry) => entry.content().number(report),
                None => Some(otherwise),
            };
            let moments = ["ixx", "iyy", "izz"].map(|name| entry(name, 1.0));
            let products = ["ixy", "ixz", "iyz"].map(|name| entry(name, 0.0));
            let ([Some(xx), Some(yy), Some(zz)], [Some(xy), Some(xz), Some(yz)]) = (moments, products) else {
                return None;
            };
            Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
        }
        None if mass == 0.0 => Matrix3::zeros(),
        None => {
            default("<inertia>", "1 kg m² about each axis", report);
            Matrix3::identity()
        }
    };
    if mass == 0.0 && tensor == Matrix3::zeros() {
        return None;
    }
    let at = [mass_element.unwrap_or(inertial), tensor_element.unwrap_or(inertial)];
    let tensor = inertia::accepted(mass, tensor, at, name, report)?;
    Some(Inertia { mass, p_BoBcm: pose.X.translation.vector, I_BBcm: inertia::in_body_axes(&tensor, &pose.X) })
}
