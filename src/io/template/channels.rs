//! Measures of single channels of a diagram.

use kinegraph_diagram::{BuildError, Channel, Diagram};
use kinegraph_engine::measures::Measure;

/// Expands `measure` to one for each number of its channel, by the names of single channels of `diagram`.
pub(crate) fn of_channels(measure: &Measure, diagram: &Diagram) -> Result<Vec<Measure>, Box<BuildError>> {
    let found = diagram.find_channels(&measure.channel)?;
    Ok(found.into_iter().map(|channel: Channel| Measure { channel: channel.name, ..measure.clone() }).collect())
}
