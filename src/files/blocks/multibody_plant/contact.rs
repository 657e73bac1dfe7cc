//! The contact law of a plant.

use crate::files::decode::{Choice, NON_NEGATIVE, POSITIVE, Section};
use crate::files::reader::Reader;

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

impl Default for Contact {
    fn default() -> Self {
        Contact {
            stiffness: 1e5,
            dissipation: 10.0,
            static_friction: 0.5,
            dynamic_friction: 0.5,
            stiction_tolerance: 1e-4,
            points: ContactPoints::Manifold,
        }
    }
}

/// The one contact model so far.
#[derive(Clone, Copy)]
struct Point;

/// Reads `contact: {…}`.
pub(super) fn section() -> Section<fn(&mut Reader<'_>) -> Option<Contact>> {
    Section { about: "the contact law, such as `{model: point, stiffness: 1e5}`", read }
}

fn read(r: &mut Reader<'_>) -> Option<Contact> {
    let default = Contact::default();
    let points = Choice {
        what: "kind of contact points",
        options: &[("manifold", ContactPoints::Manifold), ("deepest", ContactPoints::Deepest)],
    };
    r.or("model", Choice { what: "contact model", options: &[("point", Point)] }, Point);
    let stiffness = r.or("stiffness", POSITIVE, default.stiffness);
    let dissipation = r.or("dissipation", NON_NEGATIVE, default.dissipation);
    let static_friction = r.optional("static_friction", NON_NEGATIVE);
    let dynamic_friction = r.optional("dynamic_friction", NON_NEGATIVE);
    let stiction_tolerance = r.or("stiction_tolerance", POSITIVE, default.stiction_tolerance);
    let points = r.or("points", points, default.points);

    if let (Some(at_rest), Some(in_motion)) = (static_friction, dynamic_friction)
        && in_motion > at_rest
    {
        r.conflict("dynamic_friction", format!("{in_motion} is above static_friction ({at_rest})"));
    }
    let either = static_friction.or(dynamic_friction).unwrap_or(default.static_friction);
    Some(Contact {
        stiffness,
        dissipation,
        static_friction: static_friction.unwrap_or(either),
        dynamic_friction: dynamic_friction.unwrap_or(either),
        stiction_tolerance,
        points,
    })
}
