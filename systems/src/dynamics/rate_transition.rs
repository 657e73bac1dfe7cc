//! A signal handed over between parts that are sampled at different rates.

use kinegraph_core::parameter::{self, ParameterError, PerChannel};
use kinegraph_core::port::{Sampling, Tick};
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// The way in which a [`RateTransition`] hands its signal over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transfer {
    /// The newest sample, held for a slow period.
    Hold,
    /// The sample of one slow period before, held for a slow period.
    Delay,
}

/// A hold or a delay at the slower one of two rates: `output(t) = input(tₖ)` (hold) or `input(tₖ₋₁)` (delay) for
/// `tₖ <= t < tₖ₊₁`, where tₖ are the multiples of the longer period and the input is that just before its event.
///
/// A slow reader of a fast part sees one value in each of its periods. A fast reader of a slow part sees the result of
/// a slow computation from the end of the period in which it was computed (a part that is sampled at tₖ changes its
/// output there, which is after the value just before), however often it reads meanwhile. The delay adds one slow
/// period. The longer period is a whole multiple of the shorter one, so that the events of both parts coincide.
pub struct RateTransition {
    /// Width n.
    pub input: In<Dyn>,
    /// Width n.
    pub output: Out<Dyn>,
    width: usize,
    transfer: Transfer,
    ports: Ports,
}

/// Largest distance of the ratio of two periods from a whole number: 0.3/0.1 differs from 3 in the last bits.
const WHOLE: f64 = 1e-9;

impl RateTransition {
    /// A transition of `width` elements from a part sampled every `from` \[s\] to one sampled every `to` \[s\]; the
    /// output is `initial` up to its first sample.
    ///
    /// # Errors
    /// A list that is not `width` long, a number that is not finite, a period that is not positive, periods of which
    /// neither is a whole multiple of the other.
    pub fn new(
        width: usize,
        [from, to]: [f64; 2],
        transfer: Transfer,
        initial: impl Into<PerChannel>,
    ) -> Result<Self, ParameterError> {
        let initial = initial.into().expand("initial", width)?;
        for (name, period) in [("from", from), ("to", to)] {
            parameter::finite(name, &[period])?;
            parameter::positive(name, &[period])?;
        }
        let slow = from.max(to);
        let ratio = slow / from.min(to);
        let expected = "a period of which `from` is a whole multiple, or which is a whole multiple of `from`";
        parameter::within("to", &[to], expected, |_| (ratio - ratio.round()).abs() <= WHOLE * ratio)?;
        let mut ports = Ports::new();
        let input = ports.input_of_width("input", width);
        let output = ports.output_of_width("output", width);
        ports.no_feedthrough(output);
        ports.periodic(parameter::sampling(Sampling::every(slow))?);
        ports.discrete_state("shown", initial.clone());
        if transfer == Transfer::Delay {
            ports.discrete_state("sample", initial);
        }
        ports.units_alike([input], output);
        Ok(RateTransition { input, output, width, transfer, ports })
    }
}

impl LeafSystem for RateTransition {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        for (y, &shown) in out.slice(self.output).iter_mut().zip(ctx.discrete) {
            *y = S::constant(shown);
        }
    }

    fn update(&self, _tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        let (shown, sample) = next.split_at_mut(self.width);
        match self.transfer {
            Transfer::Hold => shown.copy_from_slice(ctx.get(self.input)),
            Transfer::Delay => {
                shown.copy_from_slice(sample);
                sample.copy_from_slice(ctx.get(self.input));
            }
        }
    }
}
