//! Conditions over signals and channels, for what runs beside blocks.

use super::parse::{self, Meaning, NO_CHANNEL};
use super::program::Program;
use super::tokens::longest_names;
use kinegraph_core::names::nearest;
use kinegraph_core::parameter::ParameterError;

/// A condition such as `plant.box.z < 0.01 and not mode.is_hold`, or any other formula, over numbers with names.
#[derive(Debug)]
pub struct Condition {
    program: Program,
    used: Vec<usize>,
}

impl Condition {
    /// Reads a condition over `channels`, which may have names with dots and brackets; the longest name that fits
    /// counts. The time is `t` \[s\].
    ///
    /// # Errors
    /// Text that is no condition, with the column where it fails.
    pub fn new(text: &str, channels: &[&str]) -> Result<Self, ParameterError> {
        let fault = |(column, message)| ParameterError::Expression { expression: text.into(), column, message };
        let used = longest_names(text, channels).map_err(fault)?;
        let inputs: Vec<(&str, usize)> = used.iter().map(|&channel| (channels[channel], 1)).collect();
        let program = parse::parse(text, &inputs, Meaning::Channels).map_err(|error| advised(error, channels))?;
        Ok(Condition { program, used })
    }

    /// Indices of the channels that it reads, among those that it was made with.
    pub fn channels(&self) -> &[usize] {
        &self.used
    }

    /// Its value as a number: of a condition 1 or 0; `value(i)` is that of the i-th of [`channels`](Self::channels).
    pub fn value(&self, time: f64, value: impl Fn(usize) -> f64) -> f64 {
        self.program.run(time, |input, _| value(input))
    }

    /// Distance from the change of its truth, in the units of what it compares: positive where it is true. That of
    /// `a > b` is `a - b`, of `A and B` the smaller one, of `A or B` the larger one. Not-a-number where a number that
    /// it compares is.
    pub fn margin(&self, time: f64, value: impl Fn(usize) -> f64) -> f64 {
        self.program.margin(time, |input, _| value(input))
    }
}

/// The fault of a name that is no channel, with the nearest one.
fn advised(mut error: ParameterError, channels: &[&str]) -> ParameterError {
    if let ParameterError::Expression { message, .. } = &mut error
        && let Some(name) = message.strip_suffix(NO_CHANNEL)
        && let Some(near) = nearest(name.trim_matches('`'), channels.iter().copied())
    {
        message.push_str(&format!("; did you mean `{near}`?"));
    }
    error
}
