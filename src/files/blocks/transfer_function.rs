//! `type: transfer_function`.

use crate::files::decode::{ListOf, NUMBER};
use crate::files::reader::Reader;
use crate::files::registry::{BlockType, SystemSpec, recipe};
use kinegraph_systems::dynamics::TransferFunction;

/// The registry entry.
pub const TYPE: BlockType =
    BlockType { name: "transfer_function", about: "a ratio of polynomials in s, by falling powers", read };

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let coefficients = ListOf { each: NUMBER, about: "a list of coefficients, by falling powers" };
    let numerator = r.required("numerator", coefficients);
    let denominator = r.required("denominator", coefficients);
    let (numerator, denominator) = (numerator?, denominator?);
    recipe(&TYPE, move || TransferFunction::new(&numerator, &denominator))
}
