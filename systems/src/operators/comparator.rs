//! Comparison of two signals, with hysteresis if it is asked for.

use kinegraph_core::parameter::{self, ParameterError, PerChannel};
use kinegraph_core::port::{Crossing, Sampling, Tick, Witness};
use kinegraph_core::system::Reset;
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// `output = 1` while `input - reference` is above the threshold, 0 while it is below, element by element.
///
/// With a hysteresis h the output rises at `threshold + h/2` and falls at `threshold - h/2`; between the two it keeps
/// its value. The output is discrete state, switched by a witness function: it changes at the exact time of the
/// crossing. At time zero the signals decide; an element within the hysteresis starts at 0. The output depends on that
/// state only, so the block breaks algebraic loops.
pub struct Comparator {
    /// Width n.
    pub input: In<Dyn>,
    /// Width n, in the units of the input; zero if it is not connected.
    pub reference: In<Dyn>,
    /// 1 or 0, width n.
    pub output: Out<Dyn>,
    threshold: Vec<f64>,
    /// Half of the hysteresis.
    half: Vec<f64>,
    ports: Ports,
}

impl Comparator {
    /// A comparator of `width` elements; threshold and hysteresis (in units of the input) one for all or one each.
    ///
    /// # Errors
    /// A list that is not `width` long, a number that is not finite, a negative hysteresis.
    pub fn new(
        width: usize,
        threshold: impl Into<PerChannel>,
        hysteresis: impl Into<PerChannel>,
    ) -> Result<Self, ParameterError> {
        let threshold = threshold.into().expand("threshold", width)?;
        let hysteresis = hysteresis.into().expand("hysteresis", width)?;
        parameter::within("hysteresis", &hysteresis, "a number that is not negative", |h| h >= 0.0)?;
        let mut ports = Ports::new();
        let input = ports.input_of_width("input", width);
        let reference = ports.optional_input_of_width("reference", width);
        let output = ports.output_of_width("output", width);
        ports.no_feedthrough(output);
        ports.discrete_state("above", vec![0.0; width]);
        ports.periodic(Sampling::once(0.0));
        for i in 0..width {
            ports.witness(format!("output[{i}]"), Crossing::Rising);
        }
        let half = hysteresis.iter().map(|h| 0.5 * h).collect();
        Ok(Comparator { input, reference, output, threshold, half, ports })
    }

    /// The input of element `i` above its reference and its threshold.
    fn excess(&self, ctx: &Context<f64>, i: usize) -> f64 {
        let reference = ctx.get_optional(self.reference).map_or(0.0, |reference| reference[i]);
        ctx.get(self.input)[i] - reference - self.threshold[i]
    }
}

impl LeafSystem for Comparator {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        for (y, &above) in out.slice(self.output).iter_mut().zip(ctx.discrete) {
            *y = S::constant(above);
        }
    }

    fn update(&self, _tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        for (i, above) in next.iter_mut().enumerate() {
            let excess = self.excess(ctx, i);
            if excess.abs() >= self.half[i] {
                *above = f64::from(u8::from(excess >= 0.0));
            }
        }
    }

    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        for (i, value) in values.iter_mut().enumerate() {
            // Positive once the element should change.
            let excess = self.excess(ctx, i);
            *value = if ctx.discrete[i] > 0.5 { -excess - self.half[i] } else { excess - self.half[i] };
        }
    }

    fn reset(&self, witness: Witness, _ctx: &Context<f64>, state: &mut Reset) {
        let above = &mut state.discrete[witness.index];
        *above = 1.0 - *above;
    }
}
