//! `type: thermal_network`.

use super::network::{self, Element, Kind, Vocabulary};
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
            ],
        },
        "sources have an input of the element's name; `ground` has the temperature 0 of the scale that is used",
    );
    const PARAMETERS: &'static [(Kind, Optional<Number>)] = &[
        (Kind::Resistance, RESISTANCE),
        (Kind::Capacity, CAPACITY),
        (Kind::AcrossSource, TEMPERATURE),
        (Kind::ThroughSource, HEAT),
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

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    network::read::<Thermal>(r)
}
