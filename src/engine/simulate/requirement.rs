//! Results of the requirements of a run.

use kinegraph_core::sizes::show_rounded;
use std::fmt;

/// Result of a requirement.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct RequirementReport {
    /// Its name.
    pub name: String,
    /// Verdict.
    pub verdict: Verdict,
    /// Time at which it was first violated, or when it was certain that it is \[s\].
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub violated_at: Option<f64>,
    /// Distance from being violated, in `unit`: positive where it is met. The smallest one of the run; of something
    /// that has to happen once, the largest one. `None` where nothing was seen, and where it is not a number.
    pub margin: Option<f64>,
    /// Time of that margin \[s\]; `None` for a measure of the whole run.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub margin_at: Option<f64>,
    /// Unit of the margin; empty where it is not known.
    pub unit: String,
    /// Value of a measure.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub value: Option<f64>,
}

/// Verdict on a requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The requirement is met.
    Met,
    /// The requirement is violated.
    Violated,
    /// The run ended before it was decided.
    Undecided,
}

impl RequirementReport {
    /// True if it is met.
    pub fn is_met(&self) -> bool {
        self.verdict == Verdict::Met
    }

    /// True if it is violated.
    pub fn is_violated(&self) -> bool {
        self.verdict == Verdict::Violated
    }

    /// Margin with its unit.
    pub fn margin_text(&self) -> Option<String> {
        let unit = if self.unit == "1" { "" } else { &self.unit };
        let space = if unit.is_empty() { "" } else { " " };
        self.margin.map(|margin| format!("{}{space}{unit}", rounded(margin)))
    }
}

/// Text such as `violated at 1.37 s, margin -0.21 m`.
impl fmt::Display for RequirementReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.verdict, self.violated_at) {
            (Verdict::Met, _) => f.write_str("met")?,
            (Verdict::Violated, Some(time)) => write!(f, "violated at {} s", rounded(time))?,
            (Verdict::Violated, None) => f.write_str("violated")?,
            (Verdict::Undecided, _) => f.write_str("undecided: the run ended before")?,
        }
        match self.margin_text() {
            Some(margin) => write!(f, ", margin {margin}"),
            None => Ok(()),
        }
    }
}

/// A number with five significant digits.
fn rounded(x: f64) -> String {
    const DIGITS: usize = 5;
    show_rounded(x, DIGITS - 1)
}

/// True if no requirement is violated or undecided.
pub fn all_met(requirements: &[RequirementReport]) -> bool {
    requirements.iter().all(RequirementReport::is_met)
}
