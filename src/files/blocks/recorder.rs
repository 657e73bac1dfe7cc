//! `type: recorder`.

use crate::files::decode::{ListOf, Name};
use crate::files::reader::Reader;
use crate::files::registry::{BlockType, SystemSpec, recipe};
use kinegraph_systems::sinks::Recorder;

/// The registry entry.
pub const TYPE: BlockType =
    BlockType { name: "recorder", about: "gives the numbers of a signal channel names of their own", read };

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let names = r.required("names", ListOf { each: Name, about: "a list of names, one per number of the signal" })?;
    recipe(&TYPE, move || Recorder::new(names.clone()))
}
