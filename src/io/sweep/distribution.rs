//! Random parameters: `normal(m,s)`, `uniform(a,b)`, `integer(a,b)`.

use super::SweepError;
use kinegraph_core::random::derived_seed;
use kinegraph_files::node::show_number;
use kinegraph_files::{in_one_unit, with_unit};
use rand_distr::{Distribution as _, Normal, Uniform};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Distribution of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Distribution {
    /// Normal, with this mean and standard deviation.
    Normal(f64, f64),
    /// Uniform between two bounds.
    Uniform(f64, f64),
    /// Whole numbers between two bounds, both included: seeds, for instance.
    Integer(i64, i64),
}

impl Distribution {
    /// Draws the value of parameter `place` with `seed`. It depends on these two alone.
    pub fn draw(&self, seed: u64, place: u64) -> String {
        let mut random = Pcg64::seed_from_u64(derived_seed(seed, place));
        // The parameters were checked when they were read.
        let number = match *self {
            Distribution::Normal(mean, deviation) => Normal::new(mean, deviation).map(|d| d.sample(&mut random)).ok(),
            Distribution::Uniform(low, high) => Uniform::new(low, high).map(|d| d.sample(&mut random)).ok(),
            Distribution::Integer(low, high) => {
                let whole = Uniform::new_inclusive(low, high).map(|d| d.sample(&mut random));
                return whole.map_or_else(|_| low.to_string(), |whole| whole.to_string());
            }
        };
        show_number(number.unwrap_or(f64::NAN))
    }
}

impl Distribution {
    /// Parses a law whose numbers may have a unit, as `uniform(28 N/m,32 N/m)`, and returns the unit.
    ///
    /// # Errors
    /// Fault of the text; numbers in different units.
    pub(super) fn with_unit(text: &str) -> Result<(Self, String), SweepError> {
        let numbers = text.split_once('(').and_then(|(name, rest)| {
            let (a, b) = rest.trim_end().strip_suffix(')')?.split_once(',')?;
            Some((name, a.trim(), b.trim()))
        });
        match numbers {
            Some((name, a, b)) if [a, b].iter().any(|x| with_unit(x).is_some_and(|(_, unit)| unit.is_some())) => {
                let ([a, b], unit) = in_one_unit(a, b).map_err(|reason| SweepError::syntax(text, reason))?;
                let law = format!("{name}({},{})", show_number(a), show_number(b)).parse()?;
                Ok((law, unit.trim_start().to_owned()))
            }
            _ => Ok((text.parse()?, String::new())),
        }
    }
}

impl fmt::Display for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Distribution::Normal(mean, deviation) => {
                write!(f, "normal({},{})", show_number(mean), show_number(deviation))
            }
            Distribution::Uniform(low, high) => write!(f, "uniform({},{})", show_number(low), show_number(high)),
            Distribution::Integer(low, high) => write!(f, "integer({low},{high})"),
        }
    }
}

impl From<Distribution> for String {
    fn from(distribution: Distribution) -> String {
        distribution.to_string()
    }
}

impl TryFrom<String> for Distribution {
    type Error = SweepError;

    fn try_from(text: String) -> Result<Self, SweepError> {
        text.parse()
    }
}

impl FromStr for Distribution {
    type Err = SweepError;

    fn from_str(text: &str) -> Result<Self, SweepError> {
        let wrong = |reason: &str| SweepError::syntax(text, reason);
        let call = || wrong("expected normal(mean,deviation), uniform(low,high) or integer(low,high)");
        let (name, rest) = text.trim().split_once('(').ok_or_else(call)?;
        let inner = rest.trim_end().strip_suffix(')').ok_or_else(call)?;
        let (a, b) = inner.split_once(',').ok_or_else(call)?;
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        let whole = |text: &str| text.trim().parse::<i64>().ok().filter(|x| x.unsigned_abs() < 1 << 53);
        match name.trim() {
            "normal" => match (number(a), number(b)) {
                (Some(mean), Some(deviation)) if deviation >= 0.0 => Ok(Distribution::Normal(mean, deviation)),
                _ => Err(wrong("needs a mean, and a standard deviation that is not negative")),
            },
            "uniform" => match (number(a), number(b)) {
                (Some(low), Some(high)) if low < high && (high - low).is_finite() => {
                    Ok(Distribution::Uniform(low, high))
                }
                _ => Err(wrong("needs two numbers, the first below the second")),
            },
            "integer" => match (whole(a), whole(b)) {
                (Some(low), Some(high)) if low <= high => Ok(Distribution::Integer(low, high)),
                _ => Err(wrong("needs two whole numbers, the first not above the second")),
            },
            _ => Err(call()),
        }
    }
}
