//! A number of a run: a measure of a channel, or the time of an event.

use super::measure::{Measure, MeasureError};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A number of a run, as derivatives are asked of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Of {
    /// A measure of a channel.
    Measure(Measure),
    /// The first time of an event \[s\], by its name: `time(block: witness)`, or `time(touch BODY BODY)`,
    /// `time(stop JOINT)`.
    Time(String),
}

impl fmt::Display for Of {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Of::Measure(measure) => measure.fmt(f),
            Of::Time(name) => write!(f, "time({name})"),
        }
    }
}

impl FromStr for Of {
    type Err = MeasureError;

    fn from_str(text: &str) -> Result<Self, MeasureError> {
        let Some(rest) = text.trim().strip_prefix("time(") else { return text.parse().map(Of::Measure) };
        match rest.strip_suffix(')').map(str::trim).filter(|name| !name.is_empty()) {
            Some(name) => Ok(Of::Time(name.to_owned())),
            None => Err(MeasureError {
                text: text.to_owned(),
                reason: "expected time(EVENT), as in time(touch box ground)".to_owned(),
            }),
        }
    }
}

impl From<Of> for String {
    fn from(of: Of) -> String {
        of.to_string()
    }
}

impl TryFrom<String> for Of {
    type Error = MeasureError;

    fn try_from(text: String) -> Result<Self, MeasureError> {
        text.parse()
    }
}
