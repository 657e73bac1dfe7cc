//! Mass properties of bodies: from `<inertial>`, or summed over geoms.

use super::bodies::Body;
use super::fields::Fields;
use super::geoms::{Form, Geom};
use super::log::Log;
use super::meshes::{MeshCache, Meshes};
use super::orientation::pose;
use super::recognition;
use super::schema::words::FromGeom;
use super::settings::Settings;
use crate::faults::FaultKind;
use crate::faults::MjcfFault;
use crate::notes::NoteKind;
use crate::options::InertiaPolicy;
use kinegraph_multibody::Inertia;
use kinegraph_multibody::rigid_links::{nearest_possible, principal_moments};
use nalgebra::{Isometry3, Matrix3, Vector3};

/// Lighter geoms do not count.
const LEAST_MASS: f64 = 1e-15;

/// Reads the mass properties of all bodies; the first, the world, has none.
pub(super) fn read(
    bodies: &[Body<'_>],
    geoms: &[Geom<'_>],
    meshes: &Meshes<'_>,
    cache: &mut MeshCache,
    settings: &Settings,
    log: &mut Log<'_>,
) -> Vec<Option<Inertia>> {
    let mut all = vec![None; bodies.len()];
    for (b, body) in bodies.iter().enumerate().skip(1) {
        let stated = body.inertial.and_then(|element| read_inertial(element, body, settings, log));
        let settings = settings.of(body.element);
        let use_geoms = match settings.from_geom {
            FromGeom::Always => true,
            FromGeom::Auto => body.inertial.is_none(),
            FromGeom::Never => false,
        };
        let own = geoms.iter().filter(|g| g.body == b);
        all[b] = if use_geoms { of_geoms(own, meshes, cache, settings, log).or(stated) } else { stated };
        if all[b].is_none()
            && settings.from_geom == FromGeom::Never
            && !body.joints.is_empty()
            && body.inertial.is_none()
        {
            log.fault(&body.element.at, MjcfFault::NoInertial { element: body.element.describe() });
        }
        all[b] = bounded(all[b], body, settings).and_then(|inertia| checked(inertia, body, settings, log));
    }
    if let Some(total) = settings.total_mass {
        let sum: f64 = all.iter().flatten().map(|inertia| inertia.mass).sum();
        if sum > 0.0 {
            for inertia in all.iter_mut().flatten() {
                inertia.mass *= total / sum;
                inertia.I_BBcm *= total / sum;
            }
        }
    }
    all
}

fn read_inertial(
    element: &super::element::Element,
    body: &Body<'_>,
    settings: &Settings,
    log: &mut Log<'_>,
) -> Option<Inertia> {
    recognition::check_attributes(element, log);
    let f = Fields::alone(element);
    let X_BI = pose(&f, settings, log);
    let mass = f.number("mass", log);
    if element.attribute("mass").is_none() {
        let element = format!("<inertial> of {}", body.element.describe());
        log.fault(&f.element.at, MjcfFault::Missing { element, attribute: "mass" });
    }
    let I = if let Some([xx, yy, zz, xy, xz, yz]) = f.exactly("fullinertia", log) {
        Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
    } else {
        Matrix3::from_diagonal(&f.exactly::<3>("diaginertia", log).unwrap_or_default().into())
    };
    Some(Inertia { mass: mass?, p_BoBcm: X_BI.translation.vector, I_BBcm: turned(&I, &X_BI) })
}

/// The sum over geoms; `None` where none has mass.
fn of_geoms<'g>(
    geoms: impl Iterator<Item = &'g Geom<'g>>,
    meshes: &Meshes<'_>,
    cache: &mut MeshCache,
    settings: &Settings,
    log: &mut Log<'_>,
) -> Option<Inertia> {
    let (least, most) = settings.groups;
    let counted = geoms.filter(|g| (least..=most).contains(&g.group) && g.mass != Some(0.0));
    let parts: Vec<Inertia> =
        counted.filter_map(|g| of_geom(g, meshes, cache, log)).filter(|i| i.mass > LEAST_MASS).collect();
    if parts.is_empty() {
        return None;
    }
    let mass: f64 = parts.iter().map(|i| i.mass).sum();
    let center = parts.iter().map(|i| i.p_BoBcm * i.mass).sum::<Vector3<f64>>() / mass;
    let mut I = Matrix3::zeros();
    for part in &parts {
        let d = part.p_BoBcm - center;
        I += part.I_BBcm + (Matrix3::identity() * d.norm_squared() - d * d.transpose()) * part.mass;
    }
    Some(Inertia { mass, p_BoBcm: center, I_BBcm: I })
}

/// Inertia of one geom in the body's frame; `None` if it has none, or after a fault.
fn of_geom(g: &Geom<'_>, meshes: &Meshes<'_>, cache: &mut MeshCache, log: &mut Log<'_>) -> Option<Inertia> {
    match g.form {
        Form::Plane(_) | Form::HeightField(_) | Form::Other(_) => None,
        Form::Solid(solid) => {
            let mass = g.mass.unwrap_or_else(|| g.density * solid.amount(g.shell));
            let I = Matrix3::from_diagonal(&solid.moments(mass, g.shell));
            Some(Inertia { mass, p_BoBcm: g.X_BG.translation.vector, I_BBcm: turned(&I, &g.X_BG) })
        }
        Form::Mesh(mesh) => {
            if g.mass.is_none() && g.density == 0.0 {
                return None;
            }
            let fault = |reason: String, log: &mut Log<'_>| {
                let (element, mesh) = (g.fields.element.describe(), meshes.describe(mesh));
                log.fault(&g.fields.element.at, MjcfFault::MeshInertia { element, mesh, reason });
                None
            };
            let of = match meshes.moments(mesh, g.shell, cache) {
                Ok(of) => of,
                Err(reason) => return fault(reason.to_string(), log),
            };
            if of.amount <= 0.0 || !of.amount.is_finite() {
                return fault(format!("its volume is {}; its faces may be inside out", of.amount), log);
            }
            let mass = g.mass.unwrap_or(g.density * of.amount);
            let I = turned(&(of.inertia * (mass / of.amount)), &g.X_BG);
            Some(Inertia { mass, p_BoBcm: (g.X_BG * nalgebra::Point3::from(of.center)).coords, I_BBcm: I })
        }
    }
}

fn turned(I: &Matrix3<f64>, X: &Isometry3<f64>) -> Matrix3<f64> {
    let R = X.rotation.to_rotation_matrix();
    let turned = R * I * R.transpose();
    (turned + turned.transpose()) / 2.0
}

/// No lighter and no easier to turn than the compiler wants.
fn bounded(inertia: Option<Inertia>, body: &Body<'_>, settings: &Settings) -> Option<Inertia> {
    if settings.least_mass == 0.0 && settings.least_inertia == 0.0 {
        return inertia;
    }
    // The centre of mass of a body that says nothing of it is at the numbers of its `pos`, for the format.
    let none = Inertia { mass: 0.0, p_BoBcm: body.X_PB.translation.vector, I_BBcm: Matrix3::zeros() };
    let mut inertia = inertia.unwrap_or(none);
    inertia.mass = inertia.mass.max(settings.least_mass);
    let scale = inertia.I_BBcm.amax();
    if scale == 0.0 {
        inertia.I_BBcm = Matrix3::identity() * settings.least_inertia;
    } else if scale.is_finite() {
        let eigen = (inertia.I_BBcm / scale).symmetric_eigen();
        let least = settings.least_inertia / scale;
        if eigen.eigenvalues.min() < least {
            let moments = Matrix3::from_diagonal(&eigen.eigenvalues.map(|x| x.max(least)));
            let I = eigen.eigenvectors * moments * eigen.eigenvectors.transpose() * scale;
            inertia.I_BBcm = (I + I.transpose()) / 2.0;
        }
    }
    Some(inertia)
}

/// Checks an inertia; one that no distribution of mass has is treated as the options say.
fn checked(inertia: Inertia, body: &Body<'_>, settings: &Settings, log: &mut Log<'_>) -> Option<Inertia> {
    let (mass, link) = (inertia.mass, body.name.clone());
    if mass == 0.0 && inertia.I_BBcm == Matrix3::zeros() {
        return None;
    }
    let moments = principal_moments(&inertia.I_BBcm)?;
    let at = body.inertial.map_or(&body.element.at, |element| &element.at);
    let size = moments[2].abs();
    if mass < 0.0 || (mass == 0.0 && size > 0.0) {
        log.fault(at, FaultKind::Mass { link, mass });
        return None;
    }
    if moments[0] < -1e-9 * size {
        log.fault(at, FaultKind::NegativeInertia { link, moments });
        return None;
    }
    if moments[0] + moments[1] >= moments[2] * (1.0 - 1e-6) - 1e-15 {
        return Some(inertia);
    }
    if settings.balance {
        let mean = moments.iter().sum::<f64>() / 3.0;
        return Some(Inertia { I_BBcm: Matrix3::identity() * mean, ..inertia });
    }
    match log.options().inertia {
        InertiaPolicy::Strict => {
            log.fault(at, FaultKind::TriangleInequality { link, moments });
            None
        }
        InertiaPolicy::Project => {
            let I_BBcm = nearest_possible(&inertia.I_BBcm);
            let used = principal_moments(&I_BBcm).unwrap_or_default();
            log.note(at, NoteKind::ProjectedInertia { link, mass, moments, used });
            Some(Inertia { I_BBcm, ..inertia })
        }
        InertiaPolicy::Raw => {
            log.note(at, NoteKind::TriangleInequality { link, moments });
            Some(inertia)
        }
    }
}
