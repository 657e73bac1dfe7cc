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
