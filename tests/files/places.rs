//! Places of parts of a file, as faults give them.

/// Line and column of the first character of a part of a text: `3:14:`.
pub fn place(text: &str, part: &str) -> String {
    place_behind(text, "", part)
}

/// Line and column of the first character of a part of a text behind the first `mark` in it.
pub fn place_behind(text: &str, mark: &str, part: &str) -> String {
    let found = text.find(mark).and_then(|from| text[from..].find(part).map(|at| from + at));
    let at = found.unwrap_or_else(|| panic!("{part} is not in\n{text}"));
    let line = text[..at].matches('\n').count() + 1;
    let column = text[..at].chars().rev().take_while(|c| *c != '\n').count() + 1;
    format!("{line}:{column}:")
}
