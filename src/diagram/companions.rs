//! Companion blocks ([`Companion`]): added before the wiring is resolved, wired after it.
//!
//! If a block of that name exists (as in a builder made from a diagram), the companion replaces it and the wires stay.

use super::builder::DiagramBuilder;
use super::wiring::{InputSource, Wiring};
use kinegraph_core::ErasedSystem;
use kinegraph_core::system::Companion;
use std::sync::Arc;

/// A companion that was added: its index, the index of the block it belongs to, and its declaration.
pub(super) struct Added {
    block: usize,
    of: usize,
    companion: Companion,
}

/// Adds the companions of all blocks.
pub(super) fn add(builder: &mut DiagramBuilder) -> Vec<Added> {
    let mut added = Vec::new();
    for of in 0..builder.blocks.len() {
        let (name, system) = &builder.blocks[of];
        let Some(companion) = system.companion() else { continue };
        let name = format!("{name}/{}", companion.name);
        match builder.blocks.iter().position(|(other, _)| *other == name) {
            Some(there) => builder.blocks[there].1 = companion.system,
            None => {
                builder.blocks.push((name, companion.system.clone()));
                added.push(Added { block: builder.blocks.len() - 1, of, companion });
            }
        }
    }
    added
}

/// Wires each companion: its inputs get the sources of the inputs of the same name of its block, and its output drives
/// an input of its block that is not connected.
pub(super) fn wire(added: &[Added], blocks: &[(String, Arc<dyn ErasedSystem>)], wiring: &mut Wiring) {
    for Added { block, of, companion } in added {
        let theirs = blocks[*of].1.ports().inputs();
        let index = |name: &str| theirs.iter().position(|port| port.name == name);
        for (input, port) in companion.system.ports().inputs().iter().enumerate() {
            if let Some(same) = index(&port.name) {
                wiring[*block][input] = wiring[*of][same].clone();
            }
        }
        if let Some(driven) = index(companion.drives)
            && matches!(wiring[*of][driven], InputSource::Unconnected)
        {
            wiring[*of][driven] = InputSource::Output(*block, companion.output);
        }
    }
}
