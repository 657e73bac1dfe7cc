//! Geoms: what shape they are, where they sit, what they weigh.
//!
//! `fromto` puts a capsule, cylinder, box or ellipsoid between two points: its z axis points from the second to the
//! first, by the least turn.

use super::bodies::{Bodies, Part};
use super::classes::Classes;
use super::fields::Fields;
use super::fluids::jacobi;
use super::log::Log;
use super::meshes::{MeshCache, Meshes};
use super::names::Names;
use super::orientation::{least_turn, pose};
use super::recognition;
use super::schema::words::{GEOMS, GeomType};
use super::settings::Settings;
use super::solids::Solid;
use crate::faults::MjcfFault;
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};

/// Form of a geom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Form {
    /// A half-space, below z; its half size along x and y for rays, infinite where it has no end.
    Plane([f64; 2]),
    Solid(Solid),
    /// A mesh, by index.
    Mesh(usize),
    /// A height field, by index.
    HeightField(usize),
    /// Something that is not simulated.
    Other(&'static str),
}

/// A geom as written.
pub(super) struct Geom<'a> {
    pub fields: Fields<'a>,
    pub name: String,
    pub body: usize,
    pub X_BG: Isometry3<f64>,
    pub form: Form,
    pub mass: Option<f64>,
    pub density: f64,
    pub shell: bool,
    pub group: f64,
}

/// The geoms of all bodies.
pub(super) fn read<'a>(
    bodies: &Bodies<'a>,
    classes: &'a Classes,
    settings: &Settings,
    meshes: &Meshes<'_>,
    cache: &mut MeshCache,
    log: &mut Log<'_>,
) -> (Vec<Geom<'a>>, Names) {
    let parts: Vec<(usize, Part<'a>)> =
        bodies.bodies.iter().enumerate().flat_map(|(b, body)| body.geoms.iter().map(move |g| (b, *g))).collect();
    let named: Vec<_> =
        parts.iter().map(|(b, part)| (part.element, format!("{}_geom", bodies.bodies[*b].name))).collect();
    let (names, found) = Names::of("geom", &named, log);
    let geoms = parts.iter().zip(found).filter_map(|((body, part), name)| {
        recognition::check_attributes(part.element, log);
        let fields = classes.fields(part.element, "geom", part.class, log);
        // All of them, so that all that is at fault is said together.
        let form = read_form(&fields, settings, meshes, cache, log);
        let mass = fields.number("mass", log).map(|_| fields.magnitude_or("mass", 0.0, log));
        let density = fields.magnitude_or("density", 1000.0, log);
        let shell = fields.flag("shellinertia", false, log);
        let group = fields.number_or("group", 0.0, log);
        let (form, X) = form?;
        Some(Geom { X_BG: part.X_BF * X, form, body: *body, name, mass, density, shell, group, fields })
    });
    (geoms.collect(), names)
}

fn read_form(
    f: &Fields<'_>,
    settings: &Settings,
    meshes: &Meshes<'_>,
    cache: &mut MeshCache,
    log: &mut Log<'_>,
) -> Option<(Form, Isometry3<f64>)> {
    let kind = f.word("type", &GEOMS, GeomType::Sphere, log);
    let mut size = [0.0; 3];
    f.overlay("size", &mut size, log);
    let mut X = pose(f, settings, log);
    let fits_mesh = f.has("mesh") && !matches!(kind, GeomType::Mesh | GeomType::Sdf);
    let along = matches!(kind, GeomType::Capsule | GeomType::Cylinder | GeomType::Ellipsoid | GeomType::Box);
    if let Some([a, b, c, d, e, g]) = f.exactly::<6>("fromto", log).filter(|_| along) {
        let (from, to) = (Vector3::new(a, b, c), Vector3::new(d, e, g));
        let way = from - to;
        if way.norm() < 1e-14 {
            log.fault(&f.element.at, MjcfFault::NoDirection { element: f.element.describe(), attribute: "fromto" });
            return None;
        }
        let half = way.norm() / 2.0;
        match kind {
            GeomType::Capsule | GeomType::Cylinder => size[1] = half,
            // Across the way, a box or an ellipsoid is as wide as it is thick.
            _ => (size[1], size[2]) = (size[0], half),
        }
        X = Isometry3::from_parts(Translation3::from((from + to) / 2.0), least_turn(&way));
    }
    let needed = match kind {
        GeomType::Sphere => 1,
        GeomType::Capsule | GeomType::Cylinder => 2,
        GeomType::Ellipsoid | GeomType::Box => 3,
        _ => 0,
    };
    if !fits_mesh && let Some(bad) = size[..needed].iter().find(|x| **x <= 0.0) {
        f.fault_range("size", *bad, "greater than zero", log);
        return None;
    }
    let [r, l, _] = size;
    if fits_mesh {
        let (form, X_MG) = fitted(f, kind, meshes, cache, log)?;
        return Some((form, X * X_MG));
    }
    let form = match kind {
        GeomType::Plane => Form::Plane([r, l].map(|x| if x > 0.0 { x } else { f64::INFINITY })),
        GeomType::Sphere => Form::Solid(Solid::Sphere { r }),
        GeomType::Capsule => Form::Solid(Solid::Capsule { r, l }),
        GeomType::Cylinder => Form::Solid(Solid::Cylinder { r, l }),
        GeomType::Ellipsoid => Form::Solid(Solid::Ellipsoid(size.into())),
        GeomType::Box => Form::Solid(Solid::Box(size.into())),
        GeomType::Mesh | GeomType::Sdf => Form::Mesh(meshes.named(f, log)?),
        GeomType::HeightField => Form::HeightField(meshes.height_fields.named(f, log)?),
    };
    if kind == GeomType::Sdf {
        log.differs(f.element, "is a signed distance field; its mesh is taken");
    }
    Some((form, X))
}

/// A primitive in place of a mesh, and where it stands in the frame of that.
///
/// The box of the mesh's moments of inertia has half edges `√(6 (I_y + I_z - I_x)/V)/2` along its principal axes, the
/// shortest first; a ball has their mean as its radius, a cylinder and a capsule that of the first two, and an
/// ellipsoid has them as its semi-axes.
fn fitted(
    f: &Fields<'_>,
    kind: GeomType,
    meshes: &Meshes<'_>,
    cache: &mut MeshCache,
    log: &mut Log<'_>,
) -> Option<(Form, Isometry3<f64>)> {
    let mesh = meshes.named(f, log)?;
    let of = match meshes.moments(mesh, false, cache) {
        Ok(of) if of.amount > 0.0 => of,
        _ => return Some((Form::Other("fits a primitive to a mesh without volume"), Isometry3::identity())),
    };
    let R = jacobi(&of.inertia);
    let I = (R.inverse() * of.inertia * R).diagonal();
    let half = I.map(|x| (6.0 * (I.sum() - 2.0 * x).max(0.0) / of.amount).sqrt() / 2.0);
    let scale = f.number_or("fitscale", 1.0, log);
    let thick = (half.x + half.y) / 2.0;
    let solid = match kind {
        GeomType::Sphere => Solid::Sphere { r: scale * half.mean() },
        GeomType::Capsule => Solid::Capsule { r: scale * thick, l: scale * (half.z - thick / 2.0).max(0.0) },
        GeomType::Cylinder => Solid::Cylinder { r: scale * thick, l: scale * half.z },
        GeomType::Ellipsoid => Solid::Ellipsoid(half * scale),
        GeomType::Box => Solid::Box(half * scale),
        _ => return Some((Form::Other("fits a shape to a mesh that cannot be fitted"), Isometry3::identity())),
    };
    Some((Form::Solid(solid), Isometry3::from_parts(of.center.into(), UnitQuaternion::from_rotation_matrix(&R))))
}
