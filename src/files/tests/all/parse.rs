//! YAML text -> `Node` tree.

use kinegraph_files::FaultKind;
use kinegraph_files::node::{Origin, Value};
use kinegraph_files::parse::parse;

fn value(text: &str) -> Value {
    let (tree, faults) = parse(text, Origin::File);
    assert!(faults.is_empty(), "{text}: {faults:?}");
    tree.and_then(|tree| tree.get("x").cloned()).expect("a value for x").value
}

#[test]
fn every_common_number_form_reads_as_that_number() {
    for (text, expected) in [
        ("1", 1.0),
        ("-3", -3.0),
        ("+3", 3.0),
        ("1e4", 1e4),
        ("1.0e-3", 1e-3),
        ("1E5", 1e5),
        (".5", 0.5),
        ("2.", 2.0),
        ("1_000", 1000.0),
        ("0x10", 16.0),
        ("99999999999999999999", 1e20),
    ] {
        assert!(matches!(value(&format!("x: {text}")), Value::Number(x) if x == expected), "{text}");
    }
    assert!(matches!(value("x: .nan"), Value::Number(x) if x.is_nan()));
    assert!(matches!(value("x: 1e999"), Value::Number(x) if x.is_infinite()));
    for text in ["no", "y", "'1'", "nan", "1.2.3"] {
        assert!(matches!(value(&format!("x: {text}")), Value::Text(_)), "{text}");
    }
}

#[test]
fn places_count_characters_from_one_and_bytes_from_zero() {
    let text = "é: {a: [10,\n  xyz]}\n";
    let (tree, _) = parse(text, Origin::File);
    let list = tree.as_ref().and_then(|t| t.get("é")).and_then(|m| m.get("a")).expect("the list");
    let Value::List(items) = &list.value else { panic!("a list") };
    assert_eq!((items[0].at.line, items[0].at.column), (1, 9));
    assert_eq!((items[1].at.line, items[1].at.column), (2, 3));
    assert_eq!(&text[items[1].at.offset..][..items[1].at.length], "xyz");
}

#[test]
fn a_repeated_key_is_a_fault_and_the_tree_survives() {
    let (tree, faults) = parse("a: 1\nb: 2\na: 3\n", Origin::File);
    assert!(tree.is_some());
    assert!(matches!(&faults[..], [(at, FaultKind::DuplicateKey { key, .. })] if at.line == 3 && key == "a"));
}

#[test]
fn nesting_is_bounded() {
    let deep = "[".repeat(10_000);
    assert!(parse(&deep, Origin::File).0.is_none());
    let deep_but_closed = format!("{}{}", "[".repeat(200), "]".repeat(200));
    assert!(parse(&deep_but_closed, Origin::File).0.is_none());
}
