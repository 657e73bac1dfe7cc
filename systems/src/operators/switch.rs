//! A choice between two signals.

use kinegraph_core::parameter::{self, ParameterError};
use kinegraph_core::port::{Crossing, Witness};
use kinegraph_core::{Context, Dyn, Fixed, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// `output = above` if `control >= threshold`, otherwise `below`.
///
/// The block has no memory. Where the control crosses the threshold the output may jump, so a witness function ends the
/// step there; at the threshold itself `above` holds.
pub struct Switch {
    /// The control, one number.
    pub control: In<Fixed<1>>,
    /// Width n.
    pub above: In<Dyn>,
    /// Width n.
    pub below: In<Dyn>,
    /// Width n.
    pub output: Out<Dyn>,
    /// `control - threshold`.
    pub crossing: Witness,
    threshold: f64,
    ports: Ports,
}

impl Switch {
    /// A switch of signals of `width`.
    ///
    /// # Errors
    /// A threshold that is not finite.
    pub fn new(width: usize, threshold: f64) -> Result<Self, ParameterError> {
        parameter::finite("threshold", &[threshold])?;
        let mut ports = Ports::new();
        let control = ports.input("control");
        let [above, below] = ["above", "below"].map(|name| ports.input_of_width(name, width));
        let output = ports.output_of_width("output", width);
        ports.units_alike([above, below], output);
        Ok(Switch {
            control,
            above,
            below,
            output,
            crossing: ports.witness("control", Crossing::Either),
            threshold,
            ports,
        })
    }
}

impl LeafSystem for Switch {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn has_kinks(&self) -> bool {
        true
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let [control] = ctx.get(self.control);
        let chosen = if control.value() >= self.threshold { self.above } else { self.below };
        out.set(self.output, ctx.get(chosen));
    }

    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        let [control] = ctx.get(self.control);
        values[0] = control - self.threshold;
    }
}
