//! `type: zero_order_hold`.

use super::sampling::sampling;
use super::{per_channel, width};
use crate::files::decode::{NUMBER, PerElement, ScalarOrList};
use crate::files::reader::Reader;
use crate::files::registry::{BlockType, SystemSpec, recipe};
use kinegraph_systems::dynamics::ZeroOrderHold;

/// The registry entry.
pub const TYPE: BlockType = BlockType { name: "zero_order_hold", about: "samples its input and holds it", read };

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let sampling = sampling(r);
    let initial = r.or("initial", ScalarOrList(NUMBER), PerElement::All(0.0));
    let width = width(r, &[("initial", Some(&initial))]);
    let sampling = sampling?;
    recipe(&TYPE, move || ZeroOrderHold::new(width, sampling, per_channel(&initial)))
}
