//! Elements with too many attributes: readers search for each among all.

use crate::faults::FaultKind;
use std::ops::Range;

/// Maximum number of attributes of one element.
pub(crate) const MAX_ATTRIBUTES: usize = 1000;

/// Fault at the first element with more attributes than that. `None` for a text that is not XML.
pub(crate) fn too_many(text: &str) -> Option<(Range<usize>, FaultKind)> {
    let mut at = 0;
    loop {
        at += text[at..].find('<')?;
        let rest = &text[at..];
        let close = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")].into_iter();
        if let Some((_, close)) = close.into_iter().find(|(open, _)| rest.starts_with(open)) {
            at += rest.find(close)? + close.len();
            continue;
        }
        let (mut quote, mut count) = (None, 0);
        let end = rest.bytes().position(|byte| {
            match (quote, byte) {
                (Some(open), byte) if byte == open => quote = None,
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, b'=') => count += 1,
                _ => {}
            }
            quote.is_none() && byte == b'>' || count > MAX_ATTRIBUTES
        });
        if count > MAX_ATTRIBUTES {
            let message = format!("an element has more than {MAX_ATTRIBUTES} attributes");
            return Some((at..at + 1, FaultKind::Xml { message }));
        }
        at += end? + 1;
    }
}
