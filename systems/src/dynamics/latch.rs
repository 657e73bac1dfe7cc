//! A set-reset latch.

use kinegraph_core::parameter::{self, ParameterError};
use kinegraph_core::port::{Crossing, Sampling, Tick, Witness};
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Reset, Scalar};

/// The input of a [`Latch`] that decides while both are true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dominant {
    /// `set`: the output is 1.
    Set,
    /// `reset`: the output is 0.
    Reset,
}

/// `output = 1` while `set` is true, 0 while `reset` is true, and as it was while neither is, element by element; while
/// both are true, the dominant one decides.
///
/// An input is true above the threshold. The output is discrete state and changes at the exact time at which an input
/// does. At time zero the inputs decide where one is true. The output depends on that state only, so the block breaks
/// algebraic loops.
pub struct Latch {
    /// Width n.
    pub set: In<Dyn>,
    /// Width n.
    pub reset: In<Dyn>,
    /// 1 or 0, width n.
    pub output: Out<Dyn>,
    threshold: f64,
    dominant: Dominant,
    ports: Ports,
}

impl Latch {
    /// A latch of `width` elements whose inputs are true above `threshold`; `initial` is its output before an input is
    /// true.
    ///
    /// # Errors
    /// A threshold that is not finite.
    pub fn new(width: usize, threshold: f64, dominant: Dominant, initial: bool) -> Result<Self, ParameterError> {
        parameter::finite("threshold", &[threshold])?;
        let mut ports = Ports::new();
        let [set, reset] = ["set", "reset"].map(|name| ports.input_of_width(name, width));
        let output = ports.output_of_width("output", width);
        ports.no_feedthrough(output);
        ports.discrete_state("set", vec![f64::from(u8::from(initial)); width]);
        ports.periodic(Sampling::once(0.0));
        for i in 0..width {
            ports.witness(format!("output[{i}]"), Crossing::Rising);
        }
        Ok(Latch { set, reset, output, threshold, dominant, ports })
    }

    /// A number that is positive if element `i`, which is set or not, should change.
    fn due(&self, ctx: &Context<f64>, i: usize, is_set: bool) -> f64 {
        let [set, reset] = [self.set, self.reset].map(|input| ctx.get(input)[i] - self.threshold);
        match (is_set, self.dominant) {
            (false, Dominant::Set) => set,
            (false, Dominant::Reset) => set.min(-reset),
            (true, Dominant::Set) => reset.min(-set),
            (true, Dominant::Reset) => reset,
        }
    }
}

impl LeafSystem for Latch {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        for (y, &set) in out.slice(self.output).iter_mut().zip(ctx.discrete) {
            *y = S::constant(set);
        }
    }

    fn update(&self, _tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        for (i, set) in next.iter_mut().enumerate() {
            if self.due(ctx, i, *set > 0.5) > 0.0 {
                *set = 1.0 - *set;
            }
        }
    }

    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        for (i, value) in values.iter_mut().enumerate() {
            *value = self.due(ctx, i, ctx.discrete[i] > 0.5);
        }
    }

    fn reset(&self, witness: Witness, _ctx: &Context<f64>, state: &mut Reset) {
        let set = &mut state.discrete[witness.index];
        *set = 1.0 - *set;
    }
}
