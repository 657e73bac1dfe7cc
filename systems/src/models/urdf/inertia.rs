//! `<inertial>`: mass, centre of mass and rotational inertia.
//!
//! The file gives the inertia about the centre of mass C in the axes of the inertial frame I. In body axes it is
//! `I_BBcm = R_BI I R_BIᵀ`.
//!
//! An inertia is possible for a solid if and only if its principal moments are not negative and none exceeds the sum of
//! the other two. The first is required here (otherwise kinetic energy can be negative); the second is violated by the
//! rounded numbers of many published robots and is only noted. Both are tested with a tolerance relative to the largest
//! moment, so that rounding to the digits of a file passes.

use super::element::{Element, Known};
use super::pose::read_origin;
use crate::models::fault::FaultKind;
use crate::models::note::NoteKind;
use crate::models::report::Report;
use crate::multibody::Inertia;
use nalgebra::{Isometry3, Matrix3, SymmetricEigen};

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
pub(super) fn read_inertial(inertial: Element<'_, '_>, link: &str, report: &mut Report<'_>) -> Option<Inertia> {
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
    if mass <= 0.0 {
        report.fault(mass_element.span(), FaultKind::Mass { link: link.to_owned(), mass });
        return None;
    }
    if no_inertia {
        report.note(inertial.span(), NoteKind::PointMass { link: link.to_owned() });
    }
    check_moments(&I_ICcm, inertial.child("inertia").unwrap_or(inertial), link, report);
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
    // All six are read before any is missed, so that all are reported.
    let moments = ["ixx", "iyy", "izz"].map(|name| element.required_number(name, report));
    let [xy, xz, yz] = ["ixy", "ixz", "iyz"].map(|name| element.number_or(name, 0.0, report));
    let [Some(xx), Some(yy), Some(zz)] = moments else { return None };
    Some(Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz))
}

fn in_body_axes(I_ICcm: &Matrix3<f64>, X_BI: &Isometry3<f64>) -> Matrix3<f64> {
    let R_BI = X_BI.rotation.to_rotation_matrix();
    let rotated = R_BI * I_ICcm * R_BI.transpose();
    // The product is symmetric up to rounding only; algorithms read either triangle.
    (rotated + rotated.transpose()) / 2.0
}

fn check_moments(I_ICcm: &Matrix3<f64>, element: Element<'_, '_>, link: &str, report: &mut Report<'_>) {
    let scale = I_ICcm.amax();
    if scale == 0.0 {
        return;
    }
    // Scaled to entries of at most 1, for which the iteration always converges.
    let Some(eigen) = SymmetricEigen::try_new(I_ICcm / scale, f64::EPSILON, 1000) else { return };
    let mut moments: [f64; 3] = eigen.eigenvalues.into();
    moments.sort_by(f64::total_cmp);
    let [least, middle, most] = moments;
    let tolerance = TOLERANCE * most.abs().max(least.abs());
    let (link, moments) = (link.to_owned(), moments.map(|moment| moment * scale));
    if least < -tolerance {
        report.fault(element.span(), FaultKind::NegativeInertia { link, moments });
    } else if least + middle < most - tolerance {
        report.note(element.span(), NoteKind::TriangleInequality { link, moments });
    }
}
