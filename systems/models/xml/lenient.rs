//! Files that violate XML in ways with only one possible meaning, and that other readers accept: `--` within a comment,
//! no blank between two attributes, blanks or comments before the declaration, zero bytes at the end.

use std::borrow::Cow;

/// The text with these mended, byte by byte if possible: places after an added blank move by one column.
pub fn mended(text: &str) -> Cow<'_, str> {
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = if rest.starts_with("<!--") {
            let end = end_after(rest, "-->", 4);
            push_comment(&mut out, &rest[..end]);
            end
        } else if rest.starts_with("<![CDATA[") {
            let end = end_after(rest, "]]>", 9);
            out.push_str(&rest[..end]);
            end
        } else if rest.starts_with("<?") {
            let end = end_after(rest, "?>", 2);
            let is_late = rest.starts_with("<?xml ") && !out.trim_start_matches('\u{feff}').is_empty();
            if is_late {
                blank(&mut out, &rest[..end])
            } else {
                out.push_str(&rest[..end])
            }
            end
        } else {
            let end = tag(rest);
            push_tag(&mut out, &rest[..end]);
            end
        };
        rest = &rest[end..];
    }
    out.push_str(rest);
    let end = out.trim_end_matches('\0').len();
    let zeros = out.len() - end;
    out.truncate(end);
    out.extend(std::iter::repeat_n(' ', zeros));
    if out == text { Cow::Borrowed(text) } else { Cow::Owned(out) }
}

fn end_after(text: &str, closer: &str, from: usize) -> usize {
    text[from..].find(closer).map_or(text.len(), |at| from + at + closer.len())
}

/// Offset of the end of a tag: behind its `>` outside of quotes.
fn tag(text: &str) -> usize {
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (None, '>') => return at + 1,
            (Some(open), c) if c == open => quote = None,
            _ => {}
        }
    }
    text.len()
}

/// Appends a comment without the characters that it must not contain.
fn push_comment(out: &mut String, comment: &str) {
    let inside = comment.strip_prefix("<!--").and_then(|rest| rest.strip_suffix("-->"));
    match inside {
        Some(inside) if inside.contains("--") || inside.ends_with('-') => {
            out.push_str("<!--");
            blank(out, inside);
            out.push_str("-->");
        }
        _ => out.push_str(comment),
    }
}

/// Appends the same number of bytes of blanks; line breaks are kept.
fn blank(out: &mut String, text: &str) {
    out.extend(text.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
}

/// Appends a tag with a blank before each attribute.
fn push_tag(out: &mut String, tag: &str) {
    let mut quote = None;
    let mut closed = false;
    for c in tag.chars() {
        if std::mem::take(&mut closed) && (c.is_alphabetic() || c == '_') {
            out.push(' ');
        }
        match quote {
            None if matches!(c, '"' | '\'') => quote = Some(c),
            Some(open) if c == open => (quote, closed) = (None, true),
            _ => {}
        }
        out.push(c);
    }
}
