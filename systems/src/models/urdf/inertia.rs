//! `<inertial>`: mass, centre of mass and rotational inertia.
//!
//! The file gives the inertia about the centre of mass C in the axes of the inertial frame I. In body axes it is
//! `I_BBcm = R_BI I R_BIᵀ`.
//!
//! An inertia is possible for a solid if and only if its principal moments are not negative and none exceeds the sum of
//! the other two. Both are violated by the rounded numbers of published robots; what is done then is up to the reader's
//! [`InertiaPolicy`]. Both are tested with a tolerance relative to the largest moment, so that rounding to the digits
//! of a file passes. As long as the numbers are used as written, [`check_rigid_bodies`] looks at what is welded
//! together: only that must be possible, for kinetic energy not to be negative.

use super::element::{Element, Known};
use super::pose::read_origin;
use crate::models::fault::FaultKind;
use crate::models::note::NoteKind;
use crate::models::options::InertiaPolicy;
use crate::models::report::Report;
use crate::multibody::rigid_links::{impossible_links, is_possible, moment_noise, nearest_possible, principal_moments};
use crate::multibody::{Inertia, Model};
use nalgebra::{Isometry3, Matrix3};
use std::ops::Range;

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

/// Relative to the largest principal moment.
const TOLERANCE: f64 = 1e-6;

/// Mass properties in the link's axes; `None` for a massless link or after a fault.
pub(in crate::models) fn read_inertial(
    inertial: Element<'_, '_>,
    link: &str,
    report: &mut Report<'_>,
) -> Option<Inertia> {
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

/// The tensor to be used; `None` for a link that is massless then, and after a fault.
pub(in crate::models) fn accepted(
    mass: f64,
    I: Matrix3<f64>,
    [mass_element, element]: [Element<'_, '_>; 2],
    link: &str,
    report: &mut Report<'_>,
) -> Option<Matrix3<f64>> {
    let moments = principal_moments(&I)?;
    let [least, middle, most] = moments;
    let possible = is_possible(mass, &moments, TOLERANCE);
    let uneven = least + middle < most - moment_noise(mass, &moments, TOLERANCE);
    if possible && !uneven {
        return Some(I);
    }
    let policy = report.options().inertia;
    let link = link.to_owned();
    match policy {
        InertiaPolicy::Strict if possible => {
            report.fault(element.span(), FaultKind::TriangleInequality { link, moments });
            None
        }
        // Nothing makes up for a negative mass, whatever the sum: it is a slip of the pen.
        InertiaPolicy::Raw if mass < 0.0 => {
            report.fault_of_inertia([mass_element.span(), element.span()], link, mass, moments);
            None
        }
        InertiaPolicy::Strict => {
            report.fault_of_inertia([mass_element.span(), element.span()], link, mass, moments);
            None
        }
        InertiaPolicy::Project => {
            let near = if mass > 0.0 { nearest_possible(&I) } else { Matrix3::zeros() };
            let used = principal_moments(&near).unwrap_or_default();
            report.note(element.span(), NoteKind::ProjectedInertia { link, mass, moments, used });
            (mass > 0.0).then_some(near)
        }
        InertiaPolicy::Raw => {
            let kind = if possible {
                NoteKind::TriangleInequality { link, moments }
            } else {
                NoteKind::ImpossibleInertia { link, mass, moments }
            };
            report.note(element.span(), kind);
            Some(I)
        }
    }
}

impl Report<'_> {
    /// A fault at the mass if that is at fault, otherwise at the moments.
    fn fault_of_inertia(&mut self, [mass_at, at]: [Range<usize>; 2], link: String, mass: f64, moments: [f64; 3]) {
        if mass > 0.0 {
            self.fault(at, FaultKind::NegativeInertia { link, moments });
        } else {
            self.fault(mass_at, FaultKind::Mass { link, mass });
        }
    }
}

/// Faults the links whose impossible numbers are not made up for by what they are welded to.
pub(in crate::models) fn check_rigid_bodies(model: &Model, links: &[Element<'_, '_>], report: &mut Report<'_>) {
    for index in impossible_links(model, TOLERANCE) {
        let link = &model.links[index];
        let (Some(inertia), Some(inertial)) = (&link.inertia, links[index].child("inertial")) else { continue };
        let at = |name| inertial.child(name).unwrap_or(inertial).span();
        let moments = principal_moments(&inertia.I_BBcm).unwrap_or_default();
        report.fault_of_inertia([at("mass"), at("inertia")], link.name.clone(), inertia.mass, moments);
    }
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
    // All six are read before any is missed, so that all are reported.
    let moments = ["ixx", "iyy", "izz"].map(|name| element.required_number(name, report));
    let [xy, xz, yz] = ["ixy", "ixz", "iyz"].map(|name| element.number_or(name, 0.0, report));
    let [Some(xx), Some(yy), Some(zz)] = moments else { return None };
    Some(Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz))
}

pub(in crate::models) fn in_body_axes(I_ICcm: &Matrix3<f64>, X_BI: &Isometry3<f64>) -> Matrix3<f64> {
    let R_BI = X_BI.rotation.to_rotation_matrix();
    let rotated = R_BI * I_ICcm * R_BI.transpose();
    // The product is symmetric up to rounding only; algorithms read either triangle.
    (rotated + rotated.transpose()) / 2.0
}
