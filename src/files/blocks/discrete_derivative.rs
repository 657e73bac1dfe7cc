//! `type: discrete_derivative`.

use super::sampling::sampling;
use crate::form::{BlockType, Group, Reader, SystemSpec, recipe};
use kinegraph_systems::dynamics::DiscreteDerivative;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "discrete_derivative",
    group: Group::Sampled,
    about: "the difference of the last two samples over the period",
    example: "rate: {type: discrete_derivative, period: 0.01}",
    files: &[],
    read,
};

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let sampling = sampling(r);
    let width = r.width();
    let sampling = sampling?;
    recipe(move || DiscreteDerivative::new(width, sampling))
}
