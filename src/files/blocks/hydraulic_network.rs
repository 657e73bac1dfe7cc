//! `type: hydraulic_network`.

use super::network::{self, Element, Kind, Vocabulary};
use crate::form::{
    BlockType, Choice, Group, MapOf, NUMBER, Needs, Number, Optional, POSITIVE, Reader, Section, SystemSpec, needs,
    optional,
};
use kinegraph_systems::dynamics::Domain;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "hydraulic_network",
    group: Group::Dynamics,
    about: "a hydraulic circuit of elements between nodes; flow in it has no declared direction",
    example: "lift:
  type: hydraulic_network
  elements:
    pump: {type: flow_source, nodes: [ground, high], flow: 1e-4}
    relief: {type: pipe, nodes: [high], resistance: 1e11}
    line: {type: pipe, nodes: [high, middle], resistance: 1e9}
    column: {type: fluid_mass, nodes: [middle, low], inertance: 1e7, initial: 0}
    accumulator: {type: tank, nodes: [low], capacity: 1e-10, initial: 1e5}
    cylinder: {type: cylinder, nodes: [low], area: 1e-3}
    return: {type: pressure_source, nodes: [back], pressure: 2e5}
    valve: {type: pipe, nodes: [low, back], resistance: 1e10}",
    files: &[],
    read,
};

/// Its words.
enum Hydraulic {}

impl Vocabulary for Hydraulic {
    const DOMAIN: Domain = Domain::HYDRAULIC;
    const TYPE: Needs<Choice<Kind>> = needs(
        "type",
        Choice {
            what: "type of element",
            options: &[
                ("pipe", Kind::Resistance),
                ("tank", Kind::Capacity),
                ("fluid_mass", Kind::Inertance),
                ("pressure_source", Kind::AcrossSource),
                ("flow_source", Kind::ThroughSource),
                ("cylinder", Kind::Cylinder),
            ],
        },
        "a `pipe` has laminar flow; sources have an input of the element's name; the input of a `cylinder` is the speed \
         [m/s] with which it takes fluid in at its first node, and it gives `force.NAME`",
    );
    const PARAMETERS: &'static [(Kind, Optional<Number>)] = &[
        (Kind::Resistance, RESISTANCE),
        (Kind::Capacity, CAPACITY),
        (Kind::Inertance, INERTANCE),
        (Kind::AcrossSource, PRESSURE),
        (Kind::ThroughSource, FLOW),
        (Kind::Cylinder, AREA),
    ];
    const INITIAL: Optional<Number> =
        optional("initial", NUMBER, "0", "pressure of a tank [Pa] or flow of a fluid mass [m³/s] at the start");
    const ELEMENTS: Needs<MapOf<Section<Element>>> = needs(
        "elements",
        network::section::<Self>(ABOUT),
        "its elements; their nodes have the names that they give them",
    );
}

const ABOUT: &str = "an element, such as `{type: pipe, nodes: [a, b], resistance: 1e9}`";
const RESISTANCE: Optional<Number> =
    optional("resistance", POSITIVE, "required", "of a pipe, pressure per flow [Pa s/m³]");
const CAPACITY: Optional<Number> = optional(
    "capacity",
    POSITIVE,
    "required",
    "of a tank, volume per pressure; an open one has its area over density and gravity [m³/Pa]",
);
const INERTANCE: Optional<Number> = optional(
    "inertance",
    POSITIVE,
    "required",
    "of a fluid mass in a pipe, its density times length over area [Pa s²/m³]",
);
const PRESSURE: Optional<Number> = optional(
    "pressure",
    NUMBER,
    "its input",
    "of a source whose input is not connected: the first node is above the second [Pa]",
);
const FLOW: Optional<Number> = optional(
    "flow",
    NUMBER,
    "its input",
    "of a source whose input is not connected: through it from the first node to the second [m³/s]",
);
const AREA: Optional<Number> = optional("area", POSITIVE, "required", "of the piston of a cylinder [m²]");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    network::read::<Hydraulic>(r)
}
