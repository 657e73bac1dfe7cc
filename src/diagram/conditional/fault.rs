//! Blocks that cannot run on a condition, and those that need not.

use super::When;
use crate::ends::Export;
use crate::fault::Side;
use kinegraph_core::ErasedSystem;

/// A nested diagram that cannot run on its condition.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{diagram} cannot run on a condition: {}", list(blocks))]
pub struct ConditionError {
    /// Name of the nested diagram.
    pub diagram: String,
    /// Blocks and names that stand in the way.
    pub blocks: Vec<Obstacle>,
}

kinegraph_core::debug_is_message!(ConditionError);

/// A block that cannot run on a condition, or a name that is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// Path of the block within the nested diagram, or the name.
    pub path: String,
    /// The reason, and what to do.
    pub reason: &'static str,
}

fn list(blocks: &[Obstacle]) -> String {
    let one = |obstacle: &Obstacle| format!("`{}` {}", obstacle.path, obstacle.reason);
    blocks.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// The reason why a block cannot run on a condition, if there is one.
pub(super) fn obstacle(name: &str, block: &dyn ErasedSystem, when: When) -> Option<Obstacle> {
    let ports = block.ports();
    let reason = if block.as_plant().is_some() {
        "is a plant, whose motion a condition cannot stop: leave it outside, and its controller inside"
    } else if block.companion().is_some() {
        "has a state of its own beside it: leave it outside"
    } else if matches!(when, When::Triggered(_)) && ports.continuous_width() > 0 {
        "has continuous state, which does not change at triggers alone: take a sampled block, or `enabled`"
    } else if matches!(when, When::Reset(_)) && block.watches_jumps() {
        "keeps what has arrived at it, which cannot begin anew: leave it outside"
    } else if matches!(when, When::Triggered(_)) && block.watches_jumps() {
        "keeps what arrives at it at all times: leave it outside"
    } else {
        return None;
    };
    Some(Obstacle { path: name.to_owned(), reason })
}

/// The fault of an input that is exported under the name of the signal.
pub(super) fn taken_name(exports: &[Export], when: When) -> Option<Obstacle> {
    let taken = |export: &&Export| export.scope.is_empty() && export.side == Side::Input && export.name == when.input();
    exports.iter().find(taken).map(|export| Obstacle {
        path: export.name.clone(),
        reason: "is the name of the input that has the condition, and of an exported one: rename that",
    })
}

/// True if the condition acts on the block.
pub(super) fn is_held(block: &dyn ErasedSystem, when: When) -> bool {
    let ports = block.ports();
    if ports.inputs().is_empty() || block.watches_jumps() {
        return false;
    }
    match when {
        // What switches at crossings follows its inputs.
        When::Triggered(_) => ports.ticks().iter().any(|tick| !tick.is_once()),
        When::Enabled(..) | When::Reset(_) => ports.continuous_width() + ports.discrete_width() > 0,
    }
}
