//! `type: discrete_state_space`.

use super::linear_system::{LinearSystem, SQUARE, STATES_BY_INPUTS};
use super::sampling::sampling;
use crate::form::{BlockType, Group, Matrix, Needs, Reader, SystemSpec, needs, recipe};
use kinegraph_systems::dynamics::DiscreteStateSpace;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "discrete_state_space",
    group: Group::Sampled,
    about: "a sampled linear system: y = C x + D u, then x = A x + B u",
    example: "observer: {type: discrete_state_space, A: [[0.9]], B: [[0.1]], C: [[1]], period: 0.01}",
    files: &[],
    read,
};

const A: Needs<Matrix> = needs("A", SQUARE, "of x ← A x + B u");
const B: Needs<Matrix> = needs("B", STATES_BY_INPUTS, "of x ← A x + B u");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let system = LinearSystem::read(r, &A, &B);
    let (sampling, system) = (sampling(r)?, system?);
    recipe(move || {
        let LinearSystem { a, b, c, d, .. } = system.clone();
        DiscreteStateSpace::new(a, b, c, d, system.initial()?, sampling)
    })
}
