//! A signal that is set from outside the diagram.

use kinegraph_core::parameter::{self, ParameterError};
use kinegraph_core::port::OutputPort;
use kinegraph_core::signal::{BodyPoses, BodyVelocities, Dyn, Image, MultibodyState, SpatialForces};
use kinegraph_core::{Context, LeafSystem, Outputs, Ports, Scalar, SignalKind, TimeVariation};

/// `output(t) = held`, where `held` is the discrete state of the block, which the program that runs the diagram changes
/// between two steps. It is the input from a policy, a person or another simulator.
pub struct ExternalInput {
    ports: Ports,
}

impl ExternalInput {
    /// A signal of this kind that is `initial` until it is set.
    ///
    /// # Errors
    /// An element that is not finite.
    pub fn new(kind: SignalKind, initial: impl Into<Vec<f64>>) -> Result<Self, ParameterError> {
        Self::with("output", kind, initial.into(), &[], &[])
    }

    /// A signal in place of a block with the output `port`.
    ///
    /// # Errors
    /// An `initial` of another width than the port, or a number that is not finite.
    pub fn in_place_of(port: &OutputPort, initial: impl Into<Vec<f64>>) -> Result<Self, ParameterError> {
        let initial = initial.into();
        if initial.len() != port.width {
            let (given, expected) = (initial.len(), port.width);
            return Err(ParameterError::Size { parameter: "initial".into(), given, expected });
        }
        Self::with(&port.name, port.kind, initial, &port.elements, &port.units)
    }

    fn with(
        name: &str,
        kind: SignalKind,
        initial: Vec<f64>,
        elements: &[String],
        units: &[&'static str],
    ) -> Result<Self, ParameterError> {
        parameter::finite("initial", &initial)?;
        let mut ports = Ports::new();
        macro_rules! declare {
            ($($kind:ident => $signal:ty),*) => {
                match kind {$(
                    SignalKind::$kind => {
                        let output = ports.output_of_width::<$signal>(name, initial.len());
                        if !elements.is_empty() {
                            ports.name_elements(output, elements.to_vec());
                        }
                        if !units.is_empty() {
                            ports.set_units(output, units.to_vec());
                        }
                    }
                )*}
            };
        }
        declare!(Vector => Dyn, MultibodyState => MultibodyState, BodyPoses => BodyPoses,
            BodyVelocities => BodyVelocities, SpatialForces => SpatialForces, Image => Image);
        ports.discrete_state("held", initial);
        Ok(ExternalInput { ports })
    }
}

impl LeafSystem for ExternalInput {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn time_variation(&self, _times: (f64, f64)) -> TimeVariation {
        TimeVariation::Steady
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        for (y, &held) in out.slice_at(0).iter_mut().zip(ctx.discrete) {
            *y = S::constant(held);
        }
    }
}
