//! `density`, `viscosity` and `wind` of `<option>`, `fluidshape` and `fluidcoef` of geoms: what the fluid acts on.
//!
//! A body with a geom of `fluidshape="ellipsoid"` is the sum of these geoms, each an ellipsoid; a mesh is that of the
//! largest distances of its points from its centre of mass along its principal axes. Any other body is a box along its
//! principal axes of inertia, with the moments and the mass of the body: of edges a, b, c, `I_x = m (b² + c²)/12`,
//! hence `a² = 6 (I_y + I_z - I_x)/m`. Where moments are equal the axes are those of the format: as `<inertial>`
//! states them, those of the only geom, or else as Jacobi's rotations leave them.

use super::bodies::Body;
use super::fields::Fields;
use super::geoms::{Form, Geom};
use super::log::Log;
use super::meshes::{MeshCache, Meshes};
use super::orientation::pose;
use super::schema::words::{FLUID_SHAPES, FromGeom};
use super::settings::Settings;
use super::solids::Solid;
use kinegraph_multibody::Inertia;
use kinegraph_multibody::scene_data::{FluidBody, FluidShape};
use nalgebra::{Isometry3, Matrix3, Rotation3, Translation3, UnitQuaternion, Vector3};

/// Lighter bodies are not seen.
const MIN_MASS: f64 = 1e-15;
/// Smaller squares of edges times masses are these.
const MIN_MOMENT: f64 = 1e-15;

/// Bodies of a model, with the geoms, inertias and meshes that give them a volume.
pub(super) struct Filled<'r, 'e, 'm> {
    pub bodies: &'r [Body<'e>],
    pub geoms: &'r [Geom<'e>],
    pub inertias: &'r [Option<Inertia>],
    pub meshes: &'r Meshes<'m>,
}

/// Reads the bodies that a fluid acts on.
pub(super) fn read(
    filled: &Filled<'_, '_, '_>,
    cache: &mut MeshCache,
    settings: &Settings,
    log: &mut Log<'_>,
) -> Vec<FluidBody> {
    let Filled { bodies, geoms, inertias, meshes } = *filled;
    let medium = settings.medium;
    if !settings.passive() || (medium.density == 0.0 && medium.viscosity == 0.0) {
        return Vec::new();
    }
    let mut all = Vec::new();
    for (b, (body, inertia)) in bodies.iter().zip(inertias).enumerate() {
        let Some(inertia) = inertia.filter(|inertia| inertia.mass >= MIN_MASS) else { continue };
        let own: Vec<&Geom<'_>> = geoms.iter().filter(|geom| geom.body == b).collect();
        let mut found = false;
        for geom in &own {
            if !geom.fields.word("fluidshape", &FLUID_SHAPES, false, log) {
                continue;
            }
            found = true;
            let mut coefficients = [0.5, 0.25, 1.5, 1.0, 1.0];
            geom.fields.overlay("fluidcoef", &mut coefficients, log);
            let of_mesh = match geom.form {
                Form::Mesh(mesh) => meshes.half_extents(mesh, cache).map(|(half, X_MF)| (half, geom.X_BG * X_MF)),
                _ => None,
            };
            match of_mesh.or(semi_axes(geom.form).map(|half| (half, geom.X_BG))) {
                Some((semi_axes, X_LF)) => all.push(FluidBody {
                    link: body.name.clone(),
                    X_LF,
                    shape: FluidShape::Ellipsoid { semi_axes, coefficients },
                    medium,
                }),
                None => log.differs(geom.fields.element, "has no volume: its ellipsoid in the fluid is not simulated"),
            }
        }
        if !found {
            let R = axes(body, &own, &inertia, settings, log);
            let turned = R.inverse() * inertia.I_BBcm * R;
            let I = turned.diagonal();
            let square = |i: usize| (I.sum() - 2.0 * I[i]).max(MIN_MOMENT) / inertia.mass * 6.0;
            let edges = Vector3::from_fn(|i, _| square(i).sqrt());
            let X_LF =
                Isometry3::from_parts(Translation3::from(inertia.p_BoBcm), UnitQuaternion::from_rotation_matrix(&R));
            all.push(FluidBody { link: body.name.clone(), X_LF, shape: FluidShape::Box { edges }, medium });
        }
    }
    all
}

fn semi_axes(form: Form) -> Option<Vector3<f64>> {
    match form {
        Form::Solid(Solid::Sphere { r }) => Some(Vector3::repeat(r)),
        Form::Solid(Solid::Capsule { r, l }) => Some(Vector3::new(r, r, r + l)),
        Form::Solid(Solid::Cylinder { r, l }) => Some(Vector3::new(r, r, l)),
        Form::Solid(Solid::Ellipsoid(half) | Solid::Box(half)) => Some(half),
        _ => None,
    }
}

/// The principal axes of a body, in its frame.
pub(super) fn axes(
    body: &Body<'_>,
    own: &[&Geom<'_>],
    inertia: &Inertia,
    settings: &Settings,
    log: &mut Log<'_>,
) -> Rotation3<f64> {
    let settings = settings.of(body.element);
    let stated = body.inertial.filter(|_| settings.from_geom != FromGeom::Always);
    if let Some(element) = stated {
        let f = Fields::alone(element);
        if !f.has("fullinertia") {
            return pose(&f, settings, log).rotation.to_rotation_matrix();
        }
    } else {
        let (least, most) = settings.groups;
        let weighs = |geom: &&&Geom<'_>| {
            let mass = geom.mass.unwrap_or(geom.density);
            matches!(geom.form, Form::Solid(_) | Form::Mesh(_)) && mass > 0.0 && (least..=most).contains(&geom.group)
        };
        let counted: Vec<_> = own.iter().filter(weighs).collect();
        if let [only] = counted[..]
            && matches!(only.form, Form::Solid(_))
        {
            return only.X_BG.rotation.to_rotation_matrix();
        }
    }
    jacobi(&inertia.I_BBcm)
}

/// The axes in which a symmetric matrix is diagonal, its largest entry first: by rotations in the plane of the largest
/// of the other entries.
pub(super) fn jacobi(I: &Matrix3<f64>) -> Rotation3<f64> {
    /// Of the trace: less than this counts as nothing.
    const MIN_PRODUCT: f64 = 1e-15;
    /// Far fewer rotations are enough: each makes what is off the diagonal smaller, in the end quadratically.
    const MAX_ROTATIONS: usize = 100;
    let mut R = Matrix3::identity();
    for _ in 0..MAX_ROTATIONS {
        let D = R.tr_mul(I) * R;
        let (i, j) = [(0, 1), (0, 2), (1, 2)]
            .into_iter()
            .fold((0, 1), |best, next| if D[next].abs() > D[best].abs() { next } else { best });
        if D[(i, j)].abs() <= MIN_PRODUCT * D.trace().abs() {
            break;
        }
        let tau = (D[(j, j)] - D[(i, i)]) / (2.0 * D[(i, j)]);
        let t = tau.signum() / (tau.abs() + (1.0 + tau * tau).sqrt());
        let c = 1.0 / (1.0 + t * t).sqrt();
        let mut G = Matrix3::identity();
        (G[(i, i)], G[(j, j)], G[(i, j)], G[(j, i)]) = (c, c, t * c, -t * c);
        R *= G;
    }
    let D = (R.tr_mul(I) * R).diagonal();
    let mut order = [0, 1, 2];
    // A stable sort: equal moments keep their order.
    order.sort_by(|a, b| D[*b].total_cmp(&D[*a]));
    let mut sorted = Matrix3::from_columns(&order.map(|i| R.column(i).into_owned()));
    if sorted.determinant() < 0.0 {
        sorted.column_mut(2).neg_mut();
    }
    Rotation3::from_matrix_unchecked(sorted)
}
