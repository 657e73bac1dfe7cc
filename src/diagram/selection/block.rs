//! The block that puts an input together from numbers of several outputs.

use kinegraph_systems::port::OutputPort;
use kinegraph_systems::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// `output[i] = input_k[j]` for each entry (k, j); 0 where nothing drives the number.
pub(super) struct Selection {
    inputs: Vec<In<Dyn>>,
    output: Out<Dyn>,
    entries: Vec<Option<(usize, usize)>>,
    ports: Ports,
}

impl Selection {
    /// One entry for each number of the output: which of `sources`, and which of its numbers.
    pub fn new(sources: &[&OutputPort], entries: Vec<Option<(usize, usize)>>) -> Self {
        let mut ports = Ports::new();
        let inputs: Vec<In<Dyn>> = sources
            .iter()
            .enumerate()
            .map(|(i, source)| ports.input_of_width::<Dyn>(format!("input{i}"), source.width))
            .collect();
        let output = ports.output_of_width::<Dyn>("output", entries.len());
        let unit = |entry: &Option<(usize, usize)>| entry.map_or("", |(source, place)| sources[source].unit(place));
        ports.set_units(output, entries.iter().map(unit).collect());
        Selection { inputs, output, entries, ports }
    }
}

impl LeafSystem for Selection {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        for (y, entry) in out.slice(self.output).iter_mut().zip(&self.entries) {
            *y = entry.map_or(S::constant(0.0), |(source, place)| ctx.get(self.inputs[source])[place]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kinegraph_systems::testing::{Bench, conformance};

    fn selection() -> Selection {
        let mut ports = Ports::new();
        ports.output_of_width::<Dyn>("a", 3);
        ports.output_of_width::<Dyn>("b", 1);
        let sources: Vec<&OutputPort> = ports.outputs().iter().collect();
        Selection::new(&sources, vec![Some((1, 0)), None, Some((0, 2)), Some((0, 0))])
    }

    #[test]
    fn conforms() {
        conformance::check(&selection());
    }

    #[test]
    fn puts_numbers_in_their_places() {
        let block = selection();
        let bench = Bench::new(&block).input(block.inputs[0], [1.0, 2.0, 3.0]).input(block.inputs[1], [4.0]);
        assert_eq!(bench.eval(block.output), [4.0, 0.0, 3.0, 1.0]);
    }
}
