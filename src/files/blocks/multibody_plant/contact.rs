//! The contact law of a plant.

use crate::form::{
    Choice, NON_NEGATIVE, Number, Optional, POSITIVE, Reader, Section, WithDefault, optional, with_default,
};
use kinegraph_geometry::hydroelastic::Volume;
use kinegraph_multibody::plant::ContactModel;

/// Contact law; its values hold for a pair of geometries.
#[derive(Clone, Debug)]
pub struct Contact {
    /// Normal stiffness \[N/m\].
    pub stiffness: f64,
    /// Hunt-Crossley dissipation \[s/m\].
    pub dissipation: f64,
    /// Coefficient of friction at rest.
    pub static_friction: f64,
    /// Coefficient of friction in motion, at most the static one.
    pub dynamic_friction: f64,
    /// Slip velocity below which contact counts as sticking \[m/s\].
    pub stiction_tolerance: f64,
    /// Torque about the normal per normal force \[m\].
    pub torsional_friction: f64,
    /// Torque across the normal per normal force \[m\].
    pub rolling_friction: f64,
    /// Points of an overlap that carry force.
    pub points: ContactPoints,
    /// Contact at points or over a surface.
    pub model: ContactModel,
    /// Pressure in the core of compliant shapes \[Pa\].
    pub modulus: f64,
    /// Edge length of meshes where shapes are curved \[m\].
    pub resolution: Option<f64>,
    /// Approximation of curved shapes for contact by volume.
    pub volume: Volume,
}

/// Points of an overlap that carry force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactPoints {
    /// The corners of the overlap.
    Manifold,
    /// The deepest point only.
    Deepest,
    /// All local minima of the distance, on meshes without their convex hull.
    LocalMinima,
}

/// `contact: {…}`.
pub(super) const SECTION: Section<Contact> =
    Section { about: "the contact law, such as `{model: point, stiffness: 1e5}`", read };

const MODEL: WithDefault<Choice<ContactModel>> = with_default(
    "model",
    Choice {
        what: "contact model",
        options: &[
            ("point", ContactModel::Point),
            ("hydroelastic", ContactModel::Hydroelastic),
            ("hydroelastic_with_fallback", ContactModel::HydroelasticWithFallback),
            ("volume", ContactModel::Volume),
        ],
    },
    ContactModel::Point,
    "`point`: shapes touch in points; `hydroelastic`: with the surface on which their pressures balance, and a pair that \
     has none is a fault; `hydroelastic_with_fallback`: such a pair touches in points; `volume`: \
     with the pressure of the volume in which they overlap",
);
const MODULUS: WithDefault<Number> =
    with_default("modulus", POSITIVE, 1e7, "with surfaces: pressure in the core of compliant shapes [Pa]");
const RESOLUTION: Optional<Number> = optional(
    "resolution",
    POSITIVE,
    "a fifth of the half thickness of the shape",
    "with surfaces: edge length of the meshes of curved shapes [m]",
);
const CURVED: WithDefault<Choice<Volume>> = with_default(
    "curved",
    Choice {
        what: "kind of mesh",
        options: &[("volume_preserving", Volume::Preserved), ("inscribed", Volume::Inscribed)],
    },
    Volume::Preserved,
    "with surfaces: meshes of curved shapes have the volume of the shape, or their vertices on its surface, which is \
     softer",
);
const STIFFNESS: WithDefault<Number> = with_default("stiffness", POSITIVE, 1e5, "of a pair [N/m]").live();
const DISSIPATION: WithDefault<Number> =
    with_default("dissipation", NON_NEGATIVE, 10.0, "Hunt-Crossley dissipation [s/m]").live();
const STATIC_FRICTION: Optional<Number> = optional(
    "static_friction",
    NON_NEGATIVE,
    "0.5, or `dynamic_friction` where that is given",
    "coefficient of friction at rest",
)
.live();
const DYNAMIC_FRICTION: Optional<Number> = optional(
    "dynamic_friction",
    NON_NEGATIVE,
    "`static_friction`",
    "coefficient of friction in motion, at most the static one",
)
.live();
const STICTION_TOLERANCE: WithDefault<Number> =
    with_default("stiction_tolerance", POSITIVE, 1e-4, "slip velocity below which contact sticks [m/s]");
const TORSIONAL_FRICTION: WithDefault<Number> = with_default(
    "torsional_friction",
    NON_NEGATIVE,
    0.0,
    "largest torque about the normal per normal force [m]: what spins comes to rest; of shapes that touch in points",
)
.live();
const ROLLING_FRICTION: WithDefault<Number> = with_default(
    "rolling_friction",
    NON_NEGATIVE,
    0.0,
    "largest torque across the normal per normal force [m]: what rolls comes to rest; of shapes that touch in points",
)
.live();
const POINTS: WithDefault<Choice<ContactPoints>> = with_default(
    "points",
    Choice {
        what: "kind of contact points",
        options: &[
            ("manifold", ContactPoints::Manifold),
            ("deepest", ContactPoints::Deepest),
            ("local_minima", ContactPoints::LocalMinima),
        ],
    },
    ContactPoints::Manifold,
    "`manifold`: the corners of an overlap share the stiffness of the pair, each in proportion to its part of the area; \
     `deepest`: its deepest point has all of it; `local_minima`: one at each local minimum of the distance, by which \
     meshes that collide as they are (`exact`) touch each other, too",
);

/// Default coefficient of friction.
const FRICTION: f64 = 0.5;

impl Default for Contact {
    fn default() -> Self {
        Contact {
            stiffness: STIFFNESS.default(),
            dissipation: DISSIPATION.default(),
            static_friction: FRICTION,
            dynamic_friction: FRICTION,
            stiction_tolerance: STICTION_TOLERANCE.default(),
            torsional_friction: TORSIONAL_FRICTION.default(),
            rolling_friction: ROLLING_FRICTION.default(),
            points: POINTS.default(),
            model: MODEL.default(),
            modulus: MODULUS.default(),
            resolution: None,
            volume: CURVED.default(),
        }
    }
}

fn read(r: &mut Reader<'_>) -> Option<Contact> {
    let (model, modulus, resolution, volume) = (r.get(&MODEL), r.get(&MODULUS), r.get(&RESOLUTION), r.get(&CURVED));
    let (stiffness, dissipation) = (r.get(&STIFFNESS), r.get(&DISSIPATION));
    let (static_friction, dynamic_friction) = (r.get(&STATIC_FRICTION), r.get(&DYNAMIC_FRICTION));
    let (stiction_tolerance, points) = (r.get(&STICTION_TOLERANCE), r.get(&POINTS));
    let (torsional_friction, rolling_friction) = (r.get(&TORSIONAL_FRICTION), r.get(&ROLLING_FRICTION));

    if let (Some(at_rest), Some(in_motion)) = (static_friction, dynamic_friction)
        && in_motion > at_rest
    {
        r.conflict(DYNAMIC_FRICTION, format!("{in_motion} is above static_friction ({at_rest})"));
    }
    let either = static_friction.or(dynamic_friction).unwrap_or(FRICTION);
    Some(Contact {
        stiffness,
        dissipation,
        static_friction: static_friction.unwrap_or(either),
        dynamic_friction: dynamic_friction.unwrap_or(either),
        stiction_tolerance,
        torsional_friction,
        rolling_friction,
        points,
        model,
        modulus,
        resolution,
        volume,
    })
}
