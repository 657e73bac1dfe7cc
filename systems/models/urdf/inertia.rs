//! `<inertial>`: mass, centre of mass and rotational inertia.
//!
//! The file gives the inertia about the centre of mass C in the axes of the inertial frame I. In body axes it is
//! `I_BBcm = R_BI I R_BIᵀ`.

use super::pose::read_origin;
use crate::common::inertia::{accepted, in_body_axes};
use crate::notes::NoteKind;
use crate::report::Report;
use crate::xml::{Element, Known};
use kinegraph_multibody::Inertia;
use nalgebra::Matrix3;

const INERTIAL: Known =
    Known { attributes: &[], once: &["origin", "mass", "inertia"], many: &[], ignored: &[], ignored_attributes: &[] };
const MASS: Known = Known { attributes: &["value"], once: &[], many: &[], ignored: &[], ignored_attributes: &[] };
const INERTIA: Known = Known {
    attributes: &["ixx", "ixy", "ixz", "iyy", "iyz", "izz"],
    once: &[],
    many: &[],
    ignored: &[],
    ignored_attributes: &[],
};

/// Mass properties in the link's axes; `None` for a massless link or after a fault.
pub(crate) fn read_inertial(inertial: Element<'_, '_>, link: &str, report: &mut Report<'_>) -> Option<Inertia> {
    inertial.check(&INERTIAL, report);
    let X_BI = read_origin(inertial, report);
    let mass = read_mass(inertial, report);
    let I_ICcm = read_tensor(inertial, report);
    let ((mass, mass_element), I_ICcm) = (mass?, I_ICcm?);
    let no_inertia = I_ICcm == Matrix3::zeros();
    if mass == 0.0 && no_inertia {
        report.note(inertial.span(), NoteKind::Massless { link: link.to_owned() });
        return None;
    }
    if no_inertia && mass > 0.0 {
        report.note(inertial.span(), NoteKind::PointMass { link: link.to_owned() });
    }
    let written = inertial.child("inertia").unwrap_or(inertial);
    let I_ICcm = accepted(mass, I_ICcm, [mass_element, written], link, report)?;
    Some(Inertia { mass, p_BoBcm: X_BI.translation.vector, I_BBcm: in_body_axes(&I_ICcm, &X_BI) })
}

fn read_mass<'a, 'i>(inertial: Element<'a, 'i>, report: &mut Report<'_>) -> Option<(f64, Element<'a, 'i>)> {
    let element = inertial.required_child("mass", report)?;
    element.check(&MASS, report);
    Some((element.required_number("value", report)?, element))
}

/// The tensor as written; zero if the file has none.
fn read_tensor(inertial: Element<'_, '_>, report: &mut Report<'_>) -> Option<Matrix3<f64>> {
    let Some(element) = inertial.child("inertia") else { return Some(Matrix3::zeros()) };
    element.check(&INERTIA, report);
    // All six are read before any fails, so that all are reported.
    let moments = ["ixx", "iyy", "izz"].map(|name| element.required_number(name, report));
    let [xy, xz, yz] = ["ixy", "ixz", "iyz"].map(|name| element.number_or(name, 0.0, report));
    let [Some(xx), Some(yy), Some(zz)] = moments else { return None };
    Some(Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz))
}
