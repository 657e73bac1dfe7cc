//! Explanations of malformed XML: the place of the error and the remedy.
//!
//! roxmltree's own messages end with a position, which a fault has already, and name the start of the file for errors
//! that concern its end.

use crate::element_path::end_of_tag;
use crate::faults::FaultKind;
use crate::source::{Lines, cut, quoted};
use roxmltree::Error;
use std::ops::Range;

/// The place and the message of an XML error; `most_nodes` are accepted.
pub(crate) fn explain(error: &Error, text: &str, most_nodes: u32) -> (Range<usize>, FaultKind) {
    let end = text.trim_end().len();
    let at = match error {
        Error::DtdDetected => text.find("<!DOCTYPE").unwrap_or(0),
        Error::NoRootNode | Error::UnexpectedEndOfStream => end,
        Error::UnclosedRootNode => last_open(text).map_or(end, |(at, _)| at),
        Error::NodesLimitReached => 0,
        _ => Lines::new(text).offset(error.pos().row as usize, error.pos().col as usize),
    };
    if *error == Error::DtdDetected {
        return (at..at, FaultKind::Doctype);
    }
    let message = match error {
        Error::NoRootNode => "there is no element in it".to_owned(),
        Error::UnexpectedEndOfStream => "the file ends in the middle of a tag or comment".to_owned(),
        Error::UnclosedRootNode => {
            let name = last_open(text).map_or("robot", |(_, name)| name);
            format!("the file ends before this <{0}> is closed; add </{0}>", cut(name))
        }
        Error::NodesLimitReached => format!("it has more than {most_nodes} elements"),
        Error::UnexpectedCloseTag(open, close, _) => {
            format!("</{}> stands where </{}> is expected", cut(close), cut(open))
        }
        Error::DuplicatedAttribute(name, _) => format!("the attribute `{}` is written twice", cut(name)),
        Error::UnknownEntityReference(name, _) => {
            format!("unknown entity {}; a plain & is written &amp;", quoted(&format!("&{name};")))
        }
        Error::MalformedEntityReference(_) => "a plain & is written &amp;".to_owned(),
        Error::InvalidAttributeValue(_) | Error::InvalidChar(b'"' | b'\'', b'<', _) => {
            "`<` inside a value: a closing quote is missing before it, or it must be written &lt;".to_owned()
        }
        Error::InvalidChar2("a quote", ..) => "a value must stand in quotes".to_owned(),
        Error::UnknownToken(_) if text[at..].starts_with('<') => {
            "a second outermost element starts here; only one is allowed".to_owned()
        }
        Error::UnknownToken(_) => "this is no tag, and text may not stand outside of an element".to_owned(),
        _ => error.to_string().replace(&format!(" at {}", error.pos()), ""),
    };
    (at..at, FaultKind::Xml { message })
}

/// The innermost element still open at the end of a text that is well-formed up to there, and its name.
fn last_open(text: &str) -> Option<(usize, &str)> {
    let mut open = Vec::new();
    let mut at = 0;
    while let Some(found) = text[at..].find('<') {
        at += found;
        let rest = &text[at..];
        let closers = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];
        if let Some((_, closer)) = closers.iter().find(|(opener, _)| rest.starts_with(opener)) {
            let Some(end) = rest.find(closer) else { break };
            at += end + closer.len();
            continue;
        }
        let Some(end) = end_of_tag(rest) else { break };
        if rest.starts_with("</") {
            open.pop();
        } else if !rest[..end].ends_with('/') {
            let name = rest[1..end].split(char::is_whitespace).next().unwrap_or_default();
            open.push((at + 1, name));
        }
        at += end;
    }
    open.pop()
}
