//! The history of step sizes as comma-separated values: one row per attempt at a step, accepted or not.
//!
//! | column | meaning |
//! |---|---|
//! | `time` | where the attempt started \[s\] |
//! | `h` | its length \[s\] |
//! | `outcome` | `accepted`, or why it was not |
//! | `error` | the estimate of its error in the integrator's norm; empty without one |
//! | `worst` | the coordinate with the largest error; empty without an estimate |
//! | `iterations` | Newton iterations |
//! | `rule` | the rule of the step that asked for another attempt, if any: `kinegraph integrators cenic --rules` |
//!
//! Attempts that were not accepted and repeated with a shorter step are `inaccurate` (the error is too large), `failed`
//! (no solution), `not_free` (a step of free motion would have met something), `transition` (accurate, but it crosses a
//! point where the motion is not smooth, which is to be located more closely) or `energy_gain` (accurate, but it gains
//! energy that nothing gave). Where an event ends a step early, the next attempt starts before the end of the last one.

use super::RowFile;
use kinegraph_engine::integrators::Rule;
use kinegraph_engine::simulate::{Observer, StepReport};
use std::io::{self, Write};
use std::path::Path;

/// Writes each attempt as a row.
#[derive(Debug)]
pub struct StepsSink<W: Write> {
    writer: csv::Writer<W>,
}

impl StepsSink<RowFile> {
    /// Creates a sink that writes to a new file at `path` and replaces an existing one.
    ///
    /// # Errors
    /// The file cannot be created or written.
    pub fn create(path: &Path) -> io::Result<Self> {
        StepsSink::new(RowFile::create(path)?)
    }
}

impl<W: Write> StepsSink<W> {
    /// Creates a sink that writes to `writer`, and writes the header.
    ///
    /// # Errors
    /// `writer` cannot be written to.
    pub fn new(writer: W) -> io::Result<Self> {
        let mut writer = csv::Writer::from_writer(writer);
        writer.write_record(["time", "h", "outcome", "error", "worst", "iterations", "rule"])?;
        Ok(StepsSink { writer })
    }
}

impl<W: Write> Observer for StepsSink<W> {
    fn wants_samples(&self) -> bool {
        false
    }

    fn wants_attempts(&self) -> bool {
        true
    }

    /// Numbers read back to the same bits.
    fn step(&mut self, step: &StepReport<'_>) -> io::Result<()> {
        let number = |x: f64| format!("{x:?}");
        for attempt in step.attempts {
            let (time, h) = (number(attempt.time), number(attempt.h));
            let error = attempt.error.map_or_else(String::new, number);
            let iterations = attempt.solver_iterations.to_string();
            let rule = attempt.rule.map_or("", Rule::name);
            let row = [&*time, &*h, attempt.outcome.name(), &*error, step.worst(attempt), &*iterations, rule];
            self.writer.write_record(row)?;
        }
        self.writer.flush()
    }

    fn end(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}
