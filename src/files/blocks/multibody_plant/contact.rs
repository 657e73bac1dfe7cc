//! The contact law of a plant.

use crate::files::form::{Choice, NON_NEGATIVE, Number, Optional, POSITIVE, Reader, Section, Takes, optional, takes};

/// The contact law; the values are those of a pair of geometries.
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
    /// Which points of an overlap carry force.
    pub points: ContactPoints,
}

/// Which points of an overlap carry force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactPoints {
    /// The corners of the overlap.
    Manifold,
    /// The deepest point only.
    Deepest,
}

/// The one contact model so far.
#[derive(Clone, Copy, PartialEq)]
struct Point;

/// `contact: {…}`.
pub(super) const SECTION: Section<Contact> =
    Section { about: "the contact law, such as `{model: point, stiffness: 1e5}`", read };

const MODEL: Takes<Choice<Point>> =
    takes("model", Choice { what: "contact model", options: &[("point", Point)] }, Point, "the only one so far");
const STIFFNESS: Takes<Number> = takes("stiffness", POSITIVE, 1e5, "of a pair [N/m]");
const DISSIPATION: Takes<Number> = takes("dissipation", NON_NEGATIVE, 10.0, "Hunt-Crossley dissipation [s/m]");
const STATIC_FRICTION: Optional<Number> = optional(
    "static_friction",
    NON_NEGATIVE,
    "0.5, or `dynamic_friction` where that is given",
    "coefficient of friction at rest",
);
const DYNAMIC_FRICTION: Optional<Number> = optional(
    "dynamic_friction",
    NON_NEGATIVE,
    "`static_friction`",
    "coefficient of friction in motion, at most the static one",
);
const STICTION_TOLERANCE: Takes<Number> =
    takes("stiction_tolerance", POSITIVE, 1e-4, "slip velocity below which contact sticks [m/s]");
const POINTS: Takes<Choice<ContactPoints>> = takes(
    "points",
    Choice {
        what: "kind of contact points",
        options: &[("manifold", ContactPoints::Manifold), ("deepest", ContactPoints::Deepest)],
    },
    ContactPoints::Manifold,
    "`manifold`: the corners of an overlap share the stiffness of the pair, each in proportion to its part of the area; \
     `deepest`: its deepest point has all of it",
);

/// Coefficient of friction where a file states none.
const FRICTION: f64 = 0.5;

impl Default for Contact {
    fn default() -> Self {
        Contact {
            stiffness: STIFFNESS.default(),
            dissipation: DISSIPATION.default(),
            static_friction: FRICTION,
            dynamic_friction: FRICTION,
            stiction_tolerance: STICTION_TOLERANCE.default(),
            points: POINTS.default(),
        }
    }
}

fn read(r: &mut Reader<'_>) -> Option<Contact> {
    r.get(&MODEL);
    let (stiffness, dissipation) = (r.get(&STIFFNESS), r.get(&DISSIPATION));
    let (static_friction, dynamic_friction) = (r.get(&STATIC_FRICTION), r.get(&DYNAMIC_FRICTION));
    let (stiction_tolerance, points) = (r.get(&STICTION_TOLERANCE), r.get(&POINTS));

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
        points,
    })
}
