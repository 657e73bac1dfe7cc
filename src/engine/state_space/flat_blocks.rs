//! Blocks that pass nothing on at an operating point: a quantizer, a saturation at its bound, a `sign`, a counter that
//! changes at events. Their derivative is zero there, and rightly so, but a model that depends on them does not show
//! their effect.

use super::cut_paths;
use kinegraph_core::Jet;
use kinegraph_core::Scalar;
use kinegraph_diagram::{Channel, Diagram, Values};

/// Blocks with kinks or events on paths to a state or an output, and the derivatives seen at each.
#[derive(Clone, Debug, Default)]
pub(super) struct FlatBlocks {
    blocks: Vec<Seen>,
}

#[derive(Clone, Copy, Debug)]
struct Seen {
    block: usize,
    /// True if an input changes, and if an output does.
    input: bool,
    output: bool,
}

impl FlatBlocks {
    /// Blocks of `diagram` that may be flat, in a model with these outputs.
    pub fn of(diagram: &Diagram, outputs: &[Channel]) -> Self {
        let bends = |b: &usize| {
            let block = &diagram.blocks()[*b];
            let bends = cut_paths::changes_at_events(block) || block.system.has_kinks();
            block.state.is_empty() && bends && block.system.as_plant().is_none()
        };
        let found: Vec<usize> = (0..diagram.blocks().len()).filter(bends).collect();
        let found = cut_paths::leading_on(diagram, outputs, found);
        FlatBlocks { blocks: found.into_iter().map(|block| Seen { block, input: false, output: false }).collect() }
    }

    /// Forgets the derivatives seen.
    pub fn start(&mut self) {
        self.blocks.iter_mut().for_each(|seen| (seen.input, seen.output) = (false, false));
    }

    /// Notes the derivatives with respect to some states and inputs.
    pub fn look(&mut self, diagram: &Diagram, values: &Values<Jet>) {
        let changes = |i: usize| values.arena()[i].partials().iter().any(|partial| *partial != 0.0);
        for seen in &mut self.blocks {
            let block = &diagram.blocks()[seen.block];
            seen.input |= block.inputs.iter().flatten().cloned().flatten().any(changes);
            seen.output |= block.outputs.iter().cloned().flatten().any(changes);
        }
    }

    /// Names of the blocks with an input that changes, and no output that does.
    pub fn names(&self, diagram: &Diagram) -> Vec<String> {
        let flat = self.blocks.iter().filter(|seen| seen.input && !seen.output);
        flat.map(|seen| diagram.blocks()[seen.block].name.clone()).collect()
    }
}
