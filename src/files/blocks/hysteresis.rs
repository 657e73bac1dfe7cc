//! `type: hysteresis`.

use crate::form::{
    AT_LEAST_ONE, BlockType, Group, Needs, POSITIVE, PerChannel, Reader, ScalarOrList, SystemSpec, UNIT, UPPER_HALF,
    WithDefault, needs, recipe, with_default,
};
use kinegraph_systems::dynamics::{Hysteresis, HysteresisSettings};

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "hysteresis",
    group: Group::Dynamics,
    about: "the force of a spring that yields and keeps a part of its deformation (Bouc-Wen)",
    example: "yielding: {type: hysteresis, stiffness: 1000, yield_displacement: 0.01, yielded_stiffness_ratio: 0.1, exponent: 2, shape: 0.6}",
    files: &[],
    read,
};

const STIFFNESS: Needs<ScalarOrList> =
    needs("stiffness", ScalarOrList(POSITIVE), "k before it yields [N/m or N m/rad]");
const YIELD_DISPLACEMENT: Needs<ScalarOrList> =
    needs("yield_displacement", ScalarOrList(POSITIVE), "d at which it yields [m or rad]");
const RATIO: WithDefault<ScalarOrList> = with_default(
    "yielded_stiffness_ratio",
    ScalarOrList(UNIT),
    PerChannel::All(0.0),
    "α, stiffness of the yielded spring over that before",
);
const EXPONENT: WithDefault<ScalarOrList> = with_default(
    "exponent",
    ScalarOrList(AT_LEAST_ONE),
    PerChannel::All(1.0),
    "n, sharpness of the bend where it yields",
);
const SHAPE: WithDefault<ScalarOrList> = with_default(
    "shape",
    ScalarOrList(UPPER_HALF),
    PerChannel::All(0.5),
    "b: it unloads at first with the stiffness 2 b k",
);

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (stiffness, yield_displacement) = (r.get(&STIFFNESS), r.get(&YIELD_DISPLACEMENT));
    let (yielded_stiffness_ratio, exponent, shape) = (r.get(&RATIO), r.get(&EXPONENT), r.get(&SHAPE));
    let width = r.width();
    let (stiffness, yield_displacement) = (stiffness?, yield_displacement?);
    let settings = HysteresisSettings { stiffness, yielded_stiffness_ratio, yield_displacement, exponent, shape };
    recipe(move || Hysteresis::new(width, settings.clone()))
}
