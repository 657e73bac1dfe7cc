//! Values of a parameter as typed: `1,2,5`, `0:1:11`, `1e-4:1e-1:7:log`.

use super::SweepError;
use kinegraph_files::node::show_number;
use kinegraph_files::{in_one_unit, with_unit};

/// Maximum number of values of one range.
const MAX_VALUES: usize = 1_000_000;

/// Values of `text`, each as text for `--set`. Commas within brackets and quotes do not separate values.
pub fn values(text: &str) -> Result<Vec<String>, SweepError> {
    let mut all = Vec::new();
    for part in parts(text) {
        let part = part.trim();
        if part.is_empty() {
            return Err(SweepError::syntax(text, "a value is missing"));
        }
        match range(part)? {
            Some(range) => all.extend(range),
            None => all.push(part.to_owned()),
        }
    }
    Ok(all)
}

/// Splits text at commas outside of brackets and quotes.
pub(super) fn parts(text: &str) -> Vec<&str> {
    let (mut depth, mut quote, mut start, mut all) = (0_usize, None, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '[' | '{' | '(') => depth += 1,
            (None, ']' | '}' | ')') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                all.push(&text[start..at]);
                start = at + 1;
            }
            (None, _) => {}
        }
    }
    all.push(&text[start..]);
    all
}

/// Values of `from:to:count`, evenly spaced, or with even ratios for `:log`. `None` if `text` is not a range.
fn range(text: &str) -> Result<Option<Vec<String>>, SweepError> {
    if text.starts_with(['{', '[', '"', '\'']) {
        return Ok(None);
    }
    let fields: Vec<&str> = text.split(':').map(str::trim).collect();
    let (from, to, count, logarithmic) = match fields[..] {
        [from, to, count] => (from, to, count, false),
        [from, to, count, "log"] => (from, to, count, true),
        [from, to] if with_unit(from).is_some() && with_unit(to).is_some() => {
            let reason = format!("a range has a count: {from}:{to}:5 are five values from {from} to {to}");
            return Err(SweepError::syntax(text, reason));
        }
        _ => return Ok(None),
    };
    let wrong = |reason: &str| Err(SweepError::syntax(text, reason));
    if [from, to].iter().any(|end| with_unit(end).is_none()) {
        return match [from, to].iter().any(|end| end.starts_with(|c: char| c.is_ascii_digit())) {
            true => wrong("the ends of a range are numbers, with or without their unit: 1 kg:3 kg:5"),
            false => Ok(None),
        };
    }
    let ([from, to], unit) = in_one_unit(from, to).map_err(|reason| SweepError::syntax(text, reason))?;
    let Some(count) = count.parse::<usize>().ok().filter(|count| (1..=MAX_VALUES).contains(count)) else {
        return wrong("from:to:count needs a count from 1 to 1000000");
    };
    if !from.is_finite() || !to.is_finite() {
        return wrong("the ends of a range must be finite");
    }
    if logarithmic && !(from > 0.0 && to > 0.0) {
        return wrong("the ends of a logarithmic range must be positive");
    }
    let value = |i: usize| {
        // The ends are exactly as typed.
        if i == 0 {
            return from;
        }
        if i + 1 == count {
            return to;
        }
        let part = i as f64 / (count - 1) as f64;
        let exact = if logarithmic { from * (to / from).powf(part) } else { from + (to - from) * part };
        // Rounds to a short decimal: 0.3 rather than 0.30000000000000004.
        let rounded: f64 = format!("{exact:.14e}").parse().unwrap_or(exact);
        if (rounded - exact).abs() <= 4.0 * f64::EPSILON * exact.abs() { rounded } else { exact }
    };
    Ok(Some((0..count).map(|i| format!("{}{unit}", show_number(value(i)))).collect()))
}
