//! Remedies for YAML that cannot be read, from the lines around the fault.

use super::node::shorten;

const LOOK: &str = "look at indentation, brackets and quotes here and in the line before";

/// Remedy for the parser's error at a line and a column (characters, from 1).
pub(super) fn remedy(text: &str, line: usize, column: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let Some(here) = line.checked_sub(1).and_then(|at| lines.get(at)) else { return LOOK.to_owned() };
    let before = &lines[..line - 1];
    let with_tab = [Some(here), before.last()].into_iter().flatten().position(|line| margin(line).contains('\t'));
    if let Some(back) = with_tab {
        return format!("line {} is indented by a tab: indent by spaces", line - back);
    }
    let is_first = here.chars().take(column - column.min(1)).all(char::is_whitespace);
    let remedy = if is_first { indentation(before, here) } else { brackets(here, column) };
    remedy.unwrap_or_else(|| LOOK.to_owned())
}

fn margin(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}

/// Remedy for a line whose indentation fits none of the open lines.
fn indentation(before: &[&str], here: &str) -> Option<String> {
    let own = margin(here).chars().count();
    // Open lines, the innermost first: margin, number, text.
    let mut open: Vec<(usize, usize, &str)> = Vec::new();
    for (at, line) in before.iter().enumerate().rev() {
        let text = line.trim();
        let margin = margin(line).chars().count();
        let is_open = open.last().is_none_or(|(last, ..)| margin < *last);
        if !text.is_empty() && !text.starts_with('#') && is_open {
            open.push((margin, at + 1, text));
        }
    }
    if open.is_empty() || open.iter().any(|(margin, ..)| *margin == own) {
        return None;
    }
    let (inner, outer): (Vec<_>, Vec<_>) = open.iter().partition(|(margin, ..)| *margin > own);
    let beside = |(margin, line, text): &(usize, usize, &str)| {
        let word = text.split_once(':').map_or(*text, |(key, _)| key);
        format!("by {margin} to stand beside `{}` (line {line})", shorten(word))
    };
    let ways: Vec<String> = inner.last().into_iter().chain(outer.first()).map(beside).collect();
    let spaces = if own == 1 { "space" } else { "spaces" };
    Some(format!("this line is indented by {own} {spaces}: indent it {}", ways.join(", or ")))
}

/// Remedy for brackets within a list or a map: `[a.output -> b.input[0]]`, `{expression: u[0]}`.
fn brackets(here: &str, column: usize) -> Option<String> {
    let characters: Vec<char> = here.chars().collect();
    let at = column.checked_sub(1).filter(|at| characters.get(*at) == Some(&'['))?;
    let start = characters[..at].iter().rposition(|c| matches!(c, '[' | ',' | '{' | ':'))? + 1;
    let around = characters[..start].iter().rfind(|c| matches!(c, '[' | '{'))?;
    let around = if *around == '[' { "list" } else { "map" };
    let close = at + characters[at..].iter().position(|c| *c == ']')?;
    let rest = &characters[close + 1..];
    let end = close + 1 + rest.iter().position(|c| matches!(c, ',' | ']' | '[' | '}')).unwrap_or(rest.len());
    let entry: String = characters[start..end].iter().collect();
    let entry = entry.trim();
    let quoted = format!("within a {around}, what has brackets needs quotes: \"{entry}\"");
    (!entry.contains(['"', '\''])).then_some(quoted)
}
