//! `record: {every, channels}`.

use crate::files::decode::{ListOf, POSITIVE, Placed, Section, Text};
use crate::files::node::Position;
use crate::files::reader::Reader;

/// What is recorded, and how often.
#[derive(Clone, Debug)]
pub struct RecordSpec {
    /// Time between samples \[s\].
    pub every: f64,
    /// Where that is said.
    pub every_at: Position,
    /// Channels or groups of channels with their places; empty: the state of every plant.
    pub channels: Vec<(Position, String)>,
}

/// Time between samples where the file states none \[s\].
const EVERY: f64 = 0.01;

impl Default for RecordSpec {
    fn default() -> Self {
        RecordSpec { every: EVERY, every_at: Position::start(), channels: Vec::new() }
    }
}

/// Reads `record: {…}`.
pub(super) fn section() -> Section<fn(&mut Reader<'_>) -> Option<RecordSpec>> {
    Section { about: "what to record, such as `{every: 0.01, channels: [plant.state]}`", read }
}

fn read(r: &mut Reader<'_>) -> Option<RecordSpec> {
    let every = r.or("every", POSITIVE, EVERY);
    let name = Placed(Text { about: "the name of a channel, such as plant.state" });
    let channels =
        r.or("channels", ListOf { each: name, about: "a list of channels, such as [plant.state]" }, Vec::new());
    Some(RecordSpec { every, every_at: r.at_key("every"), channels })
}
