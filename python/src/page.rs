//! The page of `kinegraph view` with a run in it.

use crate::diagram::{self, Diagram};
use crate::simulation::Simulation;
use crate::{errors, failure};
use kinegraph::simulate::Snapshot;
use kinegraph::view::{End, EndStatus, Feed, Line, Stream};
use pyo3::prelude::*;

/// Page of the run of `simulation` from `start` to its present time, as HTML that needs nothing else. The run is
/// repeated, with the same bits, so that it costs nothing more if no page is asked for.
pub fn of(
    py: Python<'_>,
    simulation: &Simulation,
    diagram: &Diagram,
    start: &Snapshot,
    every: f64,
    names: Option<Vec<String>>,
) -> PyResult<String> {
    let page = kinegraph::built_page().map_err(|error| errors::wrong(py, error))?;
    let channels = diagram::channels(py, &diagram.scenario, names)?;
    let mut again = simulation.running.clone();
    again.restore(start).map_err(|error| errors::snapshot(py, error))?;
    let feed = Feed::default();
    let end = simulation.running.time();
    let mut stream = Stream::new(feed.clone(), diagram.view);
    drop(failure::take());
    let (run, reported) = py.detach(|| {
        let run = again.advance_observing(end, every, &channels, &mut stream);
        drop(failure::take());
        // If the run failed, it fails again at the same time: the page shows it up to there.
        let (status, message) = match &run {
            Ok(()) => (EndStatus::Done, String::new()),
            Err(error) => (EndStatus::Failed, error.to_string()),
        };
        let line = Line::End(End { status, message, time: again.time(), summary: String::new() });
        let reported = feed.push(&line);
        feed.close();
        (run, reported)
    });
    drop(run);
    reported?;
    page.with_recording(&feed).map_err(|error| errors::wrong(py, error))
}
