//! Common part of sampled sensors: sample times and errors of the readings, and the construction of a sensor on a link
//! of a plant.

use super::plant_beside::OnLink;
use super::sampling::sampling;
use crate::form::{
    BlockSpec, NON_NEGATIVE, NUMBER, Number, PerChannel, Position, Reader, ScalarOrList, Site, SystemSpec, WHOLE,
    WithDefault, with_default,
};
use kinegraph_core::ErasedSystem;
use kinegraph_core::convex::ConvexPlant;
use kinegraph_systems::sensors::{SampleSettings, SensorError};
use std::fmt;
use std::sync::Arc;

pub(super) const LATENCY: WithDefault<Number> =
    with_default("latency", NON_NEGATIVE, 0.0, "time from when a reading is taken until it is there [s]");
const BIAS: WithDefault<ScalarOrList> = with_default(
    "bias",
    ScalarOrList(NUMBER),
    PerChannel::All(0.0),
    "what is added to each reading, for all numbers or one each, in their unit [any]",
);
const NOISE: WithDefault<ScalarOrList> = with_default(
    "noise",
    ScalarOrList(NON_NEGATIVE),
    PerChannel::All(0.0),
    "standard deviation of each reading, in its unit [any]",
);
const RESOLUTION: WithDefault<ScalarOrList> = with_default(
    "resolution",
    ScalarOrList(NON_NEGATIVE),
    PerChannel::All(0.0),
    "readings are multiples of this, in their unit; 0: they are not rounded [any]",
);
pub(super) const SEED: WithDefault<Number> = with_default("seed", WHOLE, 0.0, "another seed gives other noise");

/// Reads `period`, `offset`, `latency`, `bias`, `noise`, `resolution` and `seed`; `None` after a fault.
pub(super) fn sampled(r: &mut Reader<'_>) -> Option<SampleSettings> {
    let sampling = sampling(r);
    let latency = r.get(&LATENCY);
    let (bias, noise) = (r.get(&BIAS), r.get(&NOISE));
    let resolution = r.get(&RESOLUTION);
    let seed = r.get(&SEED) as u64;
    Some(SampleSettings { sampling: sampling?, latency, bias, noise, resolution, seed })
}

/// A sensor on a link of a plant.
struct SensorOnLink<F> {
    on: OnLink,
    /// Name of the block in messages.
    what: &'static str,
    make: F,
}

impl<F> fmt::Debug for SensorOnLink<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SensorOnLink").field("on", &self.on).field("what", &self.what).finish_non_exhaustive()
    }
}

impl<B, F> BlockSpec for SensorOnLink<F>
where
    B: ErasedSystem,
    F: Fn(&dyn ConvexPlant, &str) -> Result<B, SensorError> + Send + Sync + 'static,
{
    fn beside(&self) -> Option<(&str, Position)> {
        Some(self.on.beside())
    }
    fn build(&self, site: &Site<'_>) -> Option<Arc<dyn ErasedSystem>> {
        let plant = self.on.plant(site, self.what)?;
        site.built((self.make)(plant, &self.on.link))
    }
}

/// Description of a sensor on a link. `make` creates it from the plant and the name of the link; messages call it
/// `what`.
pub(super) fn sensor_on_link<B: ErasedSystem>(
    on: OnLink,
    what: &'static str,
    make: impl Fn(&dyn ConvexPlant, &str) -> Result<B, SensorError> + Send + Sync + 'static,
) -> Option<SystemSpec> {
    Some(Box::new(SensorOnLink { on, what, make }))
}
