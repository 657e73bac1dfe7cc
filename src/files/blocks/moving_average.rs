//! `type: moving_average`.

use super::sampling::sampling;
use crate::form::{BlockType, Count, Group, Needs, Reader, SystemSpec, WIDTH, needs, recipe};
use kinegraph_systems::dynamics::MovingAverage;
use std::num::NonZero;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "moving_average",
    group: Group::Sampled,
    about: "the mean of the last samples of its input",
    example: "smooth: {type: moving_average, samples: 10, period: 0.01}",
    files: &[],
    read,
};

/// Longest window.
const MAX_SAMPLES: usize = 100_000;

const SAMPLES: Needs<Count> = needs("samples", Count { limit: MAX_SAMPLES }, "how many samples the mean is of");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let samples = r.get(&SAMPLES);
    let sampling = sampling(r);
    let width = r.get(&WIDTH);
    let (samples, sampling) = (NonZero::new(samples?)?, sampling?);
    recipe(move || MovingAverage::new(width, samples, sampling))
}
