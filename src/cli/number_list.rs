//! Lists of numbers on the command line: `1e-2,3e-3`, `1e-1..1e-6`.

use std::str::FromStr;

/// Positive numbers. `a..b` stands for a, b and the numbers between them in steps of a factor of ten from a.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberList(pub Vec<f64>);

impl FromStr for NumberList {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut all = Vec::new();
        for part in text.split(',').map(str::trim) {
            match part.split_once("..") {
                Some((from, to)) => all.extend(decades(number(from)?, number(to)?)),
                None => all.push(number(part)?),
            }
        }
        Ok(NumberList(all))
    }
}

fn number(text: &str) -> Result<f64, String> {
    let number: f64 = text.trim().parse().map_err(|_| format!("`{text}` is not a number"))?;
    if number > 0.0 && number.is_finite() { Ok(number) } else { Err(format!("`{text}` is not a positive number")) }
}

fn decades(from: f64, to: f64) -> Vec<f64> {
    let factor: i32 = if to < from { -1 } else { 1 };
    let count = ((to / from).log10().abs() + 1e-9).floor() as i32;
    // Rounds a decimal times a power of ten to a short decimal.
    let decade = |k: i32| format!("{:.12e}", from * 10f64.powi(factor * k)).parse().unwrap_or(from);
    let mut all: Vec<f64> = (0..=count).map(decade).collect();
    if (all[all.len() - 1] / to - 1.0).abs() > 1e-9 {
        all.push(to);
    }
    all
}
