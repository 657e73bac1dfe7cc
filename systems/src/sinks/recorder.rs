//! Names for recorded signals.

use kinegraph_core::parameter::{self, ParameterError};
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// Names the numbers of a signal: a recorder `log` with the names `height` and `speed` makes them the channels
/// `log.height` and `log.speed`. `recorded = input`.
///
/// Blocks keep no values, so a recorder stores nothing: the simulation samples channels within its steps, which do not
/// depend on it.
pub struct Recorder {
    /// Width n.
    pub input: In<Dyn>,
    /// The input, under the names; width n.
    pub recorded: Out<Dyn>,
    ports: Ports,
}

impl Recorder {
    /// A recorder with one name per element.
    ///
    /// # Errors
    /// No names, an empty name, or one that stands twice.
    pub fn new(names: Vec<String>) -> Result<Self, ParameterError> {
        if names.is_empty() {
            return Err(ParameterError::Empty { parameter: "names".into() });
        }
        parameter::distinct("names", &names)?;
        let mut ports = Ports::new();
        let input = ports.input_of_width("input", names.len());
        let recorded = ports.output_of_width("recorded", names.len());
        ports.name_elements(recorded, names);
        Ok(Recorder { input, recorded, ports })
    }
}

impl LeafSystem for Recorder {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        out.set(self.recorded, ctx.get(self.input));
    }
}
