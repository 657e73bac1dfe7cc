//! `type: lugre_friction`.

use super::sliding::sliding;
use crate::form::{
    BlockType, Group, NON_NEGATIVE, Needs, POSITIVE, PerChannel, Reader, ScalarOrList, SystemSpec, WithDefault, needs,
    recipe, with_default,
};
use kinegraph_systems::dynamics::LugreFriction;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "lugre_friction",
    group: Group::Dynamics,
    about: "the force of friction that sticks, breaks away and slips, with bristles as its state",
    example: "slide: {type: lugre_friction, coulomb: 1, breakaway: 1.5, viscous: 0.4, stiffness: 1.0e5, damping: 316}",
    files: &[],
    read,
};

const STIFFNESS: Needs<ScalarOrList> =
    needs("stiffness", ScalarOrList(POSITIVE), "σ₀ of the bristles [N/m or N m/rad]");
const DAMPING: WithDefault<ScalarOrList> = with_default(
    "damping",
    ScalarOrList(NON_NEGATIVE),
    PerChannel::All(0.0),
    "σ₁ of the bristles [N s/m or N m s/rad]",
);

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let sliding = sliding(r);
    let (stiffness, damping) = (r.get(&STIFFNESS), r.get(&DAMPING));
    let width = r.width();
    let (sliding, stiffness) = (sliding?, stiffness?);
    recipe(move || LugreFriction::new(width, sliding.clone(), stiffness.clone(), damping.clone()))
}
