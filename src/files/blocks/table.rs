//! `type: table`.

use super::WIDEST;
use crate::files::decode::{Choice, Count, ListOf, NUMBER};
use crate::files::reader::Reader;
use crate::files::registry::{BlockType, SystemSpec, recipe};
use kinegraph_systems::operators::{Beyond, Interpolation, Table};

/// The registry entry.
pub const TYPE: BlockType = BlockType { name: "table", about: "reads a function off a table of points", read };

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let numbers = |about| ListOf { each: NUMBER, about };
    let arguments = r.required("arguments", numbers("a list of increasing numbers"));
    let values = r.required("values", numbers("a list with the value at each argument"));
    let methods = &[
        ("linear", Interpolation::Linear),
        ("monotone", Interpolation::Monotone),
        ("natural", Interpolation::Natural),
    ];
    let method = r.or("interpolation", Choice { what: "interpolation", options: methods }, Interpolation::Linear);
    let ends = Choice { what: "behaviour", options: &[("clamp", Beyond::Clamp), ("extend", Beyond::Extend)] };
    let beyond = r.or("beyond", ends, Beyond::Clamp);
    let width = r.or("width", Count { limit: WIDEST }, 1);
    let (arguments, values) = (arguments?, values?);
    recipe(&TYPE, move || Table::new(width, arguments.clone(), values.clone(), method, beyond))
}
