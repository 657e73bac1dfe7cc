//! `type: hydraulic_network`.

use super::network::{self, Element, Kind, Missing, Of, Vocabulary};
use crate::form::{
    BlockType, Choice, Group, MapOf, NON_NEGATIVE, NUMBER, Needs, Number, Optional, POSITIVE, Reader, Section,
    SystemSpec, needs, optional,
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
    leak: {type: pipe, nodes: [high], resistance: 1e11}
    relief: {type: check_valve, nodes: [high], opening: 5e6, resistance: 1e9}
    line: {type: pipe, nodes: [high, middle], resistance: 1e9}
    column: {type: fluid_mass, nodes: [middle, low], inertance: 1e7, initial: 0}
    accumulator: {type: tank, nodes: [middle], capacity: 1e-10, initial: 1e5}
    cylinder: {type: cylinder, nodes: [low], area: 1e-3}
    return: {type: pressure_source, nodes: [back], pressure: 2e5}
    valve: {type: orifice, nodes: [low, back], area: 2e-6}",
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
                ("orifice", Kind::Orifice),
                ("check_valve", Kind::CheckValve),
            ],
        },
        "a `pipe` has laminar flow, an `orifice` turbulent flow; a `check_valve` lets through what flows from its \
         first node to its second; sources have an input of the element's name; the input of a `cylinder` is the speed \
         [m/s] with which it takes fluid in at its first node, and it gives `force.NAME`",
    );
    const PARAMETERS: &'static [Of] = &[
        Of { kinds: &[Kind::Resistance, Kind::CheckValve], key: RESISTANCE, missing: Missing::Refused },
        Of { kinds: &[Kind::Capacity], key: CAPACITY, missing: Missing::Refused },
        Of { kinds: &[Kind::Inertance], key: INERTANCE, missing: Missing::Refused },
        Of { kinds: &[Kind::AcrossSource], key: PRESSURE, missing: Missing::Input },
        Of { kinds: &[Kind::ThroughSource], key: FLOW, missing: Missing::Input },
        Of { kinds: &[Kind::Cylinder, Kind::Orifice], key: AREA, missing: Missing::Refused },
        Of { kinds: &[Kind::Orifice], key: DISCHARGE, missing: Missing::Is(0.61) },
        Of { kinds: &[Kind::Orifice], key: DENSITY, missing: Missing::Is(1000.0) },
        Of { kinds: &[Kind::CheckValve], key: OPENING, missing: Missing::Is(0.0) },
        Of { kinds: &[Kind::Orifice, Kind::CheckValve], key: TRANSITION, missing: Missing::Is(100.0) },
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
const RESISTANCE: Optional<Number> = optional(
    "resistance",
    POSITIVE,
    "required",
    "of a pipe, or of a check valve that is open: pressure per flow [Pa s/m³]",
);
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
const AREA: Optional<Number> =
    optional("area", POSITIVE, "required", "of the piston of a cylinder, of the opening of an orifice [m²]");
const DISCHARGE: Optional<Number> =
    optional("discharge", POSITIVE, "0.61", "of an orifice: the part of its area that the jet has");
const DENSITY: Optional<Number> = optional("density", POSITIVE, "1000", "of the fluid in an orifice [kg/m³]");
const OPENING: Optional<Number> =
    optional("opening", NON_NEGATIVE, "0", "of a check valve: the pressure across it above which it opens [Pa]");
const TRANSITION: Optional<Number> = optional(
    "transition",
    POSITIVE,
    "100",
    "of an orifice: the pressure across it below which the flow is laminar; of a check valve: the width over which it \
     opens [Pa]",
);

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    network::read::<Hydraulic>(r)
}
