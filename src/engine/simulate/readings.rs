//! Values of channels at listed times, to compare runs.

use super::sampling::Sampling;
use super::simulation::Advance;
use super::{ObservedRunError, Sampler, Simulation};
use kinegraph_diagram::Channel;
use std::ops::ControlFlow;

/// Report of a run that is read, while it advances.
#[derive(Debug)]
pub enum Reading<'a> {
    /// The values of the channels at a listed time \[s\].
    Values(f64, &'a [f64]),
    /// A step was taken, or failed.
    Step(&'a Simulation),
}

impl Simulation {
    /// Advances to the last of `times` \[s\], which ascend from the present time of the simulation, and calls `read`
    /// with the values of `channels` at each of them, and with every step. Reading does not change the run. If `read`
    /// answers with `Break`, the run ends.
    ///
    /// # Errors
    /// Errors of the run. All values before were read.
    pub fn advance_reading(
        &mut self,
        times: &[f64],
        channels: &[Channel],
        mut read: impl FnMut(Reading<'_>) -> ControlFlow<()>,
    ) -> Result<(), ObservedRunError> {
        let Some(&end) = times.last() else { return Ok(()) };
        self.check_steps(end)?;
        self.start()?;
        let mut sampler = Sampler::new(self.diagram(), channels);
        let resumed = self.reports_from.take();
        let sampling = Sampling::listed(&self.world, resumed, times);
        self.advance_with(end, sampling, resumed, |advance| {
            Ok(match advance {
                Advance::Step(simulation) => read(Reading::Step(simulation)),
                Advance::Motion(_) => ControlFlow::Continue(()),
                Advance::Sample(state, seen) => {
                    let mut sample = sampler.sample_step(state, seen);
                    read(Reading::Values(state.time, sample.values()))
                }
            })
        })
    }
}
