//! `type: playback`.

use kinegraph_core::testing::Bench;
use kinegraph_files::Catalog;
use kinegraph_files::blocks::playback;
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

/// A folder of the test of this name, with this recording.
fn folder(test: &str, file: &str, text: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("kinegraph-playback-{test}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(file), text).unwrap();
    folder
}

/// Values of the block at half a second, or the faults of its parameters.
fn played(test: &str, file: &str, text: &str, parameters: Value) -> Result<Vec<f64>, String> {
    let catalog = Catalog::empty().with(playback::TYPE).unwrap();
    let folder = folder(test, file, text);
    let block = catalog.build("playback", parameters, &folder);
    fs::remove_dir_all(&folder).unwrap();
    let block = block.map_err(|faults| faults.to_string())?;
    let passed = block.ports().ticks().iter().filter(|tick| tick.offset <= 0.5).count();
    Ok(Bench::new(&*block).time(0.5).discrete([passed as f64]).eval_named("output"))
}

/// Words stand beside the numbers that are played back.
#[test]
fn columns_of_words_may_be_left_out() {
    let text = "time,what,x\n0,rest,1\n1,motion,3\n";
    assert_eq!(played("words", "log.csv", text, json!({"file": "log.csv", "channels": ["x"]})).unwrap(), [2.0]);
    let all = played("words", "log.csv", text, json!({"file": "log.csv"})).unwrap_err();
    assert!(all.contains("line 2: what is `rest`, no number"), "{all}");
}

const TABLE: &str = "time [s],torque [N m],angle\n0,1,10\n1,2,30\n";

#[test]
fn columns_are_found_by_name_with_and_without_units() {
    let from = |parameters| played("columns", "log.csv", TABLE, parameters).unwrap();
    assert_eq!(from(json!({"file": "log.csv"})), [1.5, 20.0]);
    assert_eq!(from(json!({"file": "log.csv", "channels": ["angle"], "hold": "zero"})), [10.0]);
    assert_eq!(from(json!({"file": "log.csv", "channels": ["angle", "torque"], "hold": "cubic"})), [20.0, 1.5]);
    let other = "angle,torque [N m]\n0,1\n1,2\n";
    let turned = played("columns", "log.csv", other, json!({"file": "log.csv", "time": "angle"}));
    assert_eq!(turned.unwrap(), [1.5]);
}

#[test]
fn json_lines_are_read_like_tables() {
    let lines = "{\"time\": 0, \"x\": 1}\n{\"time\": 1, \"x\": 5}\n{\"time\": 2, \"x\"";
    assert_eq!(played("lines", "log.jsonl", lines, json!({"file": "log.jsonl"})).unwrap(), [3.0]);
}

#[test]
fn faults_name_the_line_and_the_column() {
    for (text, parameters, expected) in [
        (TABLE, json!({"file": "log.csv", "channels": ["torqe"]}), "has no column `torqe`; did you mean `torque`?"),
        (TABLE, json!({"file": "log.csv", "channels": ["z"]}), "has no column `z`; its columns: time, torque"),
        (TABLE, json!({"file": "log.csv", "time": "stamp"}), "has no column `stamp`"),
        (TABLE, json!({"file": "lost.csv"}), "lost.csv"),
        (TABLE, json!({"file": "log.csv", "hold": "cubi"}), "did you mean `cubic`?"),
        ("time\n0\n", json!({"file": "log.csv"}), "has no column beside `time`"),
        ("time,x\n", json!({"file": "log.csv"}), "it has a head and no rows"),
        ("time,x\n0,1\n1,two\n", json!({"file": "log.csv"}), "line 3: x is `two`, no number"),
        ("time,x\n0,1\n1,\n", json!({"file": "log.csv"}), "line 3: `x` is no number there"),
        ("time,x\n0,1\n1,2,3\n", json!({"file": "log.csv"}), "line 3 has 3 fields, not 2"),
        ("time,x\n0,1\n2,2\n1,3\n", json!({"file": "log.csv"}), "line 4: the time 1 comes after 2"),
        ("time,x\n1,1\n1,2\n1,3\n", json!({"file": "log.csv"}), "line 4: a third row at 1 s, where 2 rows are a jump"),
    ] {
        let found = played("faults", "log.csv", text, parameters).unwrap_err();
        assert!(found.contains(expected), "{found}");
    }
}
