//! Numbers with units: `2 kg`, `5 mm`, `3 kN/m`.

use super::node::{Value, show_number};
use kinegraph_core::sizes::SizeRange;
use kinegraph_core::unit::{Dimension, Unit};
use std::f64::consts::TAU;

/// Number and the text behind it, if `text` begins with a number and the rest has letters: `2 kg`, `20deg`, `5 %`.
pub(crate) fn split(text: &str) -> Option<(f64, &str)> {
    const MAX_BYTES: usize = 64;
    let text = text.trim();
    if text.len() > MAX_BYTES || !text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.')) {
        return None;
    }
    let ends = text.char_indices().rev().map(|(at, _)| at).filter(|at| *at > 0);
    let number = |at: usize| Some((text[..at].trim_end().parse::<f64>().ok()?, text[at..].trim_start()));
    let (number, unit) = ends.into_iter().find_map(number)?;
    unit.contains(|c: char| c.is_alphabetic() || matches!(c, '°' | '%')).then_some((number, unit))
}

/// Number and unit of a text such as `2 kg`.
pub(crate) fn read(text: &str) -> Option<(f64, Unit)> {
    let (number, unit) = split(text)?;
    Some((number, Unit::read(unit)?))
}

/// Splits a text such as `2 kg` or `2` into its number and its unit, if it has one; `None` for any other text.
pub fn with_unit(text: &str) -> Option<(f64, Option<Unit>)> {
    match text.trim().parse() {
        Ok(number) => Some((number, None)),
        Err(_) => read(text).map(|(number, unit)| (number, Some(unit))),
    }
}

/// Two numbers in SI units, and their unit behind a space; as they are and empty if they have none.
///
/// # Errors
/// A message on texts that are no numbers, on units of different kinds, on a number without the unit of the other.
pub fn in_one_unit(a: &str, b: &str) -> Result<([f64; 2], String), String> {
    let number = |text: &str| with_unit(text).ok_or_else(|| format!("`{text}` is not a number"));
    match (number(a)?, number(b)?) {
        ((a, None), (b, None)) => Ok(([a, b], String::new())),
        ((_, Some(unit)), (_, Some(other))) if unit.dimension != other.dimension => {
            Err(format!("`{a}` is in {}, and `{b}` in {}: write both in one unit", unit.name, other.name))
        }
        ((first, Some(unit)), (second, Some(other))) => {
            let ends = [unit.to_si(first), other.to_si(second)];
            // A part of one is written with its sign, since a bare number would have the unit of the key.
            match unit.name.as_str() {
                "1" => Ok((ends.map(|part| 100.0 * part), " %".to_owned())),
                si => Ok((ends, format!(" {si}"))),
            }
        }
        _ => Err(format!("`{a}` and `{b}`: write the unit with both, or with none")),
    }
}

/// Number in the SI unit `wanted` of a text such as `500 ms`; a bare number is in that unit.
///
/// # Errors
/// A message on a text that is none, or in another unit.
pub fn number_in(text: &str, wanted: &str) -> Result<f64, String> {
    let text = text.trim();
    let expected = format!("expected a number in {wanted}");
    match with_unit(text) {
        Some((number, None)) => Ok(number),
        Some((number, Some(unit))) if unit.gives(dimension(wanted)) => Ok(unit.to_si(number)),
        Some((number, Some(unit))) if unit.name == "Hz" && wanted == "rad/s" => {
            let turns = show_number(unit.to_si(number) * TAU);
            Err(format!("{expected}, found the frequency `{text}`: write {turns} rad/s"))
        }
        Some((_, Some(unit))) => Err(format!("{expected}, found `{text}`, which is in {}", unit.name)),
        None => match split(text) {
            Some((_, unit)) => Err(format!("{expected}, found `{text}`: `{unit}` is no unit")),
            None => Err(format!("{expected}, found `{text}`")),
        },
    }
}

/// Number in SI units of a text such as `2 mm`.
pub(crate) fn in_si(value: &Value) -> Option<f64> {
    match value {
        Value::Text(text) => read(text).map(|(number, unit)| unit.to_si(number)),
        _ => None,
    }
}

/// True if a value is written as a number with a unit.
pub(crate) fn is_written(value: &Value) -> bool {
    in_si(value).is_some()
}

/// The unit that a key asks for, as the ranges of its possible units.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<'a>(pub &'a [&'static SizeRange]);

impl Wanted<'_> {
    /// True if numbers of this unit suit the key.
    pub fn takes(self, unit: &Unit) -> bool {
        let takes = |range: &&'static SizeRange| match range.unit() {
            "any" => true,
            // Rates of signals whose unit the key does not know: N/s, rad/s, m/s².
            "1/s" | "1/s²" | "1/s³" => unit.dimension.seconds() < 0,
            wanted => unit.gives(dimension(wanted)),
        };
        self.0.is_empty() || self.0.iter().any(takes)
    }

    /// True if a parameter of this unit suits the key. One without a unit, such as a list of coefficients, takes all:
    /// they have the units that their formula needs.
    pub fn takes_parameter(self, unit: &Unit) -> bool {
        let has_none = self.0.iter().all(|range| range.unit().is_empty());
        has_none || self.takes(unit)
    }

    /// Message on a number in a unit that does not suit the key; `written` is the number as it stands in the file.
    pub fn refusal(self, written: &str, number: f64, unit: &Unit) -> String {
        let names: Vec<&str> = self.0.iter().map(|range| range.unit()).collect();
        let si = &unit.name;
        if names == [""] {
            return format!("`{written}` has a unit, {si}, the key has none: write the number alone");
        }
        let wanted = names.join(" or ");
        if si == "Hz" && names.contains(&"rad/s") {
            let turns = show_number(unit.to_si(number) * TAU);
            return format!("`{written}` is a frequency, the key is an angular velocity in rad/s: write {turns} rad/s");
        }
        let like = match names.as_slice() {
            [one] => format!(", as `{} {one}`, or alone, which is in {one}", show_number(number)),
            _ => ", or alone, in SI units".to_owned(),
        };
        format!("`{written}` is in {si}, the key in {wanted}: write a number in {wanted}{like}")
    }
}

/// The unit of a range; plain numbers have none.
fn dimension(unit: &str) -> Dimension {
    Dimension::read(unit).unwrap_or(Dimension::ONE)
}
