//! `type: discrete_transfer_function`.

use super::sampling::sampling;
use crate::files::decode::{ListOf, NUMBER};
use crate::files::reader::Reader;
use crate::files::registry::{BlockType, SystemSpec, recipe};
use kinegraph_systems::dynamics::DiscreteTransferFunction;

/// The registry entry.
pub const TYPE: BlockType = BlockType {
    name: "discrete_transfer_function",
    about: "a sampled difference equation: a ratio of polynomials in z, by falling powers",
    read,
};

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let coefficients = ListOf { each: NUMBER, about: "a list of coefficients, by falling powers" };
    let numerator = r.required("numerator", coefficients);
    let denominator = r.required("denominator", coefficients);
    let sampling = sampling(r);
    let (numerator, denominator, sampling) = (numerator?, denominator?, sampling?);
    recipe(&TYPE, move || DiscreteTransferFunction::new(&numerator, &denominator, sampling))
}
