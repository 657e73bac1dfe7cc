//! Hydroelastic properties of the shapes of a plant.

use crate::form::{
    Choice, Decode, Item, MapOf, NON_NEGATIVE, Number, Optional, POSITIVE, Reader, Section, Value, optional,
};
use crate::item::Parameter;
use kinegraph_multibody::proximity::{Hydroelastic, Proximity};

const KIND: Choice<Hydroelastic> = Choice {
    what: "kind of shape",
    options: &[("compliant", Hydroelastic::Compliant), ("rigid", Hydroelastic::Rigid), ("none", Hydroelastic::None)],
};
const SECTION: Section<Proximity> =
    Section { about: "compliant, rigid, none or a map such as `{modulus: 1e7, resolution: 0.01}`", read };

/// `hydroelastic: {…}`.
pub(super) const SHAPES: Optional<MapOf<ProximityOf>> = optional(
    "hydroelastic",
    MapOf { each: ProximityOf, about: "shapes with what they are made of" },
    "`compliant`, the ground `rigid`, or what a model file says",
    "what shapes are in contact with surfaces: `{NAME: compliant}`, `rigid`, `none`, or a map; NAME is a model, \
     MODEL/LINK, MODEL/LINK/SHAPE or `ground`",
);

const WHICH: Optional<Choice<Hydroelastic>> =
    optional("kind", KIND, "as without this", "whether it is compliant; `none` touches in points");
const MODULUS: Optional<Number> =
    optional("modulus", POSITIVE, "that of `contact`", "pressure in the core of a compliant shape [Pa]");
const RESOLUTION: Optional<Number> =
    optional("resolution", POSITIVE, "that of `contact`", "edge length of its mesh where it is curved [m]");
const MARGIN: Optional<Number> =
    optional("margin", NON_NEGATIVE, "0", "how far its pressure field goes on outside, with negative pressures [m]");
const SLAB_THICKNESS: Optional<Number> = optional(
    "slab_thickness",
    POSITIVE,
    "none",
    "of a compliant ground, which needs it: the depth at which the pressure is the modulus [m]",
);
const DISSIPATION: Optional<Number> =
    optional("dissipation", NON_NEGATIVE, "that of `contact`", "its Hunt-Crossley dissipation [s/m]");

fn read(r: &mut Reader<'_>) -> Option<Proximity> {
    Some(Proximity {
        hydroelastic: r.get(&WHICH),
        modulus: r.get(&MODULUS),
        resolution: r.get(&RESOLUTION),
        margin: r.get(&MARGIN),
        slab_thickness: r.get(&SLAB_THICKNESS),
        dissipation: r.get(&DISSIPATION),
        ..Proximity::default()
    })
}

/// A word, or a map.
pub(super) struct ProximityOf;

impl Decode for ProximityOf {
    type Output = Proximity;
    fn expects(&self) -> String {
        SECTION.expects()
    }
    fn decode(&self, item: Item<'_>) -> Option<Proximity> {
        let Value::Text(_) = item.node.value else { return SECTION.decode(item) };
        KIND.decode(item).map(|kind| Proximity { hydroelastic: Some(kind), ..Proximity::default() })
    }
    fn keys(&self) -> Vec<Parameter> {
        SECTION.keys()
    }
}
