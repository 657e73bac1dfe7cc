//! Result of a fit.

use super::levenberg::Stop;
use super::statistics::Undetermined;
use serde::Serialize;

/// A number that was fitted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FittedNumber {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// Half the width of its interval of 95 %; `None` if the data do not determine it.
    pub interval: Option<f64>,
    /// Its interval of 95 %; on a logarithmic scale it is not even about the value.
    pub range: Option<[f64; 2]>,
    /// Change of its value if runs had an eighth of the accuracy; `None` where that was not seen.
    pub run_error: Option<f64>,
    /// Its value at the start.
    pub start: f64,
    /// True if it is at one of its bounds.
    pub at_bound: bool,
}

/// A channel that was compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FittedChannel {
    /// Its name.
    pub channel: String,
    /// Root of the mean square of its differences from the data, at the start and at the end.
    pub rms: [f64; 2],
    /// Number of samples.
    pub samples: usize,
}

/// A recording that was compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FittedRecording {
    /// The file.
    pub file: String,
    /// Number of rows.
    pub samples: usize,
    /// Number of rows before or after the run.
    pub left_out: usize,
}

/// A channel and its column in a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedSeries {
    /// The channel.
    pub channel: String,
    /// Its unit; may be empty.
    pub unit: String,
    /// The recording.
    pub file: String,
    /// Times of the samples \[s\].
    pub times: Vec<f64>,
    /// The column.
    pub data: Vec<f64>,
    /// Excess of the run, at the start and at the end.
    pub differences: [Vec<f64>; 2],
}

/// Result of a fit.
#[derive(Clone, Debug, Serialize)]
pub struct FitReport {
    /// The numbers.
    pub parameters: Vec<FittedNumber>,
    /// Pairs of numbers with a correlation of more than 0.95, as a warning.
    pub correlated: Vec<(String, String, f64)>,
    /// Directions of the numbers that the data do not determine.
    pub undetermined: Vec<Undetermined>,
    /// The channels.
    pub channels: Vec<FittedChannel>,
    /// The recordings.
    pub recordings: Vec<FittedRecording>,
    /// Observations on them.
    pub notes: Vec<String>,
    /// Number of iterations.
    pub iterations: usize,
    /// Number of runs with their derivatives.
    pub runs: usize,
    /// True if the search converged.
    pub converged: bool,
    /// Reason of its end.
    pub stop: Stop,
    /// Correlations of all numbers.
    pub correlations: Vec<Vec<f64>>,
    /// Channels and columns over time.
    #[serde(skip)]
    pub series: Vec<FittedSeries>,
}
