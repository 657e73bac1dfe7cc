//! `type: piecewise_polynomial`.

use crate::form::{BlockType, Group, ListOf, NUMBER, Needs, Number, Reader, SystemSpec, needs, recipe};
use kinegraph_systems::sources::PiecewisePolynomial;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "piecewise_polynomial",
    group: Group::Sources,
    about: "polynomials of time between breaks, with their first two rates",
    example: "path: {type: piecewise_polynomial, breaks: [0, 1, 2], coefficients: [[[0, 1]], [[1, 1, -0.5]]]}",
    files: &[],
    read,
};

const BREAKS: Needs<ListOf<Number>> = needs(
    "breaks",
    ListOf { each: NUMBER, about: "a list of increasing times in s" },
    "times [s] between which the polynomials hold",
);
const COEFFICIENTS: Needs<ListOf<ListOf<ListOf<Number>>>> = needs(
    "coefficients",
    ListOf {
        each: ListOf {
            each: ListOf { each: NUMBER, about: "the coefficients of rising powers" },
            about: "one list of coefficients per channel",
        },
        about: "for each segment, for each channel, the coefficients of rising powers",
    },
    "per segment and signal, of rising powers of the time since the segment's begin [any]",
);

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (breaks, coefficients) = (r.get(&BREAKS), r.get(&COEFFICIENTS));
    let (breaks, coefficients) = (breaks?, coefficients?);
    recipe(move || PiecewisePolynomial::new(breaks.clone(), coefficients.clone()))
}
