//! `type: playback`.

use crate::example_files::SAMPLES;
use crate::form::{
    BlockType, Choice, FileName, Group, Key, ListOf, Needs, Optional, Reader, SystemSpec, Text, WithDefault, needs,
    optional, recipe, with_default,
};
use crate::node::show_number;
use crate::rows::{fault_of, in_si, note_doubts, without_column};
use kinegraph_data::Column;
use kinegraph_systems::sources::{Hold, Outside, Playback};

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "playback",
    group: Group::Sources,
    about: "plays back columns of a recording: a table (CSV, JSON lines) or MCAP",
    example: "logged: {type: playback, file: samples.csv, channels: [effort], hold: zero}",
    files: &[SAMPLES],
    read,
};

const FILE: Needs<FileName> = needs(
    "file",
    FileName { about: "the name of a recording (.csv, .jsonl, .mcap)" },
    "recording, in the folder of this file or below it",
);
const TIME: Optional<Text> = optional("time", Text { about: "the name of a column" }, "`time`", "column of times [s]");
const CHANNELS: Optional<ListOf<Text>> = optional(
    "channels",
    ListOf { each: Text { about: "the name of a column" }, about: "a list of names of columns" },
    "all but the times",
    "columns that are the output, in this order",
);
const HOLD: WithDefault<Choice<Hold>> = with_default(
    "hold",
    Choice { what: "hold", options: &[("linear", Hold::Linear), ("zero", Hold::Zero), ("cubic", Hold::Cubic)] },
    Hold::Linear,
    "between rows: `linear`, `zero`, the row before, or `cubic`, a natural spline",
);
const BEFORE: WithDefault<Choice<Outside>> = with_default(
    "before",
    Choice { what: "behaviour", options: &[("first", Outside::Nearest), ("fault", Outside::Fault)] },
    Outside::Nearest,
    "before the first row: `first`, its values, or `fault`, the run stops",
);
const AFTER: WithDefault<Choice<Outside>> = with_default(
    "after",
    Choice { what: "behaviour", options: &[("last", Outside::Nearest), ("fault", Outside::Fault)] },
    Outside::Nearest,
    "after the last row: `last`, its values, or `fault`, the run stops",
);

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (file, channels) = (r.get(&FILE), r.get(&CHANNELS));
    let time = r.get(&TIME).unwrap_or_else(|| "time".to_owned());
    let (hold, outside) = (r.get(&HOLD), [r.get(&BEFORE), r.get(&AFTER)]);
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
    let times = found(&time, if r.has(TIME) { &TIME } else { &FILE });
    let columns: Vec<Option<&Column>> = match &channels {
        Some(names) => names.iter().map(|name| found(name, &CHANNELS)).collect(),
        None => table.columns.iter().filter(|column| column.name != time).map(Some).collect(),
    };
    let (times, columns) = (times?, columns.into_iter().collect::<Option<Vec<&Column>>>()?);
    if columns.is_empty() {
        r.conflict(FILE, format!("{} has no column beside `{time}`", file.display()));
        return None;
    }
    if let Some(twice) = (1..columns.len()).find(|i| columns[..*i].iter().any(|one| one.name == columns[*i].name)) {
        r.conflict(CHANNELS, format!("`{}` is there twice: name each column once", columns[twice].name));
        return None;
    }
    if let Some(message) = fault_of(&table, times, &columns) {
        r.conflict(FILE, format!("{}: {message}", file.display()));
        return None;
    }
    let mut read = columns.clone();
    read.push(times);
    note_doubts(&file, &table, &read, r.loader());
    let (times, _) = in_si(times);
    let (columns_in_si, units): (Vec<_>, Vec<_>) = columns.iter().map(|column| in_si(column)).unzip();
    let first = times[0];
    if outside[0] == Outside::Fault && first > 0.0 {
        let first = show_number(first);
        let message = format!("a run begins at 0 s, and the first row is at {first} s: with `first` its values hold");
        r.conflict(BEFORE, message);
    }
    r.output_of_file(FILE, units.into_iter().map(|unit| unit.map(|unit| unit.dimension)).collect());
    let values: Vec<f64> =
        (0..times.len()).flat_map(|row| columns_in_si.iter().map(move |column| column[row])).collect();
    let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    let width = names.len();
    recipe(move || {
        let block = Playback::new(width, times.clone(), values.clone(), hold, outside);
        block.map(|block| block.named(names.clone()))
    })
}
