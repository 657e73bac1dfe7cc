//! Ctrl-C while a run does not hold the lock of the interpreter.

use pyo3::prelude::*;
use std::time::{Duration, Instant};

/// How long a signal waits at most, as long as steps end.
const SIGNAL_CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// Asks from time to time whether a signal has come.
pub struct Signals {
    asked: Instant,
}

impl Signals {
    /// Asks for the first time a while from now.
    pub fn new() -> Self {
        Signals { asked: Instant::now() }
    }

    /// What the handler of a signal that has come raises.
    pub fn check(&mut self) -> PyResult<()> {
        if self.asked.elapsed() < SIGNAL_CHECK_INTERVAL {
            return Ok(());
        }
        self.asked = Instant::now();
        Python::attach(|py| py.check_signals())
    }
}
