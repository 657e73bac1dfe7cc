//! `--verify` of `kinegraph run` and `kinegraph view`: comparison runs.

use super::summary::Summary;
use crate::files::Loaded;
use crate::integrators::Options;
use crate::scenario::Scenario;
use crate::simulate::{RunReport, Simulation, Snapshot, Status};
use crate::verify::{DEFAULT_WITHIN, Verification, Verifier};
use clap::Args;
use std::fmt;
use std::path::Path;

/// Options that verify a run.
#[derive(Debug, Args)]
pub(super) struct VerifyOptions {
    /// Run it again at a tenth of the accuracy and by a method of another family, and say how far the recorded channels
    /// are apart; exit code 1 where that is too far
    #[arg(long)]
    verify: bool,
    /// How many accuracies the runs of `--verify` may be apart
    #[arg(long, value_name = "ACCURACIES", requires = "verify", value_parser = accuracies)]
    verify_within: Option<f64>,
}

impl VerifyOptions {
    /// True if the run is to be verified.
    pub fn wanted(&self) -> bool {
        self.verify
    }

    /// The run to repeat, from the snapshot in the file `start` on, if there is one; `None` without `--verify`.
    ///
    /// # Errors
    /// The reason why it cannot be repeated.
    pub fn beside(&self, loaded: &Loaded, start: Option<&Path>) -> Result<Option<BesideRun>, String> {
        self.verify.then(|| BesideRun::of(loaded, start, self.verify_within.unwrap_or(DEFAULT_WITHIN))).transpose()
    }
}

/// Summary of a run, with the result of its verification.
pub(super) struct Verified<'a>(pub &'a RunReport, pub Option<&'a Verification>);

impl fmt::Display for Verified<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Summary(self.0))?;
        self.1.map_or(Ok(()), |verification| writeln!(f, "  {:<14} {verification}", "verify"))
    }
}

/// Parses a positive number of accuracies.
pub(super) fn accuracies(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| *number > 0.0 && number.is_finite());
    number.ok_or_else(|| "expected a number of accuracies above zero".to_owned())
}

/// The run to repeat.
pub(super) struct BesideRun {
    scenario: Scenario,
    /// Snapshot where the run starts, instead of the initial state.
    start: Option<Snapshot>,
    /// Bound on the differences, in accuracies.
    within: f64,
}

impl BesideRun {
    fn of(loaded: &Loaded, start: Option<&Path>, within: f64) -> Result<Self, String> {
        let scenario = Scenario::build(&loaded.diagram, &loaded.loader);
        let scenario = scenario.ok_or_else(|| loaded.failed().to_string())?;
        let start = start.map(Snapshot::read).transpose().map_err(|error| error.to_string())?;
        Ok(BesideRun { scenario, start, within })
    }

    /// Verifies the run that ended with `status`.
    pub fn verify(self, status: &Status, interrupt: &dyn Fn() -> Option<String>) -> Verification {
        let BesideRun { scenario, start, within } = self;
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
