//! `record: {every, events, channels}`.

use crate::decode::{Flag, Number, POSITIVE, Text};
use crate::lists::{ListOf, Placed};
use crate::node::Position;
use crate::parameter::{Optional, WithDefault, optional, with_default};
use crate::reader::Reader;
use crate::section::Section;

/// Recorded channels, and the time between samples.
#[derive(Clone, Debug)]
pub struct RecordSpec {
    /// Time between samples \[s\].
    pub every: f64,
    /// Place of `every`.
    pub every_at: Position,
    /// True if two samples are recorded at each event, one before and one after it.
    pub events: bool,
    /// Channels or groups of channels with their places; empty: the state of every
    /// plant, or every output where there is no plant.
    pub channels: Vec<(Position, String)>,
}

impl Default for RecordSpec {
    fn default() -> Self {
        RecordSpec { every: EVERY.default(), every_at: Position::start(), events: false, channels: Vec::new() }
    }
}

/// `record: {…}`.
pub(super) const SECTION: Section<RecordSpec> =
    Section { about: "what to record, such as `{every: 0.01, channels: [plant.state]}`", read };

const EVERY: WithDefault<Number> = with_default("every", POSITIVE, 0.01, "time between samples [s]");
const EVENTS: WithDefault<Flag> =
    with_default("events", Flag, false, "two samples at each event, just before it and behind it");
const CHANNELS: Optional<ListOf<Placed<Text>>> = optional(
    "channels",
    ListOf {
        each: Placed(Text { about: "the name of a channel, such as plant.state" }),
        about: "a list of channels, such as [plant.state]",
    },
    "the `state` of every plant; without a plant every output",
    "channels, or what stands for several: an output, one link's pose",
);

fn read(r: &mut Reader<'_>) -> Option<RecordSpec> {
    let every = r.get(&EVERY);
    let events = r.get(&EVENTS);
    let channels = r.get(&CHANNELS).unwrap_or_default();
    Some(RecordSpec { every, every_at: r.at_key(EVERY), events, channels })
}
