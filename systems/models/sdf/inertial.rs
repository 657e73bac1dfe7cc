//! `<inertial>`: mass properties. The defaults of the format are 1 kg, and 1 kg m² about each axis.
//!
//! With `auto="true"` they are those of the link's collision shapes, with the density of each shape's `<density>`, or
//! else that of `<inertial>`, or else that of water. A `<mass>` beside it is the total mass, whatever the densities.

use super::pose;
use crate::common::inertia;
use crate::faults::SdfFault;
use crate::notes::SdfNote;
use crate::report::Report;
use crate::xml::{Element, Known};
use kinegraph_geometry::MassProperties;
use kinegraph_multibody::{Inertia, Link};
use nalgebra::{Isometry3, Matrix3, Point3, Vector3};

const INERTIAL: Known = Known {
    attributes: &["auto"],
    once: &["pose", "mass", "inertia", "density"],
    many: &[],
    ignored: &["auto_inertia_params", "fluid_added_mass"],
    ignored_attributes: &[],
};
const INERTIA: Known = Known {
    attributes: &[],
    once: &["ixx", "ixy", "ixz", "iyy", "iyz", "izz"],
    many: &[],
    ignored: &[],
    ignored_attributes: &[],
};

/// Default density of the format \[kg/m³\].
const WATER: f64 = 1000.0;

/// The density that an element states \[kg/m³\].
pub(super) fn density(element: Element<'_, '_>, report: &mut Report<'_>) -> Option<f64> {
    let written = element.child("density")?.content();
    let density = written.number(report)?;
    written.positive(density, report)
}

/// Mass properties in the link's axes, with the densities of its shapes; `None` for a massless link or after a fault.
pub(super) fn read(
    element: Element<'_, '_>,
    link: &Link,
    densities: &[Option<f64>],
    report: &mut Report<'_>,
) -> Option<Inertia> {
    let name = &*link.name;
    let default = |missing, value, report: &mut Report<'_>| {
        report.note(element.span(), SdfNote::DefaultInertial { link: name.to_owned(), missing, value }.into());
    };
    let Some(inertial) = element.child("inertial") else {
        default("<inertial>", "1 kg and 1 kg m² about each axis", report);
        return Some(Inertia { mass: 1.0, p_BoBcm: Vector3::zeros(), I_BBcm: Matrix3::identity() });
    };
    inertial.check(&INERTIAL, report);
    if inertial.attribute("auto").is_some_and(|auto| matches!(auto.value, "true" | "1")) {
        return of_shapes(inertial, link, densities, report);
    }
    let pose = pose::read(inertial, report);
    if let Some(relative_to) = pose.relative_to {
        let what = "has a `relative_to`, which the pose of an inertia cannot have";
        report.fault_at(&relative_to.at, SdfFault::Other { element: relative_to.element, what }.into());
    }
    let mass_element = inertial.child("mass");
    let mass = match mass_element {
        Some(element) => {
            element.check(&Known::TEXT, report);
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

/// Mass properties of all collision shapes together.
fn of_shapes(
    inertial: Element<'_, '_>,
    link: &Link,
    densities: &[Option<f64>],
    report: &mut Report<'_>,
) -> Option<Inertia> {
    let usual = density(inertial, report).unwrap_or(WATER);
    let solids = link.collisions.iter().zip(densities).filter_map(|(collision, density)| {
        Some((collision.X_BG, collision.shape.mass_properties()?, density.unwrap_or(usual)))
    });
    let solids: Vec<_> = solids.collect();
    let sum: f64 = solids.iter().map(|(_, solid, density)| density * solid.volume).sum();
    if sum <= 0.0 {
        let what = "is `auto` in a link without solid collision shapes";
        report.fault(inertial.span(), SdfFault::Other { element: inertial.describe(), what }.into());
        return None;
    }
    let total = inertial.child("mass").and_then(|mass| {
        let written = mass.content();
        let number = written.number(report)?;
        written.positive(number, report)
    });
    let (mass, scale) = (total.unwrap_or(sum), total.map_or(1.0, |total| total / sum));
    let p_BoBcm = solids.iter().map(|(X, solid, d)| (X * Point3::from(solid.p_GoGcm)).coords * (d * solid.volume));
    let p_BoBcm = p_BoBcm.sum::<Vector3<f64>>() / sum;
    let about = |(X, solid, d): &(Isometry3<f64>, MassProperties, f64)| {
        let (m, arm) = (d * solid.volume, (X * Point3::from(solid.p_GoGcm)).coords - p_BoBcm);
        inertia::in_body_axes(&(solid.I_GGcm * *d), X)
            + (Matrix3::identity() * arm.norm_squared() - arm * arm.transpose()) * m
    };
    let I_BBcm = solids.iter().map(about).sum::<Matrix3<f64>>() * scale;
    Some(Inertia { mass, p_BoBcm, I_BBcm })
}
