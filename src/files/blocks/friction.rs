//! `type: friction`.

use super::sliding::sliding;
use crate::form::{
    BlockType, Group, POSITIVE, PerChannel, Reader, ScalarOrList, SystemSpec, WithDefault, recipe, with_default,
};
use kinegraph_systems::dynamics::Friction;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "friction",
    group: Group::Operators,
    about: "the force of Coulomb, viscous and Stribeck friction at a velocity, smooth about zero",
    example: "rail: {type: friction, coulomb: 5, breakaway: 7, viscous: 0.4, stribeck_speed: 0.1, transition_speed: 1.0e-3}",
    files: &[],
    read,
};

const TRANSITION_SPEED: WithDefault<ScalarOrList> = with_default(
    "transition_speed",
    ScalarOrList(POSITIVE),
    PerChannel::All(1e-3),
    "v_t of the factor tanh(v/v_t), with which the force goes through zero [m/s or rad/s]",
);

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let sliding = sliding(r);
    let transition_speed = r.get(&TRANSITION_SPEED);
    let width = r.width();
    let sliding = sliding?;
    recipe(move || Friction::new(width, sliding.clone(), transition_speed.clone()))
}
