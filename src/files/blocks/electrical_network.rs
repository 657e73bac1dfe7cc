//! `type: electrical_network`.

use super::network::{self, Element, Kind, Vocabulary};
use crate::form::{
    BlockType, Choice, Group, MapOf, NUMBER, Needs, Number, Optional, POSITIVE, Reader, Section, SystemSpec, needs,
    optional,
};
use kinegraph_systems::dynamics::Domain;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "electrical_network",
    group: Group::Dynamics,
    about: "an electrical circuit of elements between nodes; wires in it have no direction",
    example: "circuit:
  type: electrical_network
  elements:
    supply: {type: voltage_source, nodes: [cell], voltage: 12}
    inner: {type: resistor, nodes: [cell, in], resistance: 0.2}
    filter: {type: capacitor, nodes: [in], capacitance: 10 mF, initial: 0}
    lamp: {type: current_source, nodes: [in], current: 0.1}
    winding: {type: resistor, nodes: [in, a], resistance: 2}
    coil: {type: inductor, nodes: [a, b], inductance: 5 mH, initial: 0}
    motor: {type: motor, nodes: [b], torque_constant: 0.05}",
    files: &[],
    read,
};

/// Its words.
enum Electrical {}

impl Vocabulary for Electrical {
    const DOMAIN: Domain = Domain::ELECTRICAL;
    const TYPE: Needs<Choice<Kind>> = needs(
        "type",
        Choice {
            what: "type of element",
            options: &[
                ("resistor", Kind::Resistance),
                ("capacitor", Kind::Capacity),
                ("inductor", Kind::Inertance),
                ("voltage_source", Kind::AcrossSource),
                ("current_source", Kind::ThroughSource),
                ("motor", Kind::Motor),
            ],
        },
        "sources have an input of the element's name; a `motor` is a winding without resistance whose input is its \
         speed [rad/s] and which gives `torque.NAME`",
    );
    const PARAMETERS: &'static [(Kind, Optional<Number>)] = &[
        (Kind::Resistance, RESISTANCE),
        (Kind::Capacity, CAPACITANCE),
        (Kind::Inertance, INDUCTANCE),
        (Kind::AcrossSource, VOLTAGE),
        (Kind::ThroughSource, CURRENT),
        (Kind::Motor, TORQUE_CONSTANT),
    ];
    const INITIAL: Optional<Number> =
        optional("initial", NUMBER, "0", "voltage of a capacitor [V] or current of an inductor [A] at the start");
    const ELEMENTS: Needs<MapOf<Section<Element>>> = needs(
        "elements",
        network::section::<Self>(ABOUT),
        "its elements; their nodes have the names that they give them",
    );
}

const ABOUT: &str = "an element, such as `{type: resistor, nodes: [a, b], resistance: 10}`";
const RESISTANCE: Optional<Number> = optional("resistance", POSITIVE, "required", "of a resistor [Ω]");
const CAPACITANCE: Optional<Number> = optional("capacitance", POSITIVE, "required", "of a capacitor [F]");
const INDUCTANCE: Optional<Number> = optional("inductance", POSITIVE, "required", "of an inductor [H]");
const VOLTAGE: Optional<Number> = optional(
    "voltage",
    NUMBER,
    "its input",
    "of a source whose input is not connected: the first node is above the second [V]",
);
const CURRENT: Optional<Number> = optional(
    "current",
    NUMBER,
    "its input",
    "of a source whose input is not connected: through it from the first node to the second [A]",
);
const TORQUE_CONSTANT: Optional<Number> = optional(
    "torque_constant",
    POSITIVE,
    "required",
    "of a motor: torque per current, and voltage per speed [N m/A, V s/rad]",
);

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    network::read::<Electrical>(r)
}
