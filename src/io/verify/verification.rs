//! Result of the verification of a run.

use super::beside::Beside;
use super::parting::Parting;
use serde::Serialize;
use std::fmt;

/// Verdict on the numbers of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// All other runs are within the bound, in every channel at all times.
    Verified,
    /// Another run differs from this one by more than the bound.
    Differs,
    /// From some time on the motion cannot be predicted at this accuracy: two tighter runs part as far in accuracies of
    /// their own, and so does a run whose initial state differs by less than the accuracy. Before that time the run is
    /// verified.
    Undetermined,
    /// The comparison runs did not reach the end.
    Unverified,
}

impl Verdict {
    /// Its name in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Verified => "verified",
            Verdict::Differs => "differs",
            Verdict::Undetermined => "undetermined",
            Verdict::Unverified => "unverified",
        }
    }
}

/// Largest difference of a channel in any of the comparison runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChannelDifference {
    /// Name of the channel.
    pub channel: String,
    /// The difference, in accuracies.
    pub accuracies: f64,
    /// Its time \[s\].
    pub time: f64,
}

/// Result of the comparison of a run with others. The field names are the keys of the JSON object. Differences are
/// those before the motion becomes undetermined, if it does.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verification {
    /// The outcome.
    pub verdict: Verdict,
    /// The largest difference of any channel, in accuracies.
    pub accuracies: f64,
    /// Its channel; empty if there is no difference.
    pub channel: String,
    /// Its time \[s\].
    pub time: f64,
    /// Bound on the differences, in accuracies.
    pub within: f64,
    /// Unit of the differences.
    pub accuracy: f64,
    /// Reason why the verdict is not `verified`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// First time at which a channel differs by more than the bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parted: Option<Parting>,
    /// Time from which on the motion cannot be predicted at this accuracy \[s\].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undetermined_from: Option<f64>,
    /// The comparison runs, in their order.
    pub runs: Vec<Beside>,
    /// Largest difference of every recorded channel.
    pub channels: Vec<ChannelDifference>,
}

impl Verification {
    /// True if every channel is within the bound at all times.
    pub fn is_verified(&self) -> bool {
        self.verdict == Verdict::Verified
    }

    /// Result without comparison, with its reason.
    pub(super) fn none(within: f64, accuracy: f64, reason: String) -> Self {
        Verification {
            verdict: Verdict::Unverified,
            accuracies: 0.0,
            channel: String::new(),
            time: 0.0,
            within,
            accuracy,
            reason: Some(reason),
            parted: None,
            undetermined_from: None,
            runs: Vec::new(),
            channels: Vec::new(),
        }
    }
}

/// A number for display, with three digits.
struct Short(f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Short(x) = *self;
        match x.abs() {
            size if size == 0.0 || (0.01..1e4).contains(&size) => {
                let text = format!("{x:.3}");
                f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
            }
            _ => write!(f, "{x:.1e}"),
        }
    }
}

/// A number with few digits: `1e-4` for a tenth of 0.001.
fn decimal(x: f64) -> String {
    let rounded: f64 = format!("{x:.5e}").parse().unwrap_or(x);
    format!("{rounded:e}")
}

/// Names of the comparison runs that reached the end: `cenic at 1e-4, dopri5 at 1e-4`.
fn done(runs: &[Beside]) -> String {
    let name = |run: &Beside| match (run.accuracy, run.step) {
        (Some(accuracy), _) => format!("{} at {}", run.integrator, decimal(accuracy)),
        (None, Some(step)) => format!("{} in steps of {} s", run.integrator, decimal(step)),
        (None, None) => run.integrator.to_owned(),
    };
    runs.iter().filter(|run| run.status == "done").map(name).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Verification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let largest = |f: &mut fmt::Formatter<'_>| {
            write!(f, "{:.1} accuracies", self.accuracies)?;
            match self.channel.is_empty() {
                true => Ok(()),
                false => write!(f, " ({} at {} s)", self.channel, Short(self.time)),
            }
        };
        match self.verdict {
            Verdict::Verified => {
                f.write_str("verified to ")?;
                largest(f)?;
                write!(f, " by {}", done(&self.runs))?;
            }
            Verdict::Undetermined => {
                let from = Short(self.undetermined_from.unwrap_or_default());
                write!(f, "undetermined from {from} s, verified before that to ")?;
                largest(f)?;
            }
            Verdict::Differs => {
                f.write_str("differs by ")?;
                largest(f)?;
            }
            Verdict::Unverified => f.write_str("unverified")?,
        }
        if let Some(reason) = &self.reason {
            write!(f, "; {reason}")?;
        }
        if let Some(parted) = &self.parted {
            let Parting { time, channel, integrator, rules, switching } = parted;
            write!(f, "; first beyond {} accuracies: {channel} at {} s", Short(self.within), Short(*time))?;
            write!(f, " ({integrator})")?;
            if !rules.is_empty() {
                write!(f, "; rules of the steps there: {}", rules.join(", "))?;
            }
            if !switching.is_empty() {
                write!(f, "; switching: {}", switching.join(", "))?;
            }
        }
        Ok(())
    }
}
