//! `type: discrete_transfer_function`.

use super::sampling::sampling;
use crate::form::{BlockType, Group, ListOf, NUMBER, Needs, Number, Reader, SystemSpec, needs, recipe};
use kinegraph_systems::dynamics::DiscreteTransferFunction;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "discrete_transfer_function",
    group: Group::Sampled,
    about: "a sampled difference equation: a ratio of polynomials in z, by falling powers",
    example: "smooth: {type: discrete_transfer_function, numerator: [0.1], denominator: [1, -0.9], period: 0.01}",
    files: &[],
    read,
};

const COEFFICIENTS: ListOf<Number> = ListOf { each: NUMBER, about: "a list of coefficients, by falling powers" };
const NUMERATOR: Needs<ListOf<Number>> = needs("numerator", COEFFICIENTS, "coefficients by falling powers of z");
const DENOMINATOR: Needs<ListOf<Number>> = needs("denominator", COEFFICIENTS, "likewise, of no lower degree");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (numerator, denominator) = (r.get(&NUMERATOR), r.get(&DENOMINATOR));
    let sampling = sampling(r);
    let (numerator, denominator, sampling) = (numerator?, denominator?, sampling?);
    recipe(move || DiscreteTransferFunction::new(&numerator, &denominator, sampling))
}
