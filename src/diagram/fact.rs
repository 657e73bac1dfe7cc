//! Facts about a diagram, and differences between two lists of them.

use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};

/// Fact about a diagram: a path, and a text that differs where the diagrams differ.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Fact(
    /// Path that it is about.
    pub String,
    /// Text of the fact, or its digest.
    pub String,
);

/// Texts that are longer are digested \[bytes\].
const MAX_TEXT: usize = 120;

/// Collects a text; a long one is reduced to its checksum and length.
#[derive(Default)]
pub struct Digest {
    text: String,
    length: usize,
    checksum: crc32fast::Hasher,
}

impl Write for Digest {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        self.checksum.update(part.as_bytes());
        self.length += part.len();
        if self.length <= MAX_TEXT {
            self.text.push_str(part);
        }
        Ok(())
    }
}

impl Digest {
    /// Returns the text, or its digest if it is long.
    pub fn finish(self) -> String {
        let Digest { text, length, checksum } = self;
        if length <= MAX_TEXT { text } else { format!("{length} characters, checksum {:08x}", checksum.finalize()) }
    }
}

/// Describes the differences between the facts of a snapshot and those of a diagram, both sorted.
pub fn differences(saved: &[Fact], now: &[Fact]) -> Vec<String> {
    let (mut lines, mut a, mut b) = (Vec::new(), saved.iter().peekable(), now.iter().peekable());
    loop {
        match (a.peek(), b.peek()) {
            (Some(old), Some(new)) if old.0 == new.0 => {
                if old.1 != new.1 {
                    lines.push(format!("{}: {} when it was saved, now {}", old.0, old.1, new.1));
                }
                a.next();
                b.next();
            }
            (Some(old), new) if new.is_none_or(|new| old.0 < new.0) => {
                lines.push(format!("{}: {} when it was saved, now nothing", old.0, old.1));
                a.next();
            }
            (_, Some(new)) => {
                lines.push(format!("{}: nothing when it was saved, now {}", new.0, new.1));
                b.next();
            }
            _ => return lines,
        }
    }
}
