//! Inputs of a person while a diagram runs: axes and buttons of a gamepad, keys.

use kinegraph_core::parameter::{self, ParameterError, PerChannel};
use kinegraph_core::{Context, Dyn, LeafSystem, Out, Outputs, Ports, Scalar, TimeVariation};

/// `output = scale · d(held)`, signal by signal, where `held` is the discrete state of the block, from -1 to 1, which
/// the program that runs the diagram changes between two steps. With the dead zone z
///
/// ```text
/// d(x) = sign(x) max(|x| - z, 0) / (1 - z)
/// ```
///
/// so that a stick at rest gives zero, and a stick at its end gives the scale.
pub struct OperatorInput {
    /// The signals, width n.
    pub output: Out<Dyn>,
    scale: Vec<f64>,
    dead_zone: f64,
    ports: Ports,
}

/// Name of its run of discrete state.
pub const OPERATED: &str = "operated";

impl OperatorInput {
    /// Signals of these names; at rest all are zero.
    ///
    /// # Errors
    /// No signal; a name twice; a list of scales of another length; a scale that is not finite; a dead zone that is not
    /// from 0 to below 1.
    pub fn new(names: &[String], scale: impl Into<PerChannel>, dead_zone: f64) -> Result<Self, ParameterError> {
        if names.is_empty() {
            return Err(ParameterError::Empty { parameter: "signals".into() });
        }
        parameter::distinct("signals", names)?;
        let scale = scale.into().expand("scale", names.len())?;
        parameter::within("dead_zone", &[dead_zone], "a number from 0 to below 1", |x| (0.0..1.0).contains(&x))?;
        let mut ports = Ports::new();
        let output = ports.output_of_width("output", names.len());
        ports.name_elements(output, names.to_vec());
        ports.discrete_state(OPERATED, vec![0.0; names.len()]);
        Ok(OperatorInput { output, scale, dead_zone, ports })
    }
}

impl LeafSystem for OperatorInput {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn time_variation(&self, _times: (f64, f64)) -> TimeVariation {
        TimeVariation::Steady
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let z = self.dead_zone;
        for ((y, &held), &scale) in out.slice(self.output).iter_mut().zip(ctx.discrete).zip(&self.scale) {
            let beyond = (held.abs().min(1.0) - z).max(0.0) / (1.0 - z);
            *y = S::constant(scale * beyond.copysign(held));
        }
    }
}
