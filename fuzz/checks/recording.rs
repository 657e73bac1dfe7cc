//! Whatever the bytes, a recording is read or refused. The first byte says of which kind it is meant to be.

use kinegraph::plot::{draw, read_table};
use kinegraph::record::mcap;
use kinegraph::view::{Feed, replay};

/// The kinds, in the order of the first byte.
pub const KINDS: [&str; 3] = ["csv", "jsonl", "mcap"];

/// Reads the bytes behind the first one.
pub fn check(data: &[u8]) {
    let Some((first, bytes)) = data.split_first() else { return };
    let kind = KINDS[usize::from(*first) % KINDS.len()];
    let file = std::env::temp_dir().join(format!("kinegraph-fuzz-{}.{kind}", std::process::id()));
    if std::fs::write(&file, bytes).is_err() {
        return;
    }
    match read_table(&file) {
        Ok(table) => {
            let lengths = table.plot.series.iter().map(|series| series.values.len());
            assert!(lengths.into_iter().all(|length| length == table.plot.times.len()));
            assert!(table.plot.times.iter().all(|time| time.is_finite()));
            // A table of nothing has no picture.
            drop(draw(&table.plot, &file.with_extension("svg")));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    if kind == "mcap"
        && let Ok(recording) = mcap::read(&file)
    {
        // What the page shows of it.
        drop(replay(&recording, &Feed::default()));
    }
}
