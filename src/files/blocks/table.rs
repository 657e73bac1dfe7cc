//! `type: table`.

use crate::form::{
    BlockType, Choice, Group, ListOf, NUMBER, Needs, Number, Reader, SystemSpec, WIDTH, WithDefault, needs, recipe,
    with_default,
};
use kinegraph_systems::operators::{Beyond, Interpolation, Table};

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "table",
    group: Group::Operators,
    about: "reads a function off a table of points",
    example: "valve: {type: table, arguments: [0, 0.5, 1], values: [0, 0.2, 1]}",
    files: &[],
    read,
};

const ARGUMENTS: Needs<ListOf<Number>> = needs(
    "arguments",
    ListOf { each: NUMBER, about: "a list of increasing numbers" },
    "inputs for which the output is known [any]",
);
const VALUES: Needs<ListOf<Number>> =
    needs("values", ListOf { each: NUMBER, about: "a list with the value at each argument" }, "outputs there [any]");
const INTERPOLATION: WithDefault<Choice<Interpolation>> = with_default(
    "interpolation",
    Choice {
        what: "interpolation",
        options: &[
            ("linear", Interpolation::Linear),
            ("monotone", Interpolation::Monotone),
            ("natural", Interpolation::Natural),
        ],
    },
    Interpolation::Linear,
    "between the points: `linear`, `monotone` cubic, `natural` cubic spline",
);
const BEYOND: WithDefault<Choice<Beyond>> = with_default(
    "beyond",
    Choice { what: "behaviour", options: &[("clamp", Beyond::Clamp), ("extend", Beyond::Extend)] },
    Beyond::Clamp,
    "outside of the points: `clamp`, the last value, or `extend`, its tangent",
);

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (arguments, values) = (r.get(&ARGUMENTS), r.get(&VALUES));
    let (method, beyond) = (r.get(&INTERPOLATION), r.get(&BEYOND));
    let width = r.get(&WIDTH);
    let (arguments, values) = (arguments?, values?);
    recipe(move || Table::new(width, arguments.clone(), values.clone(), method, beyond))
}
