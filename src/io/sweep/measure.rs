//! Measures of a run: `end(CHANNEL)`, `max(CHANNEL)`, `crossing(CHANNEL,VALUE)`, ….

use super::{SweepError, values};
use kinegraph_diagram::{Channel, Diagram};
use kinegraph_files::node::show_number;
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

/// Kinds of measures.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum MeasureKind {
    /// The value at the end.
    End,
    /// The largest value at any sample.
    Max,
    /// The smallest value at any sample.
    Min,
    /// The largest magnitude at any sample.
    Peak,
    /// The mean over time, by the trapezoidal rule over the samples.
    Mean,
    /// The root of the mean square over time, by the trapezoidal rule over the samples.
    Rms,
    /// Time at which the channel first crosses this value \[s\], interpolated linearly between samples; none if it
    /// never does.
    Crossing(f64),
}

impl MeasureKind {
    fn name(self) -> &'static str {
        match self {
            MeasureKind::End => "end",
            MeasureKind::Max => "max",
            MeasureKind::Min => "min",
            MeasureKind::Peak => "peak",
            MeasureKind::Mean => "mean",
            MeasureKind::Rms => "rms",
            MeasureKind::Crossing(_) => "crossing",
        }
    }
}

impl Measure {
    /// Expands to a measure for each number of its channel, by the names of single channels of `diagram`.
    pub(super) fn of(&self, diagram: &Diagram) -> Result<Vec<Measure>, SweepError> {
        let found = diagram.find_channels(&self.channel);
        let found = found.map_err(|fault| SweepError::Measure { measure: self.to_string(), fault: Box::new(fault) })?;
        Ok(found.into_iter().map(|channel: Channel| Measure { channel: channel.name, ..self.clone() }).collect())
    }
}

/// Text as on the command line, and in the header of its column.
impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            MeasureKind::Crossing(value) => write!(f, "crossing({},{})", self.channel, show_number(value)),
            kind => write!(f, "{}({})", kind.name(), self.channel),
        }
    }
}

impl From<Measure> for String {
    fn from(measure: Measure) -> String {
        measure.to_string()
    }
}

impl TryFrom<String> for Measure {
    type Error = SweepError;

    fn try_from(text: String) -> Result<Self, SweepError> {
        text.parse()
    }
}

impl FromStr for Measure {
    type Err = SweepError;

    fn from_str(text: &str) -> Result<Self, SweepError> {
        let wrong = || {
            let reason = "expected end(CHANNEL), max(…), min(…), peak(…), mean(…), rms(…) or crossing(CHANNEL,VALUE)";
            SweepError::syntax(text, reason)
        };
        let (name, rest) = text.trim().split_once('(').ok_or_else(wrong)?;
        let inner = rest.trim_end().strip_suffix(')').ok_or_else(wrong)?;
        let fields: Vec<&str> = values::parts(inner).into_iter().map(str::trim).collect();
        let (kind, channel) = match (name.trim(), &fields[..]) {
            ("end", [channel]) => (MeasureKind::End, channel),
            ("max", [channel]) => (MeasureKind::Max, channel),
            ("min", [channel]) => (MeasureKind::Min, channel),
            ("peak", [channel]) => (MeasureKind::Peak, channel),
            ("mean", [channel]) => (MeasureKind::Mean, channel),
            ("rms", [channel]) => (MeasureKind::Rms, channel),
            ("crossing", [channel, value]) => {
                let value = value.parse().ok().filter(|value: &f64| value.is_finite()).ok_or_else(wrong)?;
                (MeasureKind::Crossing(value), channel)
            }
            _ => return Err(wrong()),
        };
        if channel.is_empty() { Err(wrong()) } else { Ok(Measure { kind, channel: (*channel).to_owned() }) }
    }
}
