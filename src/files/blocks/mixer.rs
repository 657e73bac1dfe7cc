//! `type: mixer`.

use crate::form::{
    BlockType, Choice, Group, ListOf, NUMBER, Needs, Number, Optional, Reader, ScalarOrList, SystemSpec, WithDefault,
    needs, optional, recipe, with_default,
};
use kinegraph_systems::control::{Mixer, Overload};

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "mixer",
    group: Group::Controllers,
    about: "allocates commands to actuators with limits",
    example: "rotors: {type: mixer, matrix: [[0.5, 1], [0.5, -1]], lower: -1, upper: 5, overload: scale}",
    files: &[],
    read,
};

const MATRIX: Needs<ListOf<ListOf<Number>>> = needs(
    "matrix",
    ListOf {
        each: ListOf { each: NUMBER, about: "the numbers of one row" },
        about: "a list of rows, each a list of numbers",
    },
    "output = matrix times command: one row per actuator, one column per command [any]",
);
const LOWER: Optional<ScalarOrList> =
    optional("lower", ScalarOrList(NUMBER), "none", "smallest output, for all actuators or one each [any]").live();
const UPPER: Optional<ScalarOrList> =
    optional("upper", ScalarOrList(NUMBER), "none", "largest output, for all actuators or one each [any]").live();
const OVERLOAD: WithDefault<Choice<Overload>> = with_default(
    "overload",
    Choice { what: "rule", options: &[("clip", Overload::Clip), ("scale", Overload::Scale)] },
    Overload::Clip,
    "`clip`: each actuator stops at its limit; `scale`: all are reduced by one factor, with limits to both sides of 0",
);

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let matrix = r.get(&MATRIX);
    let (lower, upper, overload) = (r.get(&LOWER), r.get(&UPPER), r.get(&OVERLOAD));
    let matrix = matrix?;
    recipe(move || Mixer::new(matrix.clone(), lower.clone(), upper.clone(), overload))
}
