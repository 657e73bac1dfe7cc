//! `type: discrete_derivative`.

use super::sampling::sampling;
use super::width;
use crate::files::reader::Reader;
use crate::files::registry::{BlockType, SystemSpec, recipe};
use kinegraph_systems::dynamics::DiscreteDerivative;

/// The registry entry.
pub const TYPE: BlockType =
    BlockType { name: "discrete_derivative", about: "the difference of the last two samples over the period", read };

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let sampling = sampling(r);
    let width = width(r, &[]);
    let sampling = sampling?;
    recipe(&TYPE, move || DiscreteDerivative::new(width, sampling))
}
