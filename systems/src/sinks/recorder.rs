//! Names for what is recorded.

use crate::parameter::{self, ParameterError};
use crate::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// Gives the numbers of a signal names of their own: a recorder `log` with the names `height` and `speed` makes them
/// the channels `log.height` and `log.speed`. `recorded = input`.
///
/// Blocks keep no values, so a recorder stores nothing: the simulation samples channels off its steps, which never
/// change by that.
pub struct Recorder {
    /// Width n.
    pub input: In<Dyn>,
    /// The same, under the names; width n.
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
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        out.set(self.recorded, ctx.get(self.input));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Bench, conformance};

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn conforms() {
        conformance::check(&Recorder::new(names(&["height", "speed"])).unwrap());
    }

    #[test]
    fn shows_its_input_under_names() {
        let recorder = Recorder::new(names(&["height", "speed"])).unwrap();
        assert_eq!(Bench::new(&recorder).input(recorder.input, [1.0, 2.0]).eval(recorder.recorded), [1.0, 2.0]);
        assert_eq!(recorder.ports.outputs()[0].elements, ["height", "speed"]);
    }

    #[test]
    fn refuses_names_that_say_nothing() {
        let fault = |list: &[&str]| Recorder::new(names(list)).err().unwrap().to_string();
        assert_eq!(fault(&[]), "names is empty");
        assert_eq!(fault(&["a", "b", "a"]), "names[2] = `a` is empty or stands before: give each a name of its own");
        assert_eq!(fault(&["a", ""]), "names[1] = `` is empty or stands before: give each a name of its own");
    }
}
