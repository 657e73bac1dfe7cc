//! Measures of a sweep: those of single channels of its diagram.

use super::SweepError;
use kinegraph_diagram::{Channel, Diagram};
use kinegraph_engine::measures::Measure;

/// Expands `measure` to one for each number of its channel, by the names of single channels of `diagram`.
pub(super) fn of_channels(measure: &Measure, diagram: &Diagram) -> Result<Vec<Measure>, SweepError> {
    let found = diagram.find_channels(&measure.channel);
    let found = found.map_err(|fault| SweepError::Measure { measure: measure.to_string(), fault: Box::new(fault) })?;
    Ok(found.into_iter().map(|channel: Channel| Measure { channel: channel.name, ..measure.clone() }).collect())
}
