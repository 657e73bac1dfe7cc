//! One run of a sweep, as plain data.

use serde::{Deserialize, Serialize};

/// What one run of a sweep differs in. It can be sent to another machine and run there by itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Variation {
    /// Its number in the sweep, from 0.
    pub index: u64,
    /// Paths and values in place of those of the file, as `--set` takes them.
    pub overrides: Vec<(String, String)>,
    /// Name of the integrator, if that is varied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub integrator: Option<String>,
    /// The accuracy, if that is varied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<f64>,
    /// The number of the draw; noise blocks have [seeds derived](kinegraph_core::random::derived_seed) from theirs and
    /// this. `None` leaves them as they are in the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// How many accuracies the runs beside may differ, if the run is [verified](crate::verify).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verify: Option<f64>,
}
