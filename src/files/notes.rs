//! Notes on files that were accepted, with similar notes combined.
//!
//! A robot of thirty links has thirty visual meshes that are not found: one line says so. Two notes are similar if
//! their texts differ only in quoted parts and numbers.

use kinegraph_models::Note;
use std::collections::HashMap;
use std::fmt;

/// Note on a file that was accepted: something ignored, assumed, or suspicious.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, serde::Serialize)]
pub struct FileNote {
    /// Model file; empty for a note about the diagram file.
    pub file: String,
    /// Line in the model file, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The element of the model file: `robot/link[arm]/collision/geometry`.
    pub element: String,
    /// Treatment, in words.
    pub what: String,
    /// Number of such notes.
    pub count: usize,
    /// True if the simulation departs from the model file in this point.
    pub departs: bool,
    /// True if shapes that should take part in contact do not.
    pub loss: bool,
    /// True if a number is probably not the intended one, or something that is named is missing.
    pub doubt: bool,
}

impl FileNote {
    /// A note about the diagram.
    pub fn of_diagram(what: impl ToString, loss: bool) -> Self {
        FileNote { what: what.to_string(), loss, count: 1, ..FileNote::default() }
    }

    /// Place as `arm.urdf:3:5`; `None` for a note about the diagram.
    pub fn place(&self) -> Option<String> {
        (!self.file.is_empty()).then(|| format!("{}:{}:{}", self.file, self.line, self.column))
    }
}

impl From<&Note> for FileNote {
    fn from(note: &Note) -> Self {
        let Note { file, line, column, element, kind, count, .. } = note;
        FileNote {
            file: file.clone(),
            line: *line,
            column: *column,
            element: element.clone(),
            what: kind.to_string(),
            count: *count,
            departs: kind.departs(),
            loss: kind.is_loss(),
            doubt: kind.is_doubt(),
        }
    }
}

impl fmt::Display for FileNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = self.place() {
            write!(f, "{place}: ")?;
        }
        match self.count {
            0 | 1 => write!(f, "{}", self.what),
            n => write!(f, "{} ({n} times)", self.what),
        }
    }
}

/// Combines similar notes of one model file at the place of the first of them, and keeps the order. Notes on the
/// diagram are not combined, since each is about another model and joint.
pub fn condensed(notes: &[FileNote]) -> Vec<FileNote> {
    let mut groups: Vec<Vec<&FileNote>> = Vec::new();
    let mut known: HashMap<(&str, String), usize> = HashMap::new();
    for note in notes {
        if note.file.is_empty() {
            groups.push(vec![note]);
            continue;
        }
        let index = *known.entry((&note.file, pattern(&note.what))).or_insert(groups.len());
        match groups.get_mut(index) {
            Some(group) => group.push(note),
            None => groups.push(vec![note]),
        }
    }
    groups.iter().map(|group| together(group)).collect()
}

fn together(group: &[&FileNote]) -> FileNote {
    let mut first = group[0].clone();
    if group.len() > 1 {
        first.what = first.what + &likewise(group);
        first.count = 1;
    }
    first
}

/// Text ` (likewise "link2", "link3" and 5 more)`, with the shortest of the quoted names in which the notes differ.
fn likewise(group: &[&FileNote]) -> String {
    const MAX_NOTES: usize = 6;
    let names: Vec<Vec<&str>> = group.iter().map(|note| quoted(&note.what)).collect();
    let differs = |i: &usize| names.iter().any(|of| of[*i] != names[0][*i]);
    let length = |i: &usize| names.iter().map(|of| of[*i].len()).sum::<usize>();
    let Some(by) = (0..names[0].len()).filter(differs).min_by_key(length) else {
        return format!(" ({} times)", group.iter().map(|note| note.count).sum::<usize>());
    };
    let mut others: Vec<&str> = Vec::new();
    for of in &names[1..] {
        if of[by] != names[0][by] && !others.contains(&of[by]) {
            others.push(of[by]);
        }
    }
    let shown = others.iter().take(MAX_NOTES).map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
    match others.len().saturating_sub(MAX_NOTES) {
        0 => format!(" (likewise {shown})"),
        more => format!(" (likewise {shown} and {more} more)"),
    }
}

/// Quoted parts of a text.
fn quoted(text: &str) -> Vec<&str> {
    text.split('"').skip(1).step_by(2).collect()
}

/// The text without its quoted parts and numbers.
fn pattern(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for c in text.split('"').step_by(2).flat_map(|part| part.chars().chain(['"'])) {
        let c = if c.is_ascii_digit() || c == '.' || c == '-' { '#' } else { c };
        if c != '#' || !pattern.ends_with('#') {
            pattern.push(c);
        }
    }
    pattern
}
