//! Text in pictures: escaped for XML, with an estimate of its width.

/// Size of letters of the main text \[px\].
pub(super) const SIZE: f64 = 13.0;

/// Escapes the text for XML and replaces characters that XML does not allow.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') => escaped.push('\u{FFFD}'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Estimated width of `text` at font size `size` \[px\]; rather too wide than too narrow, for any sans-serif font.
pub(super) fn width(text: &str, size: f64) -> f64 {
    let ems = text.chars().map(|c| match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' | '(' | ')' | '[' | ']' => 0.38,
        'f' | 't' | 'r' | '/' | '-' => 0.45,
        'm' | 'w' | 'M' | 'W' | '@' => 0.95,
        c if c.is_uppercase() || c == '_' => 0.7,
        c if c.is_ascii() => 0.63,
        _ => 1.0,
    });
    size * ems.sum::<f64>()
}
