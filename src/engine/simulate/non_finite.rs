//! States that are not finite numbers: finds the first, and the block that made it.

use super::event_table::EventTable;
use super::run_error::RunError;
use kinegraph_diagram::{Block, Diagram};
use std::ops::Range;

/// Checks that the discrete state is finite. A number that is declared with an initial value that is not finite is a
/// mark of its block's own ("not yet"), and may be anything.
///
/// # Errors
/// [`RunError::NotFinite`] with the first number that is not.
pub(super) fn check_discrete(table: &EventTable, time: f64, values: &[f64]) -> Result<(), RunError> {
    let wrong = |(value, initial): (&f64, &f64)| !value.is_finite() && initial.is_finite();
    let Some(at) = values.iter().zip(&table.initial).position(wrong) else { return Ok(()) };
    let names = table.diagram.discrete_names();
    Err(fault(&table.diagram, time, "discrete state", &names, at, values[at], |block| &block.discrete))
}

/// Checks that the continuous state is finite.
///
/// # Errors
/// [`RunError::NotFinite`] with the first number that is not.
pub(super) fn check_continuous(diagram: &Diagram, time: f64, values: &[f64]) -> Result<(), RunError> {
    let Some(at) = values.iter().position(|value| !value.is_finite()) else { return Ok(()) };
    let names = diagram.state_names();
    Err(fault(diagram, time, "state", &names, at, values[at], |block| &block.state))
}

fn fault(
    diagram: &Diagram,
    time: f64,
    kind: &str,
    names: &[String],
    at: usize,
    value: f64,
    range: impl Fn(&Block) -> &Range<usize>,
) -> RunError {
    let block = diagram.blocks().iter().find(|block| range(block).contains(&at));
    RunError::NotFinite {
        time,
        what: format!("{kind} `{}`", names.get(at).map_or("", String::as_str)),
        value,
        block: block.map_or_else(String::new, |block| block.name.clone()),
    }
}
