//! `type: noise`.

use crate::form::{
    BlockType, Group, NON_NEGATIVE, NUMBER, Needs, Number, POSITIVE, PerChannel, Reader, ScalarOrList, SystemSpec,
    WHOLE, WithDefault, needs, recipe, with_default,
};
use kinegraph_systems::sources::Noise;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "noise",
    group: Group::Sources,
    about: "normal random numbers, held for a period",
    example: "wind: {type: noise, standard_deviation: 0.1, period: 0.01}",
    files: &[],
    read,
};

const STANDARD_DEVIATION: Needs<ScalarOrList> =
    needs("standard_deviation", ScalarOrList(NON_NEGATIVE), "standard deviation [any]");
const MEAN: WithDefault<ScalarOrList> = with_default("mean", ScalarOrList(NUMBER), PerChannel::All(0.0), "mean [any]");
const PERIOD: Needs<Number> = needs("period", POSITIVE, "how long each number is held [s]");
const SEED: WithDefault<Number> = with_default("seed", WHOLE, 0.0, "another seed gives other numbers");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let deviation = r.get(&STANDARD_DEVIATION);
    let mean = r.get(&MEAN);
    let period = r.get(&PERIOD);
    let seed = r.get(&SEED);
    let width = r.width();
    r.output_is(STANDARD_DEVIATION, 0);
    r.output_is(MEAN, 0);
    let (deviation, period) = (deviation?, period?);
    recipe(move || Noise::new(width, deviation.clone(), mean.clone(), period, seed as u64))
}
