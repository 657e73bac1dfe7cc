//! `type: saturation`.

use super::{per_channel, width};
use crate::files::decode::{NUMBER, ScalarOrList};
use crate::files::reader::Reader;
use crate::files::registry::{BlockType, SystemSpec, recipe};
use kinegraph_systems::operators;

/// The registry entry.
pub const TYPE: BlockType = BlockType { name: "saturation", about: "bounds each input", read };

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let lower = r.required("lower", ScalarOrList(NUMBER));
    let upper = r.required("upper", ScalarOrList(NUMBER));
    let width = width(r, &[("lower", lower.as_ref()), ("upper", upper.as_ref())]);
    let (lower, upper) = (lower?, upper?);
    recipe(&TYPE, move || operators::Saturation::new(width, per_channel(&lower), per_channel(&upper)))
}
