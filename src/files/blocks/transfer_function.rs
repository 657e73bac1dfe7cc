//! `type: transfer_function`.

use crate::form::{BlockType, Group, ListOf, NUMBER, Needs, Number, Reader, SystemSpec, needs, recipe};
use kinegraph_systems::dynamics::TransferFunction;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "transfer_function",
    group: Group::Dynamics,
    about: "a ratio of polynomials in s, by falling powers",
    example: "lead: {type: transfer_function, numerator: [0.1, 1], denominator: [0.01, 1]}",
    files: &[],
    read,
};

const COEFFICIENTS: ListOf<Number> = ListOf { each: NUMBER, about: "a list of coefficients, by falling powers" };
const NUMERATOR: Needs<ListOf<Number>> =
    needs("numerator", COEFFICIENTS, "coefficients by falling powers of s: [1, 2] is s + 2");
const DENOMINATOR: Needs<ListOf<Number>> = needs("denominator", COEFFICIENTS, "likewise, of no lower degree");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (numerator, denominator) = (r.get(&NUMERATOR), r.get(&DENOMINATOR));
    let (numerator, denominator) = (numerator?, denominator?);
    recipe(move || TransferFunction::new(&numerator, &denominator))
}
