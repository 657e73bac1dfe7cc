//! Something that a diagram says of itself, and what differs between two lists of such facts.

use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};

/// Something that a diagram says of itself: a path, and a text that is another one where the diagram is another one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Fact(
    /// What it is about.
    pub String,
    /// What it is.
    pub String,
);

/// Texts that are longer are digested \[bytes\].
const MAX_TEXT: usize = 120;

/// Collects a text, and keeps no more of a long one than its checksum and its length.
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
    /// What stands for the text.
    pub fn finish(self) -> String {
        let Digest { text, length, checksum } = self;
        if length <= MAX_TEXT { text } else { format!("{length} characters, checksum {:08x}", checksum.finalize()) }
    }
}

/// What differs between the facts of a snapshot and those of a diagram, both sorted, in words.
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
