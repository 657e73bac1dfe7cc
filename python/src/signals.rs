//! Handling of Ctrl-C while a run does not hold the lock of the interpreter.

use pyo3::prelude::*;
use std::time::{Duration, Instant};

/// Maximum time until a signal is handled, as long as steps end.
const SIGNAL_CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// Checks at intervals for signals.
pub struct Signals {
    asked: Instant,
}

impl Signals {
    /// Creates the check; the first is after one interval.
    pub fn new() -> Self {
        Signals { asked: Instant::now() }
    }

    /// Returns the exception that the handler of a signal raises, if a signal arrived.
    pub fn check(&mut self) -> PyResult<()> {
        if self.asked.elapsed() < SIGNAL_CHECK_INTERVAL {
            return Ok(());
        }
        self.asked = Instant::now();
        Python::attach(|py| py.check_signals())
    }
}
