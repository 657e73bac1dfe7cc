//! Numbers with units: `2 kg`, `5 mm`, `3 kN/m`.

use std::f64::consts::{PI, TAU};

/// A unit as it is written, in terms of SI units.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Unit {
    /// Its name in SI units: `N/m` for `kN/m`.
    pub name: String,
    /// Power of ten by which numbers in it are multiplied.
    power: i32,
    /// Factor besides that power.
    factor: f64,
}

/// Units of SI that a prefix may stand before, with the name in SI units, a power of ten and a factor.
const PREFIXED: [(&str, &str, i32); 17] = [
    ("m", "m", 0),
    ("s", "s", 0),
    ("g", "kg", -3),
    ("N", "N", 0),
    ("Pa", "Pa", 0),
    ("J", "J", 0),
    ("W", "W", 0),
    ("V", "V", 0),
    ("A", "A", 0),
    ("Hz", "Hz", 0),
    ("Ω", "Ω", 0),
    ("ohm", "Ω", 0),
    ("H", "H", 0),
    ("F", "F", 0),
    ("C", "C", 0),
    ("T", "T", 0),
    ("rad", "rad", 0),
];

/// Prefixes, with their powers of ten.
const PREFIXES: [(&str, i32); 9] =
    [("n", -9), ("u", -6), ("µ", -6), ("μ", -6), ("m", -3), ("c", -2), ("k", 3), ("M", 6), ("G", 9)];

/// Units without prefixes, with the name in SI units and the factor.
const OTHERS: [(&str, &str, f64); 11] = [
    ("1", "1", 1.0),
    ("K", "K", 1.0),
    ("mol", "mol", 1.0),
    ("min", "s", 60.0),
    ("h", "s", 3600.0),
    ("deg", "rad", PI / 180.0),
    ("°", "rad", PI / 180.0),
    ("rpm", "rad/s", TAU / 60.0),
    ("Nm", "N m", 1.0),
    ("bar", "Pa", 1e5),
    ("%", "1", 0.01),
];

impl Unit {
    /// Reads a unit: factors between blanks, `*` or `·`, each behind a `/` if it divides, with whole powers. `None` for
    /// a text that is no unit.
    pub fn read(text: &str) -> Option<Self> {
        let mut unit = Unit { name: String::new(), power: 0, factor: 1.0 };
        let (mut divides, mut symbol) = (false, String::new());
        for c in text.trim().chars().chain([' ']) {
            if !matches!(c, ' ' | '*' | '·' | '/') {
                symbol.push(c);
                continue;
            }
            if !symbol.is_empty() {
                unit.multiply(&symbol, divides)?;
                symbol.clear();
                divides = false;
            }
            if c == '/' {
                (!divides && !unit.name.is_empty()).then_some(())?;
                divides = true;
            }
        }
        (!divides && !unit.name.is_empty()).then_some(unit)
    }

    fn multiply(&mut self, written: &str, divides: bool) -> Option<()> {
        let (symbol, exponent) = split_exponent(written)?;
        let (name, power, factor) = symbol_of(symbol)?;
        let sign = if divides { -1 } else { 1 };
        self.power += sign * exponent * power;
        self.factor *= factor.powi(sign * exponent);
        let exponent = match exponent {
            1 => String::new(),
            _ => format!("^{exponent}"),
        };
        // A unit such as rpm stands alone: a power of its name would be that of its last part.
        (exponent.is_empty() && !divides || !name.contains(['/', ' '])).then_some(())?;
        let between = match (divides, self.name.is_empty()) {
            (true, _) => "/",
            (false, false) => " ",
            (false, true) => "",
        };
        self.name = format!("{}{between}{name}{exponent}", self.name);
        Some(())
    }

    /// Number in SI units of a number in this unit.
    pub fn to_si(&self, number: f64) -> f64 {
        let number = number * self.factor;
        // Division keeps decimals exact: 9 mm are 0.009 m, which a multiplication by 0.001 misses.
        if self.power < 0 { number / 10f64.powi(-self.power) } else { number * 10f64.powi(self.power) }
    }
}

/// Symbol and exponent of `m^2`, `m²` or `m`.
fn split_exponent(written: &str) -> Option<(&str, i32)> {
    if let Some((symbol, exponent)) = written.split_once('^') {
        let exponent: i32 = exponent.parse().ok()?;
        return (exponent != 0 && exponent.abs() <= 9).then_some((symbol, exponent));
    }
    let raised = [("²", 2), ("³", 3)].iter().find_map(|(sign, n)| Some((written.strip_suffix(sign)?, *n)));
    Some(raised.unwrap_or((written, 1)))
}

/// Name in SI units, power of ten and factor of a symbol.
fn symbol_of(symbol: &str) -> Option<(&'static str, i32, f64)> {
    if let Some((_, name, factor)) = OTHERS.iter().find(|(other, ..)| *other == symbol) {
        return Some((name, 0, *factor));
    }
    let plain =
        |symbol: &str| PREFIXED.iter().find(|(unit, ..)| *unit == symbol).map(|(_, name, power)| (*name, *power));
    if let Some((name, power)) = plain(symbol) {
        return Some((name, power, 1.0));
    }
    PREFIXES.iter().find_map(|(prefix, power)| {
        let (name, own) = plain(symbol.strip_prefix(prefix)?)?;
        Some((name, power + own, 1.0))
    })
}

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
