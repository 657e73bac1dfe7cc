//! One block, made from the name of its type and its parameters, without a diagram file.

use kinegraph_files::Catalog;
use kinegraph_files::node::{Node, Value};
use std::path::Path as FilePath;

fn faults_of(type_name: &str, parameters: Node) -> String {
    let built = Catalog::standard().build(type_name, parameters, FilePath::new(""));
    built.err().map_or_else(String::new, |faults| faults.to_string())
}

#[test]
fn json_and_values_of_a_program_make_the_same_block() {
    let json = serde_json::json!({"signs": "+-", "width": 3});
    let node = Node::from([("signs", Node::from("+-")), ("width", Node::from(3.0))]);
    for parameters in [Node::from(json), node] {
        let block = Catalog::standard().build("adder", parameters, FilePath::new("")).expect("a sum");
        let names: Vec<&str> = block.ports().inputs().iter().map(|port| port.name.as_str()).collect();
        assert_eq!((names, block.ports().outputs()[0].width), (vec!["input0", "input1"], 3));
    }
}

#[test]
fn all_faults_are_reported_without_a_place() {
    let faults = faults_of("gain", Node::from([("gian", Node::from(f64::NAN)), ("width", Node::from(0.5))]));
    let expected = "unknown key `gian` in gain\n  help: did you mean `gain`? Valid here: gain, width, derivatives or unit\n\
                    gain.width: expected a whole number from 1 to 1000000, found 0.5";
    let mut lines: Vec<&str> = faults.lines().collect();
    lines.sort_unstable();
    let mut expected: Vec<&str> = expected.lines().collect();
    expected.sort_unstable();
    assert_eq!(lines, expected);
    assert!(faults_of("gian", Value::Null.into()).contains("unknown block type `gian`"));
    assert!(faults_of("gain", Value::Null.into()).contains("gain: expected a map of keys and values, found nothing"));
}

#[test]
fn blocks_of_a_file_cannot_be_made_alone() {
    let nothing = serde_json::json!({"plant": "plant", "suction": {"c": 1, "d0": 1}, "cups": [], "targets": []});
    assert!(faults_of("vacuum_gripper", nothing.into()).contains("made for another block of its file"));
}
