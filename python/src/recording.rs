//! Recording of a run for Python: times and rows of numbers.

use crate::failure;
use crate::signals::Signals;
use kinegraph::simulate::{Observer, RunStart, Sample, StepReport};
use pyo3::prelude::*;
use std::cell::RefCell;
use std::io;

/// Observer that records samples; it ends the run on a signal or when a block raised.
pub struct Recorder {
    /// Times of the samples \[s\].
    pub times: Vec<f64>,
    /// Values of the samples, one row each.
    pub rows: Vec<f64>,
    signals: RefCell<Signals>,
    raised: RefCell<Option<PyErr>>,
}

impl Recorder {
    /// Creates an empty recorder.
    pub fn new() -> Self {
        let signals = RefCell::new(Signals::new());
        Recorder { times: Vec::new(), rows: Vec::new(), signals, raised: RefCell::new(None) }
    }

    /// Takes the exception that the handler of a signal raised.
    pub fn take_raised(&mut self) -> Option<PyErr> {
        self.raised.get_mut().take()
    }
}

/// Returns an error if a block raised, which ends the run; the exception itself is taken when the run is over.
fn unless_raised() -> io::Result<()> {
    if failure::is_pending() { Err(io::Error::other("a block raised an exception")) } else { Ok(()) }
}

impl Observer for Recorder {
    fn begin(&mut self, _: &RunStart<'_>) -> io::Result<()> {
        unless_raised()
    }

    fn sample(&mut self, sample: &mut Sample<'_>) -> io::Result<()> {
        let time = sample.time();
        let values = sample.values();
        unless_raised()?;
        self.times.push(time);
        self.rows.extend_from_slice(values);
        Ok(())
    }

    fn step(&mut self, _: &StepReport<'_>) -> io::Result<()> {
        unless_raised()
    }

    fn wants_end(&self) -> Option<String> {
        let raised = self.signals.borrow_mut().check().err()?;
        self.raised.replace(Some(raised));
        Some("a signal came".into())
    }
}
