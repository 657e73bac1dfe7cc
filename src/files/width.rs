//! Number of parallel signals of a block.

use super::decode::Count;
use super::parameter::{Optional, WithDefault, optional, with_default};
use super::reader::Reader;
use super::words::counted;

/// Widest signal of a block \[scalars\].
pub const MAX_WIDTH: usize = 1_000_000;

/// Number of signals of a block whose parameters are not lists.
pub const WIDTH: WithDefault<Count> = with_default("width", Count { limit: MAX_WIDTH }, 1, "signals in parallel");

/// Number of signals of a block whose parameters may be lists, with one number per signal.
const WIDTH_OF_LISTS: Optional<Count> =
    optional("width", Count { limit: MAX_WIDTH }, "that of the lists, or 1", "signals in parallel");

impl Reader<'_> {
    /// Reads `width`, the number of parallel signals, which also follows from the lists read before; 1 if nothing
    /// states it. Conflicting lists are faults.
    pub fn width(&mut self) -> usize {
        let mut known = self.get(&WIDTH_OF_LISTS).map(|width| ("width", width));
        for (key, found) in self.lists() {
            match known {
                Some((by, width)) if width != *found => {
                    self.conflict(
                        *key,
                        format!("{} here, but `{by}` makes the width {width}", counted(*found, "number")),
                    );
                }
                _ => known = Some((key, *found)),
            }
        }
        known.map_or(1, |(_, width)| width)
    }
}
