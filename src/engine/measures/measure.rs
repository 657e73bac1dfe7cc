//! Measures of a run: `end(CHANNEL)`, `max(CHANNEL)`, `crossing(CHANNEL,VALUE)`, ….

use kinegraph_core::sizes::show_number;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Number that is computed from a channel of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Measure {
    /// Kind of the measure.
    pub kind: MeasureKind,
    /// Name of the channel, or of an output: then each of its numbers is measured.
    pub channel: String,
}

/// Kinds of measures. Extremes, integrals and times are those of the signal that joins the samples by straight lines,
/// or of the motion within the steps where a requirement asks for them.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum MeasureKind {
    /// The value at the end.
    End,
    /// The largest value.
    Max,
    /// The smallest value.
    Min,
    /// The largest magnitude.
    Peak,
    /// The largest magnitude, by the name that tools for control give it.
    MaxAbs,
    /// The mean over time.
    Mean,
    /// The root of the mean square over time.
    Rms,
    /// The integral over time.
    Integral,
    /// The integral of the magnitude over time.
    IntegralAbs,
    /// The energy of the signal: the integral of its square over time.
    Energy,
    /// Distance by which the signal goes beyond its last value, as a part of the way from its first value to its last;
    /// none if the two are equal.
    Overshoot,
    /// Time from which the signal stays within this distance of its last value \[s\].
    Settling(f64),
    /// Time from a tenth to nine tenths of the way from the first value to the last \[s\]; none if the two are equal.
    Rise,
    /// Time at which the channel first crosses this value \[s\]; none if it never does.
    Crossing(f64),
    /// The value at this time \[s\]; none if the run does not reach it.
    At(f64),
}

/// Measures of a channel alone, by name.
const PLAIN: [(&str, MeasureKind); 12] = [
    ("end", MeasureKind::End),
    ("max", MeasureKind::Max),
    ("min", MeasureKind::Min),
    ("peak", MeasureKind::Peak),
    ("max_abs", MeasureKind::MaxAbs),
    ("mean", MeasureKind::Mean),
    ("rms", MeasureKind::Rms),
    ("integral", MeasureKind::Integral),
    ("integral_abs", MeasureKind::IntegralAbs),
    ("energy", MeasureKind::Energy),
    ("overshoot", MeasureKind::Overshoot),
    ("rise", MeasureKind::Rise),
];

/// Text that is no measure.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}`: {reason}")]
pub struct MeasureError {
    /// The text.
    pub text: String,
    /// Fault of it.
    pub reason: String,
}

kinegraph_core::debug_is_message!(MeasureError);

impl MeasureKind {
    fn name(self) -> &'static str {
        match self {
            MeasureKind::Crossing(_) => "crossing",
            MeasureKind::Settling(_) => "settling",
            MeasureKind::At(_) => "at",
            plain => PLAIN.iter().find(|(_, kind)| *kind == plain).map_or("", |(name, _)| name),
        }
    }

    /// Number behind the channel, if the measure has one.
    fn number(self) -> Option<f64> {
        match self {
            MeasureKind::Crossing(x) | MeasureKind::Settling(x) | MeasureKind::At(x) => Some(x),
            _ => None,
        }
    }

    /// Unit of the measure of a channel in the unit `of`; empty if it is not known.
    pub fn unit(self, of: &str) -> String {
        let product = |unit: String| if of.is_empty() { String::new() } else { unit };
        match self {
            MeasureKind::Overshoot => "1".into(),
            MeasureKind::Settling(_) | MeasureKind::Rise | MeasureKind::Crossing(_) => "s".into(),
            MeasureKind::Integral | MeasureKind::IntegralAbs => product(format!("{of} s")),
            MeasureKind::Energy if of.contains([' ', '/', '^']) => product(format!("({of})^2 s")),
            MeasureKind::Energy => product(format!("{of}^2 s")),
            _ => of.into(),
        }
    }
}

/// Text as on the command line, and in the header of its column.
impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, channel) = (self.kind.name(), &self.channel);
        match self.kind.number() {
            Some(number) => write!(f, "{name}({channel},{})", show_number(number)),
            None => write!(f, "{name}({channel})"),
        }
    }
}

impl From<Measure> for String {
    fn from(measure: Measure) -> String {
        measure.to_string()
    }
}

impl TryFrom<String> for Measure {
    type Error = MeasureError;

    fn try_from(text: String) -> Result<Self, MeasureError> {
        text.parse()
    }
}

impl FromStr for Measure {
    type Err = MeasureError;

    fn from_str(text: &str) -> Result<Self, MeasureError> {
        let wrong = |reason: &str| MeasureError { text: text.to_owned(), reason: reason.to_owned() };
        let call = || {
            wrong(
                "expected end(CHANNEL), max(…), min(…), peak(…), max_abs(…), mean(…), rms(…), integral(…), \
                 integral_abs(…), energy(…), overshoot(…), rise(…), settling(CHANNEL,BAND), crossing(CHANNEL,VALUE) or \
                 at(CHANNEL,TIME)",
            )
        };
        let (name, rest) = text.trim().split_once('(').ok_or_else(call)?;
        let inner = rest.trim_end().strip_suffix(')').ok_or_else(call)?;
        // A channel may have commas within its brackets.
        let (channel, number) = match inner.rfind(',').filter(|comma| !inner[*comma..].contains([')', ']'])) {
            Some(comma) => (inner[..comma].trim(), Some(inner[comma + 1..].trim())),
            None => (inner.trim(), None),
        };
        let number =
            number.map(|text| text.parse().ok().filter(|x: &f64| x.is_finite()).ok_or_else(call)).transpose()?;
        let kind = match (name.trim(), number) {
            ("crossing", Some(level)) => MeasureKind::Crossing(level),
            ("settling", Some(band)) if band > 0.0 => MeasureKind::Settling(band),
            ("settling", Some(_)) => return Err(wrong("the band of settling(CHANNEL,BAND) is above 0")),
            ("at", Some(time)) if time >= 0.0 => MeasureKind::At(time),
            ("at", Some(_)) => return Err(wrong("the time of at(CHANNEL,TIME) is not negative")),
            (name, None) => PLAIN.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind).ok_or_else(call)?,
            _ => return Err(call()),
        };
        if channel.is_empty() { Err(call()) } else { Ok(Measure { kind, channel: channel.to_owned() }) }
    }
}
