//! Clocks.

use super::sampled::{SampleSettings, Sampled};
use kinegraph_core::parameter::{self, ParameterError};
use kinegraph_core::port::Tick;
use kinegraph_core::{Context, Fixed, LeafSystem, Out, Outputs, Ports, Scalar};

/// A clock that is read every period: `time = start + (1 + drift) t`, with noise and latency like any sampled reading.
pub struct Clock {
    /// Reading of the clock \[s\].
    pub time: Out<Fixed<1>>,
    drift: f64,
    start: f64,
    sampled: Sampled,
    ports: Ports,
}

/// Sampling, drift and offset of a [`Clock`].
#[derive(Clone, Debug, PartialEq)]
pub struct ClockSettings {
    /// The readings.
    pub sampled: SampleSettings,
    /// Drift as a fraction of the time: 1e-5 is 0.864 s a day.
    pub drift: f64,
    /// Reading at time zero \[s\].
    pub start: f64,
}

impl Clock {
    /// A clock.
    ///
    /// # Errors
    /// A number that is not finite, a period that is not positive, a negative latency, standard deviation or
    /// resolution.
    pub fn new(settings: ClockSettings) -> Result<Self, ParameterError> {
        let ClockSettings { sampled, drift, start } = settings;
        parameter::finite("drift", &[drift])?;
        parameter::finite("start", &[start])?;
        let mut ports = Ports::new();
        let time = ports.output("time");
        ports.set_units(time, vec!["s"]);
        ports.no_feedthrough(time);
        let sampled = Sampled::declare(&mut ports, 1, sampled)?;
        Ok(Clock { time, drift, start, sampled, ports })
    }
}

impl LeafSystem for Clock {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        self.sampled.write(ctx, out.slice(self.time));
    }

    fn update(&self, tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        let shown = self.start + (1.0 + self.drift) * ctx.time;
        self.sampled.update(tick, ctx, next, |y| y.fill(shown), |_, _| ());
    }
}
