//! `type: thermal_network`.

use super::network::{self, Element, Kind, Missing, Of, Vocabulary};
use crate::form::{
    BlockType, Choice, Group, MapOf, NUMBER, Needs, Number, Optional, POSITIVE, Reader, Section, SystemSpec, needs,
    optional,
};
use kinegraph_systems::dynamics::Domain;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "thermal_network",
    group: Group::Dynamics,
    about: "masses of one temperature each, with heat conductors between them",
    example: "warming:
  type: thermal_network
  elements:
    losses: {type: heat_source, nodes: [ground, winding], heat: 8}
    winding: {type: mass, nodes: [winding], capacity: 50, initial: 20}
    joint: {type: conductor, nodes: [winding, housing], resistance: 0.5}
    housing: {type: mass, nodes: [housing], capacity: 900, initial: 20}
    cooling: {type: conductor, nodes: [housing, room], resistance: 2}
    room: {type: temperature_source, nodes: [room], temperature: 20}",
    files: &[],
    read,
};

/// Its words.
enum Thermal {}

impl Vocabulary for Thermal {
    const DOMAIN: Domain = Domain::THERMAL;
    const TYPE: Needs<Choice<Kind>> = needs(
        "type",
        Choice {
            what: "type of element",
            options: &[
                ("conductor", Kind::Resistance),
                ("mass", Kind::Capacity),
                ("temperature_source", Kind::AcrossSource),
                ("heat_source", Kind::ThroughSource),
                ("radiation", Kind::Radiation),
            ],
        },
        "sources have an input of the element's name; `ground` has the temperature 0 of the scale that is used, \
         which must be kelvin where there is `radiation`",
    );
    const PARAMETERS: &'static [Of] = &[
        Of { kinds: &[Kind::Resistance], key: RESISTANCE, missing: Missing::Refused },
        Of { kinds: &[Kind::Capacity], key: CAPACITY, missing: Missing::Refused },
        Of { kinds: &[Kind::AcrossSource], key: TEMPERATURE, missing: Missing::Input },
        Of { kinds: &[Kind::ThroughSource], key: HEAT, missing: Missing::Input },
        Of { kinds: &[Kind::Radiation], key: AREA, missing: Missing::Refused },
        Of { kinds: &[Kind::Radiation], key: EMISSIVITY, missing: Missing::Is(1.0) },
    ];
    const INITIAL: Optional<Number> = optional("initial", NUMBER, "0", "temperature of a mass at the start [any]");
    const ELEMENTS: Needs<MapOf<Section<Element>>> = needs(
        "elements",
        network::section::<Self>(ABOUT),
        "its elements; their nodes have the names that they give them",
    );
}

const ABOUT: &str = "an element, such as `{type: mass, nodes: [winding], capacity: 50}`";
const RESISTANCE: Optional<Number> =
    optional("resistance", POSITIVE, "required", "of a conductor, temperature per heat flow [K/W]");
const CAPACITY: Optional<Number> = optional("capacity", POSITIVE, "required", "of a mass, heat per temperature [J/K]");
const TEMPERATURE: Optional<Number> = optional(
    "temperature",
    NUMBER,
    "its input",
    "of a source whose input is not connected: the first node is above the second [any]",
);
const HEAT: Optional<Number> = optional(
    "heat",
    NUMBER,
    "its input",
    "of a source whose input is not connected: through it from the first node to the second [W]",
);
const AREA: Optional<Number> = optional("area", POSITIVE, "required", "of a surface that radiates [m²]");
const EMISSIVITY: Optional<Number> = optional("emissivity", POSITIVE, "1", "of such a surface, times its view factor");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    network::read::<Thermal>(r)
}
