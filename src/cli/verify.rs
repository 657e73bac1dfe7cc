//! `kinegraph run FILE --verify`: the runs beside.

use crate::files::Loaded;
use crate::integrators::Options;
use crate::scenario::Scenario;
use crate::simulate::{Simulation, Snapshot, Status};
use crate::verify::{Verification, Verifier};
use std::path::Path;

/// A positive number of accuracies.
pub(super) fn accuracies(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| *number > 0.0 && number.is_finite());
    number.ok_or_else(|| "expected a number of accuracies above zero".to_owned())
}

/// The run that is to be made again.
pub(super) struct BesideRun {
    scenario: Scenario,
    /// Where the run starts, if not at the initial state.
    start: Option<Snapshot>,
}

impl BesideRun {
    /// The diagram of a file, from the snapshot in the file `start` on, if there is one.
    ///
    /// # Errors
    /// Why it cannot be run again.
    pub fn of(loaded: &Loaded, start: Option<&Path>) -> Result<Self, String> {
        let scenario = Scenario::build(&loaded.diagram, &loaded.loader);
        let scenario = scenario.ok_or_else(|| loaded.failed().to_string())?;
        let start = start.map(Snapshot::read).transpose().map_err(|error| error.to_string())?;
        Ok(BesideRun { scenario, start })
    }

    /// Verifies the run, which ended with `status`.
    pub fn verify(self, status: &Status, within: f64, interrupt: &dyn Fn() -> Option<String>) -> Verification {
        let BesideRun { scenario, start } = self;
        let begin = |options: Options| {
            let mut simulation = Simulation::new(&scenario.diagram, options).map_err(|error| error.to_string())?;
            if let Some(snapshot) = &start {
                simulation.restore_changed(snapshot).map_err(|error| error.to_string())?;
            }
            Ok(simulation)
        };
        Verifier { scenario: &scenario, begin: &begin, within, interrupt }.verify(status)
    }
}
