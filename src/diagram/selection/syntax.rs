//! The end of a wire as it is written: `port`, or `port[part, …]` with each part a number, `first:end` (without the
//! end, as in Python), or the name of an element.

/// One part between the brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// The element of this number, from 0.
    Number(usize),
    /// Elements from the first to before the end; without the end, to the last.
    Range(usize, Option<usize>),
    /// Elements of this name.
    Name(&'a str),
}

/// Splits `text` into the port and its parts, which are `None` without brackets.
///
/// # Errors
/// A message on what is wrong between the brackets.
pub fn split(text: &str) -> Result<(&str, Option<Vec<Part<'_>>>), String> {
    let Some((port, rest)) = text.split_once('[') else {
        return if text.contains(']') { Err("`]` without `[`".into()) } else { Ok((text, None)) };
    };
    let Some(inside) = rest.strip_suffix(']').filter(|inside| !inside.contains(['[', ']'])) else {
        return Err("one pair of brackets ends the name of a port: `port[0:3]`, `port[0, 2]`, `port[NAME]`".into());
    };
    let parts = inside.split(',').map(str::trim).map(part).collect::<Result<Vec<_>, _>>()?;
    Ok((port.trim_end(), Some(parts)))
}

/// Splits a path `block.port[part, …]` into the path of the port and its parts, which are `None` without brackets. The
/// brackets of a copy of a diagram (`row[3].angle`) belong to the name of the block.
///
/// # Errors
/// As [`split`].
pub fn split_path(path: &str) -> Result<(&str, Option<Vec<Part<'_>>>), String> {
    let start = path.find('.').unwrap_or(0);
    let (port, parts) = split(&path[start..])?;
    Ok((&path[..start + port.len()], parts))
}

fn part(text: &str) -> Result<Part<'_>, String> {
    // Numbers must be written as they are printed: no sign, no leading zeros.
    let number = |digits: &str| digits.trim().parse::<usize>().ok().filter(|n| n.to_string() == digits.trim());
    let fault =
        || format!("`{text}` is no part of a port: write a number from 0, `first:end` or the name of an element");
    if let Some((first, end)) = text.split_once(':') {
        let first = if first.trim().is_empty() { Some(0) } else { number(first) };
        let end = if end.trim().is_empty() { Some(None) } else { number(end).map(Some) };
        return match (first, end) {
            (Some(first), Some(end)) if end.is_none_or(|end| first < end) => Ok(Part::Range(first, end)),
            (Some(_), Some(_)) => Err(format!("`{text}` holds nothing: the end is not part of it")),
            _ => Err(fault()),
        };
    }
    match number(text) {
        Some(number) => Ok(Part::Number(number)),
        None if text.starts_with(|c: char| c.is_alphabetic() || c == '_') => Ok(Part::Name(text)),
        None => Err(fault()),
    }
}
