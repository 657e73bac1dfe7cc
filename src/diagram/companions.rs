//! Blocks that come with others ([`Companion`]): added before the wiring is resolved, wired after it.
//!
//! Where a block of that name is there already (a diagram that was made a builder again), the new one takes its place
//! and the wires stay.

use super::builder::DiagramBuilder;
use super::wiring::{InputSource, Wiring};
use kinegraph_core::ErasedSystem;
use kinegraph_core::system::Companion;
use std::sync::Arc;

/// A block that was added: its index, that of the block it belongs to, and what it is.
pub(super) struct Added {
    block: usize,
    of: usize,
    companion: Companion,
}

/// Adds the blocks that belong to others.
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

/// Gives them what the blocks get to which they belong, and these what they put out.
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
