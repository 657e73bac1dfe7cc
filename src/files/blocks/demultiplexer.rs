//! `type: demultiplexer`.

use super::WIDEST;
use crate::files::decode::{Count, ListOf};
use crate::files::reader::Reader;
use crate::files::registry::{BlockType, SystemSpec, recipe};
use kinegraph_systems::operators;

/// The registry entry.
pub const TYPE: BlockType = BlockType { name: "demultiplexer", about: "splits a vector into several", read };

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let each = Count { limit: WIDEST };
    let widths = r.required("widths", ListOf { each, about: "a list with the width of each part" })?;
    recipe(&TYPE, move || operators::Demultiplexer::new(&widths))
}
