//! Number of parallel signals of a block.

use super::decode::{Count, Name};
use super::item::{Decode, Item};
use super::lists::{ListOf, MapOf};
use super::node::Value;
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

/// Signals with names: `[a, b]`, each one number wide, or `{a: 1, q: 7}`, with their widths.
#[derive(Clone, Copy, Debug)]
pub struct NamesWithWidths {
    /// Description with both forms, in words that fit "expected …".
    pub about: &'static str,
}

impl Decode for NamesWithWidths {
    type Output = Vec<(String, usize)>;
    fn expects(&self) -> String {
        self.about.into()
    }
    fn decode(&self, item: Item<'_>) -> Option<Self::Output> {
        match &item.node.value {
            Value::List(_) => {
                let names = ListOf { each: Name, about: "a list of names" }.decode(item)?;
                Some(names.into_iter().map(|name| (name, 1)).collect())
            }
            Value::Map(_) => {
                let widths = MapOf { each: Count { limit: MAX_WIDTH }, about: "names with widths" }.decode(item)?;
                Some(widths.into_iter().map(|signal| (signal.name, signal.value)).collect())
            }
            _ => {
                item.wrong(self.about);
                None
            }
        }
    }
}

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
