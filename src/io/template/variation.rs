//! One run of a sweep, as plain data.

use kinegraph_engine::measures::Of;
use kinegraph_files::GradientBy;
use serde::{Deserialize, Serialize};

/// Derivatives of each run of a sweep: of which measures, and by which numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Derivatives {
    /// Measures of single channels, and times of events.
    pub of: Vec<Of>,
    /// Single numbers.
    pub by: Vec<GradientBy>,
}

impl Derivatives {
    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// Their names, measure by measure.
    pub fn names(&self) -> Vec<String> {
        let of = |of: &Of| self.by.iter().map(move |by| format!("d {of} / d {}", by.name())).collect::<Vec<_>>();
        self.of.iter().flat_map(of).collect()
    }
}

/// One run of a sweep: how it differs from the diagram file. It can be sent to another machine and run there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Variation {
    /// Number of the run in the sweep, from 0.
    pub index: u64,
    /// Path and value of each override, as in `--set`.
    pub overrides: Vec<(String, String)>,
    /// Name of the integrator, if it is varied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub integrator: Option<String>,
    /// The accuracy, if it is varied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<f64>,
    /// Seed of the draw. Each noise block takes a seed [derived](kinegraph_core::random::derived_seed) from its own and
    /// this one; with `None` it keeps that of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Largest allowed difference from the comparison runs, in accuracies, if the run is [verified](crate::verify).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verify: Option<f64>,
    /// Derivatives of the run.
    #[serde(default, skip_serializing_if = "Derivatives::is_empty")]
    pub derivatives: Derivatives,
}
