//! Positions in a source text, and the display of its names in messages.

use std::fmt;

/// A position in a text file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Line, from 1; 0 if the fault concerns the file as a whole (it could not be read).
    pub line: usize,
    /// Column in characters, from 1; 0 with line 0.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Finds places quickly, from known places at every line start and within very long lines.
pub struct Lines<'t> {
    text: &'t str,
    /// Byte offsets and their places, ascending; never empty.
    anchors: Vec<(usize, Place)>,
}

impl<'t> Lines<'t> {
    /// Lines of a text.
    pub fn new(text: &'t str) -> Self {
        const MAX_DISTANCE: usize = 4096;
        let mut place = Place { line: 1, column: 1 };
        let mut anchors = vec![(0, place)];
        let mut last = 0;
        for (offset, character) in text.char_indices() {
            if offset - last >= MAX_DISTANCE {
                anchors.push((offset, place));
                last = offset;
            }
            place.column += 1;
            if character == '\n' {
                place = Place { line: place.line + 1, column: 1 };
                last = offset + 1;
                anchors.push((last, place));
            }
        }
        Self { text, anchors }
    }

    /// The text itself.
    pub(super) fn text(&self) -> &'t str {
        self.text
    }

    /// The place of a byte offset; offsets past the end mean the end.
    pub fn place(&self, offset: usize) -> Place {
        let offset = offset.min(self.text.len());
        let after = self.anchors.partition_point(|(start, _)| *start <= offset);
        let (start, place) = self.anchors[after - 1]; // the first anchor is at offset 0
        let between = &self.text.as_bytes()[start..offset];
        // Characters, not bytes: UTF-8 continuation bytes do not count.
        let characters = between.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
        Place { column: place.column + characters, ..place }
    }

    /// The byte offset of a line and column, both from 1.
    pub fn offset(&self, line: usize, column: usize) -> usize {
        let at = self.anchors.partition_point(|(_, place)| place.line < line);
        let Some((start, _)) = self.anchors.get(at) else { return self.text.len() };
        let rest = &self.text[*start..];
        let skipped = rest.char_indices().nth(column.saturating_sub(1));
        start + skipped.map_or(rest.len(), |(bytes, _)| bytes)
    }
}

/// A text of the file as shown in a message: quoted, control characters escaped, long texts cut.
pub fn quoted(text: &str) -> String {
    const MAX_CHARACTERS: usize = 60;
    match text.char_indices().nth(MAX_CHARACTERS) {
        None => format!("{text:?}"),
        Some((cut, _)) => format!("{:?}…", &text[..cut]),
    }
}

/// A path of the file as shown in a message: quoted; of a long path the end, which distinguishes files.
pub fn quoted_path(path: &str) -> String {
    const MAX_CHARACTERS: usize = 100;
    match path.char_indices().rev().nth(MAX_CHARACTERS - 1) {
        Some((from, _)) if from > 0 => format!("\"…{}", &format!("{:?}", &path[from..])[1..]),
        _ => format!("{path:?}"),
    }
}

/// Several names in one message: quoted, only the first few.
pub(super) fn quoted_list(names: &[String]) -> String {
    const MAX_NAMES: usize = 8;
    let mut shown: Vec<_> = names.iter().take(MAX_NAMES).map(|name| quoted(name)).collect();
    if names.len() > MAX_NAMES {
        shown.push(format!("{} more", names.len() - MAX_NAMES));
    }
    shown.join(", ")
}

/// Element and attribute names for messages: only cut, since XML keeps them free of control characters.
pub(super) fn cut(name: &str) -> &str {
    const MAX_CHARACTERS: usize = 60;
    name.char_indices().nth(MAX_CHARACTERS).map_or(name, |(cut, _)| &name[..cut])
}

/// Numbers for messages: six digits.
pub(super) fn rounded(numbers: &[f64]) -> String {
    let round = |number: &f64| format!("{number:.5e}").parse().unwrap_or(*number);
    numbers.iter().map(|number| format!("{:?}", round(number))).collect::<Vec<_>>().join(", ")
}

/// Ending of a message about a wrong name.
pub(super) fn did_you_mean(nearest: &Option<String>) -> String {
    nearest.as_ref().map(|name| format!(" (did you mean {}?)", quoted(name))).unwrap_or_default()
}
