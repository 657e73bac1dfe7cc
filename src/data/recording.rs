//! Channels of a recording in MCAP, as a table; its scene, its pictures and its steps are not read.

use super::fault::TableError;
use super::samples::{MessageError, RecordedChannel, Samples, parse as parse_message, topics};
use super::stored::each_message;
use super::table::{Column, Table};
use serde::Deserialize;

/// Channels of a run, or more of them.
#[derive(Deserialize)]
struct Declared {
    channels: Vec<RecordedChannel>,
}

/// Parses a recording.
pub(super) fn parse(bytes: &[u8]) -> Result<Table, TableError> {
    let mut samples = Samples::of_file(bytes.len());
    let (mut columns, mut begun, mut ended): (Vec<Column>, _, _) = (Vec::new(), false, false);
    each_message(bytes, TableError::Format, |message| {
        match message.topic {
            topics::RUN if begun => return Err(MessageError::new(message.topic, "it comes twice").into()),
            topics::MORE if !begun => {}
            topics::RUN | topics::MORE => {
                let Declared { channels } = parse_message(message.topic, message.data)?;
                samples.declare(message.topic, &channels)?;
                columns.extend(channels.into_iter().map(|channel| Column {
                    name: channel.name,
                    unit: channel.unit,
                    sampled: channel.sampled,
                    ..Column::default()
                }));
                begun = true;
            }
            topics::END => ended = true,
            topic => {
                samples.take(topic, message.time as f64 * 1e-9, message.data)?;
            }
        }
        Ok(())
    })?;
    if !begun {
        return Err(TableError::Foreign);
    }
    let whole = samples.whole();
    for (i, column) in columns.iter_mut().enumerate() {
        column.values.extend(samples.values[..whole].iter().map(|row| row[i]));
    }
    samples.times.truncate(whole);
    let time = Column { name: "time".into(), unit: "s".into(), values: samples.times, ..Column::default() };
    columns.insert(0, time);
    Ok(Table { columns, lines: Vec::new(), is_torn: !ended })
}
