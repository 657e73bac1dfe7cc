//! Paths of elements in a file: the names of the elements around it, `robot/link[arm]/collision/geometry`.

use super::source::cut;

/// The paths of the elements that contain the byte offsets, start tags included; `offsets` ascend. The text must have
/// been accepted by an XML parser; in other texts the paths end at the first defect.
pub fn paths(text: &str, offsets: &[usize]) -> Vec<String> {
    let mut found = Vec::with_capacity(offsets.len());
    // The start of each open element's part of `path`, without the slash before it.
    let (mut open, mut path) = (Vec::new(), String::new());
    let mut at = 0;
    while found.len() < offsets.len() {
        let Some(next) = text[at..].find('<').map(|from| at + from) else { break };
        until(next, offsets, &mut found, &path);
        let rest = &text[next..];
        let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")];
        if let Some((_, closer)) = skipped.iter().find(|(opener, _)| rest.starts_with(opener)) {
            let Some(end) = rest.find(closer) else { break };
            at = next + end + closer.len();
            continue;
        }
        let Some(end) = end_of_tag(rest).map(|end| next + end + 1) else { break };
        let tag = &text[next + 1..end - 1];
        if tag.starts_with('/') {
            until(end, offsets, &mut found, &path);
            path.truncate(open.pop().unwrap_or(0));
        } else {
            open.push(path.len());
            push(&mut path, tag);
            until(end, offsets, &mut found, &path);
            if tag.ends_with('/') {
                path.truncate(open.pop().unwrap_or(0));
            }
        }
        at = end;
    }
    found.resize(offsets.len(), path);
    found
}

/// Assigns `path` to all offsets before `end` that have none yet.
fn until(end: usize, offsets: &[usize], found: &mut Vec<String>, path: &str) {
    while offsets.get(found.len()).is_some_and(|offset| *offset < end) {
        found.push(path.to_owned());
    }
}

/// Appends an element by its start tag, with its name in brackets if it has one.
fn push(path: &mut String, tag: &str) {
    if !path.is_empty() {
        path.push('/');
    }
    let (element, attributes) = tag.split_once(|c: char| c.is_whitespace() || c == '/').unwrap_or((tag, ""));
    path.push_str(cut(element));
    if let Some(name) = name(attributes) {
        path.push('[');
        path.push_str(cut(name));
        path.push(']');
    }
}

/// The value of `name` among attributes.
fn name(mut attributes: &str) -> Option<&str> {
    while let Some((key, rest)) = attributes.split_once('=') {
        let rest = rest.trim_start();
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (value, after) = rest[1..].split_once(quote)?;
        if key.trim() == "name" {
            return Some(value).filter(|name| !name.is_empty());
        }
        attributes = after;
    }
    None
}

/// Offset of the `>` that ends a tag, outside of quoted values.
pub(super) fn end_of_tag(tag: &str) -> Option<usize> {
    let mut quote = None;
    tag.char_indices().find_map(|(at, c)| {
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '"' || c == '\'' => quote = Some(c),
            None if c == '>' => return Some(at),
            _ => {}
        }
        None
    })
}
