//! `type: quantizer`.

use super::{per_channel, width};
use crate::files::decode::{POSITIVE, ScalarOrList};
use crate::files::reader::Reader;
use crate::files::registry::{BlockType, SystemSpec, recipe};
use kinegraph_systems::operators;

/// The registry entry.
pub const TYPE: BlockType =
    BlockType { name: "quantizer", about: "rounds each input to a multiple of an interval", read };

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let interval = r.required("interval", ScalarOrList(POSITIVE));
    let width = width(r, &[("interval", interval.as_ref())]);
    let interval = interval?;
    recipe(&TYPE, move || operators::Quantizer::new(width, per_channel(&interval)))
}
