//! Outputs of plants that are held over a step, and read by continuous blocks.
//!
//! Forces of contacts, reactions and efforts are results of a step. Blocks that read them without sampling read those
//! of the last step, held over the next. No error estimate shows that: full step and half steps read the same.

use kinegraph_diagram::{Diagram, Source};
use std::fmt;

/// An output of a plant that is held over a step, and the blocks that read it continuously.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldReadOut {
    /// The output, `plant.reaction_forces`.
    pub output: String,
    /// The names of the blocks that read it.
    pub readers: Vec<String>,
}

impl fmt::Display for HeldReadOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (HeldReadOut { output, readers }, plural) = (self, if self.readers.len() == 1 { "s" } else { "" });
        let readers: Vec<String> = readers.iter().map(|name| format!("`{name}`")).collect();
        write!(
            f,
            "{} read{plural} `{output}` of the last step, held over the next, which no accuracy controls: what follows \
             from it is as exact as steps are short (`max_step`); what is recorded of it is right",
            readers.join(", ")
        )
    }
}

/// Outputs of plants that are held over a step and on which continuous state, or an input of a plant, depends.
pub fn held_read_outs(diagram: &Diagram) -> Vec<HeldReadOut> {
    let blocks = diagram.blocks();
    let is_target = |b: &usize| blocks[*b].system.as_plant().is_some() || !blocks[*b].state.is_empty();
    let targets: Vec<usize> = (0..blocks.len()).filter(is_target).collect();
    let schedule = diagram.schedule_for_inputs_of(&targets);
    let mut evaluated = [targets, schedule.blocks()].concat();
    evaluated.sort_unstable();
    evaluated.dedup();
    let mut found = Vec::new();
    for (block, plant) in blocks.iter().enumerate().filter_map(|(b, block)| Some((b, block.system.as_plant()?))) {
        let velocities = plant.structure().coordinates.len();
        let held = |port: &usize| velocities > 0 && (0..velocities).all(|v| !plant.output_senses(*port, v));
        for port in schedule.outputs_of(block).into_iter().filter(held) {
            let from = Source::Output { block, port };
            let reads = |b: &&usize| blocks[**b].sources.contains(&from);
            let readers: Vec<String> = evaluated.iter().filter(reads).map(|&b| blocks[b].name.clone()).collect();
            let output = format!("{}.{}", blocks[block].name, blocks[block].system.ports().outputs()[port].name);
            found.push(HeldReadOut { output, readers });
        }
    }
    found
}
