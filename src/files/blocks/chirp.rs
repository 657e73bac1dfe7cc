//! `type: chirp`.

use super::{per_channel, width};
use crate::files::decode::{NUMBER, POSITIVE, PerElement, ScalarOrList, Vector};
use crate::files::reader::Reader;
use crate::files::registry::{BlockType, SystemSpec, recipe};
use kinegraph_systems::sources;

/// The registry entry.
pub const TYPE: BlockType = BlockType {
    name: "chirp",
    about: "sine waves whose frequency (rad/s) goes linearly from one value to another",
    read,
};

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let amplitude = r.or("amplitude", ScalarOrList(NUMBER), PerElement::All(1.0));
    let frequencies = r.required("frequencies", Vector { about: "[first, last] in rad/s" });
    let duration = r.required("duration", POSITIVE);
    let width = width(r, &[("amplitude", Some(&amplitude))]);
    let (frequencies, duration) = (frequencies?, duration?);
    recipe(&TYPE, move || sources::Chirp::new(width, per_channel(&amplitude), frequencies, duration))
}
