//! Rotational inertias, and the treatment of impossible ones.
//!
//! An inertia is possible for a solid if and only if its principal moments are not negative and none exceeds the sum of
//! the other two. The rounded numbers of published robots violate both; [`InertiaPolicy`] determines the treatment.
//! Both are tested with a tolerance relative to the largest moment, so that rounding to the digits of a file passes. If
//! the numbers are used as written, [`check_rigid_bodies`] checks the sums of welded links: only these must be
//! possible, so that kinetic energy is not negative.

use crate::faults::FaultKind;
use crate::notes::NoteKind;
use crate::options::InertiaPolicy;
use crate::report::Report;
use crate::xml::Element;
use kinegraph_multibody::Model;
use kinegraph_multibody::rigid_links::{
    impossible_links, is_possible, moment_noise, nearest_possible, principal_moments,
};
use nalgebra::{Isometry3, Matrix3};
use std::ops::Range;

/// Tolerance relative to the largest principal moment.
const TOLERANCE: f64 = 1e-6;

/// The tensor to be used; `None` for a link that is massless then, and after a fault.
pub(crate) fn accepted(
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
        // Nothing compensates for a negative mass, whatever the sum: it is a typing mistake.
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
    /// Reports a fault at the mass if that is wrong, otherwise at the moments.
    fn fault_of_inertia(&mut self, [mass_at, at]: [Range<usize>; 2], link: String, mass: f64, moments: [f64; 3]) {
        if mass > 0.0 {
            self.fault(at, FaultKind::NegativeInertia { link, moments });
        } else {
            self.fault(mass_at, FaultKind::Mass { link, mass });
        }
    }
}

/// Reports links with impossible inertia for which the links welded to them do not compensate.
pub(crate) fn check_rigid_bodies(model: &Model, links: &[Element<'_, '_>], report: &mut Report<'_>) {
    for index in impossible_links(model, TOLERANCE) {
        let link = &model.links[index];
        let (Some(inertia), Some(inertial)) = (&link.inertia, links[index].child("inertial")) else { continue };
        let at = |name| inertial.child(name).unwrap_or(inertial).span();
        let moments = principal_moments(&inertia.I_BBcm).unwrap_or_default();
        report.fault_of_inertia([at("mass"), at("inertia")], link.name.clone(), inertia.mass, moments);
    }
}

/// The inertia `I_ICcm` about the centre of mass, in the axes of the body.
pub(crate) fn in_body_axes(I_ICcm: &Matrix3<f64>, X_BI: &Isometry3<f64>) -> Matrix3<f64> {
    let R_BI = X_BI.rotation.to_rotation_matrix();
    let rotated = R_BI * I_ICcm * R_BI.transpose();
    // The product is symmetric up to rounding only; algorithms read either triangle.
    (rotated + rotated.transpose()) / 2.0
}
