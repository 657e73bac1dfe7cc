//! One run of a sweep, as plain data.

use serde::{Deserialize, Serialize};

/// Data of one run of a sweep: how it differs from the file. It can be sent to another machine and run there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Variation {
    /// Its number in the sweep, from 0.
    pub index: u64,
    /// Paths and values of overrides, as in `--set`.
    pub overrides: Vec<(String, String)>,
    /// Name of the integrator, if it is varied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub integrator: Option<String>,
    /// The accuracy, if it is varied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<f64>,
    /// Number of the draw; noise blocks have [seeds derived](kinegraph_core::random::derived_seed) from their own and
    /// this one. With `None` they keep the seeds of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Bound in accuracies on the difference to comparison runs, if the run is [verified](crate::verify).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verify: Option<f64>,
}
