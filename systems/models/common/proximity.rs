//! `<drake:proximity_properties>` of a collision: its compliance and its friction.

use crate::report::Report;
use crate::xml::{Element, Known};
use kinegraph_multibody::proximity::{Hydroelastic, Proximity};

pub(crate) const PROXIMITY: &str = "drake:proximity_properties";

const RIGID: &str = "drake:rigid_hydroelastic";
const COMPLIANT: &str = "drake:compliant_hydroelastic";
/// An earlier name of `drake:compliant_hydroelastic`.
const SOFT: &str = "drake:soft_hydroelastic";
const MODULUS: &str = "drake:hydroelastic_modulus";
const RESOLUTION: &str = "drake:mesh_resolution_hint";
const MARGIN: &str = "drake:hydroelastic_margin";
const THICKNESS: &str = "drake:half_space_slab_thickness";
const STIFFNESS: &str = "drake:point_contact_stiffness";
const DISSIPATION: &str = "drake:hunt_crossley_dissipation";
const STATIC: &str = "drake:mu_static";
const DYNAMIC: &str = "drake:mu_dynamic";

const PROPERTIES: Known = Known {
    attributes: &[],
    once: &[RIGID, COMPLIANT, SOFT, MODULUS, RESOLUTION, MARGIN, THICKNESS, STIFFNESS, DISSIPATION, STATIC, DYNAMIC],
    many: &[],
    ignored: &["drake:relaxation_time", "drake:acceleration"],
    ignored_attributes: &[],
};
const VALUE: Known = Known { attributes: &["value"], once: &[], many: &[], ignored: &[], ignored_attributes: &[] };
const EMPTY: Known = Known { attributes: &[], once: &[], many: &[], ignored: &[], ignored_attributes: &[] };

/// The proximity properties of a collision, if any; faulty values are left out.
pub(crate) fn read(collision: Element<'_, '_>, report: &mut Report<'_>) -> Option<Proximity> {
    let properties = collision.child(PROXIMITY)?;
    properties.check(&PROPERTIES, report);
    for name in [RIGID, COMPLIANT, SOFT] {
        if let Some(element) = properties.child(name) {
            element.check(&EMPTY, report);
        }
    }
    let has = |name| properties.child(name).is_some();
    let hydroelastic = match (has(RIGID), has(COMPLIANT) || has(SOFT)) {
        (true, _) => Some(Hydroelastic::Rigid),
        (false, true) => Some(Hydroelastic::Compliant),
        (false, false) => None,
    };
    let mut value = |name: &str, positive: bool| {
        let element = properties.child(name)?;
        element.check(&VALUE, report);
        let value = element.value(report)?;
        let number = value.number(report)?;
        if positive { value.positive(number, report) } else { value.not_negative(number, report) }
    };
    let (at_rest, in_motion) = (value(STATIC, false), value(DYNAMIC, false));
    Some(Proximity {
        hydroelastic,
        modulus: value(MODULUS, true),
        resolution: value(RESOLUTION, true),
        margin: value(MARGIN, false),
        slab_thickness: value(THICKNESS, true),
        stiffness: value(STIFFNESS, true),
        dissipation: value(DISSIPATION, false),
        // A single coefficient stands for both.
        static_friction: at_rest.or(in_motion),
        dynamic_friction: in_motion.or(at_rest),
        grain: None,
    })
}
