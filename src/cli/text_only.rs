//! Filter for output to a terminal: names in files and recordings may contain control characters, which a terminal
//! executes (it clears the screen, renames its window, types for the user). They are written as `\u001b`, which JSON
//! reads back to the same character.

use std::cell::Cell;
use std::io::{self, Write};

thread_local! {
    /// True while text with this program's own colours is written.
    static STYLED: Cell<bool> = const { Cell::new(false) };
}

/// Writer that escapes control characters.
pub struct TextOnly<'a> {
    inner: &'a mut dyn Write,
    /// True if the last byte was the first of a two-byte character that may be a control character; it is not written
    /// yet.
    pending: bool,
}

/// The first byte of the control characters from U+0080 to U+009F.
const C1: u8 = 0xc2;

/// Writes a text with this program's own colours; all other parts of it have been [`printed`].
pub fn styled(to: &mut dyn Write, text: &str) -> io::Result<()> {
    STYLED.set(true);
    let written = to.write_all(text.as_bytes());
    STYLED.set(false);
    written
}

/// `text` with each control character replaced by a visible one, so that columns are kept.
pub fn printed(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' | '\t' => c,
        // Symbols for control characters exist up to U+007F.
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        c if c.is_control() => '\u{fffd}',
        c => c,
    };
    text.chars().map(shown).collect()
}

impl<'a> TextOnly<'a> {
    /// Creates a filter in front of `inner`.
    pub fn new(inner: &'a mut dyn Write) -> Self {
        TextOnly { inner, pending: false }
    }

    fn escaped(&mut self, code: u8) -> io::Result<()> {
        write!(self.inner, "\\u{code:04x}")
    }
}

/// True for a control character other than newline and tab.
fn is_control(byte: u8) -> bool {
    (byte < 0x20 && byte != b'\n' && byte != b'\t') || byte == 0x7f
}

impl Write for TextOnly<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if STYLED.get() {
            self.inner.write_all(bytes)?;
            return Ok(bytes.len());
        }
        let mut plain = 0;
        for (i, &byte) in bytes.iter().enumerate() {
            let pending = std::mem::take(&mut self.pending);
            let is_c1 = pending && (0x80..0xa0).contains(&byte);
            if !(pending || byte == C1 || is_control(byte)) {
                continue;
            }
            self.inner.write_all(&bytes[plain..i])?;
            plain = i;
            if pending && !is_c1 {
                self.inner.write_all(&[C1])?;
            }
            if is_c1 || is_control(byte) {
                self.escaped(byte)?;
                plain = i + 1;
            } else if byte == C1 {
                self.pending = true;
                plain = i + 1;
            }
        }
        self.inner.write_all(&bytes[plain..])?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
