//! Numbers that a fit seeks, as they are named in files and on the command line: their bounds, their start and their
//! scale; channels with their columns; noise.

use super::gradient_by::GradientBy;
use std::fmt;
use std::str::FromStr;

/// Ratio of positive bounds from which the scale is logarithmic of itself.
const WIDE: f64 = 100.0;

/// A number that is sought.
#[derive(Clone, Debug, PartialEq)]
pub enum Unknown {
    /// A value of the file, or a number of the initial state.
    File(GradientBy),
    /// `delay(CHANNEL)`: the time by which the column of a channel is later than the run \[s\].
    Delay(String),
    /// `bias(CHANNEL)`: what the column of a channel has more than the run, in its unit.
    Bias(String),
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unknown::File(GradientBy::Path(path, _)) => f.write_str(path),
            Unknown::File(GradientBy::Initial(state)) => write!(f, "initial({state})"),
            Unknown::Delay(channel) => write!(f, "delay({channel})"),
            Unknown::Bias(channel) => write!(f, "bias({channel})"),
        }
    }
}

impl FromStr for Unknown {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let inside = |word: &str| text.strip_prefix(word).and_then(|rest| rest.strip_suffix(')'));
        match (inside("delay("), inside("bias(")) {
            (Some(channel), _) => Ok(Unknown::Delay(channel.trim().to_owned())),
            (_, Some(channel)) => Ok(Unknown::Bias(channel.trim().to_owned())),
            _ => text.parse().map(Unknown::File),
        }
    }
}

/// Scale on which a number is sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// The number itself.
    Linear,
    /// Its logarithm.
    Logarithmic,
}

impl Scale {
    /// The number on the scale.
    pub fn of(self, x: f64) -> f64 {
        match self {
            Scale::Linear => x,
            Scale::Logarithmic => x.max(f64::MIN_POSITIVE).ln(),
        }
    }

    /// The number at `u` on the scale.
    pub fn number(self, u: f64) -> f64 {
        match self {
            Scale::Linear => u,
            Scale::Logarithmic => u.exp(),
        }
    }

    /// Derivative of the number by its place on the scale, at the number `x`.
    pub fn slope(self, x: f64) -> f64 {
        match self {
            Scale::Linear => 1.0,
            Scale::Logarithmic => x,
        }
    }
}

/// A number that is sought, between bounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// The number.
    pub number: Unknown,
    /// Its value at the start, in place of that of the file.
    pub start: Option<f64>,
    /// Smallest and largest value.
    pub bounds: (f64, f64),
    /// Scale on which it is sought.
    pub scale: Scale,
    /// True if each recording has its own.
    pub each: bool,
}

impl Fitted {
    /// This number, with a value for each recording.
    #[must_use]
    pub fn of_each(self) -> Self {
        Fitted { each: true, ..self }
    }
}

/// Forms of a number on the command line.
const FORMS: &str = "expected PATH, PATH=LOW:HIGH or PATH=LOW:START:HIGH, with :log behind it for a logarithmic scale, \
                     e.g. parameters.m=0.1:5";

impl FromStr for Fitted {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((name, range)) = text.rsplit_once('=') else {
            let (number, bounds) = (text.parse()?, (f64::NEG_INFINITY, f64::INFINITY));
            return Ok(Fitted { number, start: None, bounds, scale: Scale::Linear, each: false });
        };
        let mut parts: Vec<&str> = range.split(':').map(str::trim).collect();
        let scale = match parts.last() {
            Some(&"log") => Some(Scale::Logarithmic),
            Some(&"linear") => Some(Scale::Linear),
            _ => None,
        };
        if scale.is_some() {
            parts.pop();
        }
        let number = |text: &&str| match text.parse::<f64>() {
            Ok(number) if !number.is_nan() => Ok(number),
            _ => Err(format!("`{text}` is not a number, in the unit of the key and without it: {FORMS}")),
        };
        let numbers = parts.iter().map(number).collect::<Result<Vec<f64>, String>>()?;
        let (low, start, high) = match numbers[..] {
            [] if scale == Some(Scale::Logarithmic) => (f64::MIN_POSITIVE, None, f64::INFINITY),
            [low, high] => (low, None, high),
            [low, start, high] => (low, Some(start), high),
            _ => return Err(FORMS.to_owned()),
        };
        if low >= high {
            return Err(format!("the lower bound {low:?} is not below the upper one {high:?}: {FORMS}"));
        }
        if let Some(start) = start.filter(|start| *start < low || *start > high) {
            return Err(format!("the start {start:?} is not between the bounds {low:?} and {high:?}"));
        }
        if scale == Some(Scale::Logarithmic) && low <= 0.0 {
            return Err(format!("a logarithmic scale has a lower bound above 0, not {low:?}"));
        }
        let is_wide = low > 0.0 && high.is_finite() && high > WIDE * low;
        let scale = scale.unwrap_or(if is_wide { Scale::Logarithmic } else { Scale::Linear });
        Ok(Fitted { number: name.parse()?, start, bounds: (low, high), scale, each: false })
    }
}

/// The standard deviation of the noise of a channel, or of all.
#[derive(Clone, Debug, PartialEq)]
pub struct Noise {
    /// The channel; `None`: all that have none of their own.
    pub channel: Option<String>,
    /// The deviation, in the unit of the channel.
    pub deviation: f64,
}

impl FromStr for Noise {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (channel, number) = match text.rsplit_once('=') {
            Some((channel, number)) => (Some(channel.trim().to_owned()), number),
            None => (None, text),
        };
        let deviation = number.trim().parse::<f64>().ok().filter(|number| number.is_finite() && *number > 0.0);
        let expected = "expected a standard deviation above 0, in the unit of the channel: 0.01, or CHANNEL=0.01";
        Ok(Noise { channel, deviation: deviation.ok_or(expected)? })
    }
}

/// A channel of the diagram, and the column of the recordings that it is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The channel.
    pub channel: String,
    /// Name of the column.
    pub column: String,
}

impl FromStr for Match {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (channel, column) = text.split_once('=').unwrap_or((text, text));
        let (channel, column) = (channel.trim().to_owned(), column.trim().to_owned());
        if channel.is_empty() || column.is_empty() {
            return Err("expected CHANNEL or CHANNEL=COLUMN, e.g. plant.arm.joint1.q=angle".to_owned());
        }
        Ok(Match { channel, column })
    }
}
