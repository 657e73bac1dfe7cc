//! `type: state_space`.

use super::linear_system::{LinearSystem, SQUARE, STATES_BY_INPUTS};
use crate::form::{BlockType, Group, Matrix, Needs, Reader, SystemSpec, needs, recipe};
use kinegraph_systems::dynamics::StateSpace;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "state_space",
    group: Group::Dynamics,
    about: "a linear system: dx/dt = A x + B u, y = C x + D u",
    example: "motor: {type: state_space, A: [[0, 1], [0, -2]], B: [[0], [1]], C: [[1, 0]]}",
    files: &[],
    read,
};

const A: Needs<Matrix> = needs("A", SQUARE, "of ẋ = A x + B u");
const B: Needs<Matrix> = needs("B", STATES_BY_INPUTS, "of ẋ = A x + B u");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let system = LinearSystem::read(r, &A, &B)?;
    recipe(move || {
        let LinearSystem { a, b, c, d, .. } = system.clone();
        StateSpace::new(a, b, c, d, system.initial()?)
    })
}
