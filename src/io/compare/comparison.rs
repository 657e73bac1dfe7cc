//! Comparison of several integrators. Runs are made one after the other, so that their times are comparable.

use super::{CompareError, Origin, Reference, Row};
use kinegraph_engine::integrators::Options;
use kinegraph_scenario::Scenario;
use std::time::Duration;

/// Several integrators on one diagram.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Comparison {
    /// Name of the diagram.
    pub diagram: String,
    /// Simulated time \[s\].
    pub duration: f64,
    /// Source of the reference.
    pub reference: Origin,
    /// Results of the runs, in their order.
    pub rows: Vec<Row>,
}

impl Comparison {
    /// Runs `scenario` with each of `contenders`, for no longer than `budget` each, and calls `report` with each row
    /// when its run ends. Short runs are timed up to `timings` times; the shortest time counts, since other work on the
    /// machine can only add to it. Without a `reference`, one is simulated first.
    ///
    /// # Errors
    /// The reference cannot be simulated. A contender that fails is not an error: its row gives the reason.
    pub fn run(
        scenario: &Scenario,
        contenders: &[Options],
        reference: Option<Reference>,
        budget: Duration,
        timings: usize,
        mut report: impl FnMut(&Row),
    ) -> Result<Self, CompareError> {
        let reference = match reference {
            Some(reference) => reference,
            None => Reference::simulated(scenario, contenders, budget)?,
        };
        let mut rows = Vec::new();
        for options in contenders {
            let row = Row::run(scenario, options, &reference, budget, timings);
            report(&row);
            rows.push(row);
        }
        let diagram = scenario.diagram.name().to_owned();
        Ok(Comparison { diagram, duration: scenario.duration, reference: reference.origin, rows })
    }
}
