//! Limits of a channel: a number, another channel, or a recording.

use crate::decode::{FileName, Text};
use crate::fault::FaultKind;
use crate::item::{Decode, Item};
use crate::level::{Level, WithUnit};
use crate::node::{Position, Value};
use crate::parameter::{Key, Needs, Optional, needs, optional};
use crate::quantity;
use crate::reader::Reader;
use crate::rows::{fault_of, in_si, note_doubts, without_column};
use crate::section::Section;
use crate::words::listed;

/// Name of a channel, and where it stands.
#[derive(Clone, Debug)]
pub struct ChannelName {
    /// The name.
    pub name: String,
    /// Its place.
    pub at: Position,
    /// Path of its key.
    pub path: String,
}

/// Limit of a channel.
#[derive(Clone, Debug)]
pub enum Limit {
    /// A number.
    Level(Level),
    /// The value of another channel.
    Channel(ChannelName),
    /// A recorded signal.
    Rows(LimitRows),
}

/// Recorded values, joined by straight lines; before the first and after the last the nearest counts.
#[derive(Clone, Debug)]
pub struct LimitRows {
    /// Place of the file's name.
    pub at: Position,
    /// Path of the limit.
    pub path: String,
    /// Unit that the file states, in SI symbols; may be empty.
    pub unit: String,
    /// Times \[s\]; they never decrease, and at most two are equal: a jump.
    pub times: Vec<f64>,
    /// Values.
    pub values: Vec<f64>,
}

/// Decoder of a limit.
pub(super) struct LimitOf;

const RECORDED: Section<LimitRows> = Section { about: "a recording, such as `{file: low.csv}`", read };
const FILE: Needs<FileName> =
    needs("file", FileName { about: "the name of a recording (.csv, .jsonl, .mcap)" }, "recording");
const TIME: Optional<Text> = optional("time", Text { about: "the name of a column" }, "`time`", "column of times [s]");
const COLUMN: Optional<Text> =
    optional("column", Text { about: "the name of a column" }, "the only one beside the times", "column of values");

impl Decode for LimitOf {
    type Output = Limit;
    fn expects(&self) -> String {
        "the name of a channel, or a recording such as `{file: low.csv}`".into()
    }
    fn decode(&self, item: Item<'_>) -> Option<Limit> {
        match &item.node.value {
            Value::Map(_) => {
                let path = item.path.to_string();
                RECORDED.decode(item).map(|rows| Limit::Rows(LimitRows { path, ..rows }))
            }
            Value::Text(text) if quantity::split(text).is_none() && !text.trim().is_empty() => {
                Some(Limit::Channel(ChannelName { name: text.clone(), at: item.node.at, path: item.path.to_string() }))
            }
            Value::Text(_) | Value::Number(_) => WithUnit.decode(item).map(Limit::Level),
            _ => {
                item.wrong(self.expects());
                None
            }
        }
    }
}

fn read(r: &mut Reader<'_>) -> Option<LimitRows> {
    let (file, time, column) = (r.get(&FILE), r.get(&TIME), r.get(&COLUMN));
    let file = file?;
    let table = match r.loader().table(&file) {
        Ok(table) => table,
        Err(reason) => {
            r.conflict(FILE, format!("{}: {reason}", file.display()));
            return None;
        }
    };
    let found = |name: &str, key: &dyn Key| {
        let column = table.column(name);
        if column.is_none() {
            r.conflict(key, without_column(&file, &table, name));
        }
        column
    };
    let time_key: &dyn Key = if r.has(TIME) { &TIME } else { &FILE };
    let time = time.unwrap_or_else(|| "time".to_owned());
    let times = found(&time, time_key);
    let others: Vec<&str> = table.names().filter(|name| *name != time).collect();
    let column = match (column, &others[..]) {
        (Some(name), _) => found(&name, &COLUMN),
        (None, [only]) => found(only, &FILE),
        (None, names) => {
            let names = if names.is_empty() { "none".into() } else { listed(names) };
            let message = format!("{}: which `column`? Beside the times it has {names}", file.display());
            r.report(r.at_key(FILE), FaultKind::Conflict { path: r.path_of(FILE), message });
            None
        }
    };
    let (times, column) = (times?, column?);
    if let Some(message) = fault_of(&table, times, &[column]) {
        r.conflict(FILE, format!("{}: {message}", file.display()));
        return None;
    }
    note_doubts(&file, &table, &[times, column], r.loader());
    let ((times, _), (values, unit)) = (in_si(times), in_si(column));
    let unit = unit.map_or_else(String::new, |unit| unit.name);
    Some(LimitRows { at: r.at_key(FILE), path: String::new(), unit, times, values })
}
