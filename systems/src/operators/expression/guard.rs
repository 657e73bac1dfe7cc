//! Conditions of state machines.

use super::parse::{self, Meaning};
use super::program::Program;
use kinegraph_core::logic::number;
use kinegraph_core::parameter::ParameterError;

/// A condition over inputs, the time, and the time since an entry: `x > 1 and after 0.2 s`.
#[derive(Debug)]
pub(crate) struct Guard {
    program: Program,
    /// Number of inputs.
    inputs: usize,
    /// Period \[s\] of each `every`.
    pub every: Vec<f64>,
}

impl Guard {
    /// Reads a condition over `inputs`.
    pub fn new(text: &str, inputs: &[(&str, usize)]) -> Result<Self, ParameterError> {
        let (program, every) = parse::parse_with_periods(text, inputs, Meaning::Guard)?;
        Ok(Guard { program, inputs: inputs.len(), every })
    }

    /// Distance from the change of its truth, positive where it is true; `elapsed` is the time since the entry \[s\],
    /// `is_due(k)` is true at the instants of its k-th `every`.
    pub fn margin(&self, time: f64, elapsed: f64, input: impl Fn(usize) -> f64, is_due: impl Fn(usize) -> bool) -> f64 {
        self.program.margin(time, |index, _| match index.checked_sub(self.inputs) {
            None => input(index),
            Some(0) => elapsed,
            Some(every) => number(is_due(every - 1)),
        })
    }
}
