//! The active state in recordings: a number in tables, and its name beside it where words are kept.

use crate::command::kinegraph;
use std::fs;

#[test]
fn the_active_state_has_its_name_in_mcap_and_its_number_in_csv() {
    let folder = tempfile::tempdir().unwrap();
    let [mcap, csv] = ["run.mcap", "run.csv"].map(|name| folder.path().join(name).to_string_lossy().into_owned());
    let file = "examples/cart_pole/cart_pole.yaml";
    let (code, out, err) = kinegraph(&["run", file, "--record", &mcap, "--record", &csv]);
    assert_eq!(code, 0, "{out}{err}");
    let bytes = fs::read(&mcap).unwrap();
    let mut names: Vec<String> = Vec::new();
    for message in mcap::MessageStream::new(&bytes).unwrap() {
        let message = message.unwrap();
        if message.channel.topic == "/mode/state" {
            let value: serde_json::Value = serde_json::from_slice(&message.data).unwrap();
            let name = value["name"].as_str().unwrap().to_owned();
            let expected = ["swing_up", "balance", "rest"][value["value"].as_f64().unwrap() as usize];
            assert_eq!(name, expected);
            if names.last() != Some(&name) {
                names.push(name);
            }
        }
    }
    assert_eq!(names, ["swing_up", "balance", "rest"]);
    let text = fs::read_to_string(&csv).unwrap();
    let column = text.lines().next().unwrap().split(',').position(|name| name == "mode.state").unwrap();
    assert_eq!(text.lines().last().unwrap().split(',').nth(column), Some("2.0"));
    // Plots and comparisons read the number.
    let svg = folder.path().join("plot.svg").to_string_lossy().into_owned();
    let (code, out, err) = kinegraph(&["plot", &mcap, "--channels", "mode.state", "-o", &svg]);
    assert_eq!(code, 0, "{out}{err}");
}
