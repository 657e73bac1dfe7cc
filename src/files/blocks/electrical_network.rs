//! `type: electrical_network`.

use super::network::{self, Element, Kind, Missing, Of, Vocabulary};
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
    freewheel: {type: diode, nodes: [ground, a]}
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
                ("diode", Kind::Diode),
            ],
        },
        "sources have an input of the element's name; a `motor` is a winding without resistance whose input is its \
         speed [rad/s] and which gives `torque.NAME`; a `diode` conducts from its first node to its second",
    );
    const PARAMETERS: &'static [Of] = &[
        Of { kinds: &[Kind::Resistance], key: RESISTANCE, missing: Missing::Refused },
        Of { kinds: &[Kind::Capacity], key: CAPACITANCE, missing: Missing::Refused },
        Of { kinds: &[Kind::Inertance], key: INDUCTANCE, missing: Missing::Refused },
        Of { kinds: &[Kind::AcrossSource], key: VOLTAGE, missing: Missing::Input },
        Of { kinds: &[Kind::ThroughSource], key: CURRENT, missing: Missing::Input },
        Of { kinds: &[Kind::Motor], key: TORQUE_CONSTANT, missing: Missing::Refused },
        Of { kinds: &[Kind::Diode], key: SATURATION_CURRENT, missing: Missing::Is(1e-14) },
        Of { kinds: &[Kind::Diode], key: THERMAL_VOLTAGE, missing: Missing::Is(0.02585) },
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
const SATURATION_CURRENT: Optional<Number> = optional(
    "saturation_current",
    POSITIVE,
    "1e-14",
    "of a diode: I of its current I (e^(v/V) - 1), beside which lies 1e-12 S [A]",
);
const THERMAL_VOLTAGE: Optional<Number> =
    optional("thermal_voltage", POSITIVE, "0.02585", "of a diode: V, k T/q times its ideality factor [V]");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    network::read::<Electrical>(r)
}
