//! Block that assembles an input from numbers of several outputs.

use kinegraph_core::port::OutputPort;
use kinegraph_core::unit_rules::UnitRule;
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// Computes `output[i] = input_k[j]` for each entry (k, j); 0 where nothing drives the number.
pub struct Selection {
    /// One input for each source.
    pub inputs: Vec<In<Dyn>>,
    /// The numbers of the entries.
    pub output: Out<Dyn>,
    entries: Vec<Option<(usize, usize)>>,
    ports: Ports,
}

impl Selection {
    /// Creates the block with one entry for each number of the output: index of the source in `sources`, and index
    /// within that source.
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
        ports.unit_rule(UnitRule::Gather { output: output.index, from: entries.clone() });
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
