//! Who watches a run.

use super::{Snapshot, SnapshotError};
use crate::integrators::Attempt;
use std::io;

/// Watches a run: gets its progress and its recorded samples. An error stops the run, which then reports it.
pub trait Observer {
    /// Whether samples are wanted at all; if not, the run need not make them.
    fn wants_samples(&self) -> bool {
        true
    }

    /// The channels that are recorded, once, before the first sample.
    ///
    /// # Errors
    /// Where the samples cannot be kept.
    fn begin(&mut self, channels: &[String]) -> io::Result<()>;

    /// One sample: a value per channel at `time` \[s\].
    ///
    /// # Errors
    /// Where the sample cannot be kept.
    fn sample(&mut self, time: f64, values: &[f64]) -> io::Result<()>;

    /// Whether attempts at steps are wanted; if not, the run need not keep them.
    fn wants_attempts(&self) -> bool {
        false
    }

    /// After each step, for each attempt at it in their order: what became of it, and the coordinate in which it erred
    /// most (empty where the method has no estimate).
    ///
    /// # Errors
    /// Where the attempt cannot be kept.
    fn attempt(&mut self, _attempt: &Attempt, _worst: &str) -> io::Result<()> {
        Ok(())
    }

    /// After each accepted step: the time reached \[s\].
    fn progress(&mut self, _time: f64) {}

    /// Where the run ended, whether it succeeded or not: what it takes to go on later.
    ///
    /// # Errors
    /// Where it cannot be kept.
    fn stopped(&mut self, _snapshot: &Snapshot) -> Result<(), SnapshotError> {
        Ok(())
    }

    /// After the last sample, whether the run succeeded or not: nothing recorded may be lost.
    ///
    /// # Errors
    /// Where the samples cannot be kept.
    fn end(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl Observer for Unobserved {
    fn wants_samples(&self) -> bool {
        false
    }
    fn begin(&mut self, _: &[String]) -> io::Result<()> {
        Ok(())
    }
    fn sample(&mut self, _: f64, _: &[f64]) -> io::Result<()> {
        Ok(())
    }
}
