//! The runs of a comparison, one after the other: their times are to be comparable.

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
    /// What errors are measured against.
    pub reference: Origin,
    /// The runs, in their order.
    pub rows: Vec<Row>,
}

impl Comparison {
    /// Runs `scenario` with each of `contenders`, for no longer than `budget` each, and calls `report` with each row as
    /// it is there. Short runs are timed up to `timings` times; the shortest time counts, for whatever else the machine
    /// does can only add to it. Without a `reference`, one is simulated first.
    ///
    /// # Errors
    /// A reference that cannot be had. A contender that fails is a row that says why.
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
