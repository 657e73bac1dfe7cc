//! `type: step`.

use super::{per_channel, width};
use crate::files::decode::{NUMBER, PerElement, ScalarOrList};
use crate::files::reader::Reader;
use crate::files::registry::{BlockType, SystemSpec, recipe};
use kinegraph_systems::sources;

/// The registry entry.
pub const TYPE: BlockType = BlockType { name: "step", about: "numbers that jump once", read };

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let time = r.required("time", NUMBER);
    let initial = r.or("initial", ScalarOrList(NUMBER), PerElement::All(0.0));
    let last = r.required("final", ScalarOrList(NUMBER));
    let width = width(r, &[("initial", Some(&initial)), ("final", last.as_ref())]);
    let (time, last) = (time?, last?);
    recipe(&TYPE, move || sources::Step::new(width, time, per_channel(&initial), per_channel(&last)))
}
