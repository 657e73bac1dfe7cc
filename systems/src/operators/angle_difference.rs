//! Differences of angles.

use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};
use std::f64::consts::TAU;

/// `output = desired - measured` the shorter way round: at least -π and less than π, element by element.
pub struct AngleDifference {
    /// Angles \[rad\], width n.
    pub desired: In<Dyn>,
    /// Angles \[rad\], width n.
    pub measured: In<Dyn>,
    /// Angles \[rad\], width n.
    pub output: Out<Dyn>,
    ports: Ports,
}

impl AngleDifference {
    /// A block for `width` pairs of angles.
    pub fn new(width: usize) -> Self {
        let mut ports = Ports::new();
        let [desired, measured] = ["desired", "measured"].map(|name| ports.input_of_width(name, width));
        let output = ports.output_of_width("output", width);
        ports.units_alike([desired, measured], output);
        ports.set_units(output, vec!["rad"; width]);
        AngleDifference { desired, measured, output, ports }
    }
}

impl LeafSystem for AngleDifference {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn has_kinks(&self) -> bool {
        true
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let angles = ctx.get(self.desired).iter().zip(ctx.get(self.measured));
        for (y, (&desired, &measured)) in out.slice(self.output).iter_mut().zip(angles) {
            let turns = ((desired - measured).value() / TAU + 0.5).floor();
            *y = desired - measured - S::constant(TAU * turns);
        }
    }
}
