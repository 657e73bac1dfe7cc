//! Tests of `systems/core/names.rs`.

use kinegraph_core::names::{did_you_mean, nearest};

#[test]
fn misspellings_find_the_meant_name_and_strangers_find_none() {
    let valid = ["stiffness", "dissipation", "static_friction", "points", "forearm", "upper_arm", "x"];
    for (name, expected) in [
        ("stifness", Some("stiffness")),
        ("Static-Friction", Some("static_friction")),
        ("dissip", Some("dissipation")),
        ("foreram", Some("forearm")),
        ("Upper_Arm", Some("upper_arm")),
        ("colour", None),
        ("gripper", None),
        ("y", None),
        ("xylophone", None),
    ] {
        assert_eq!(nearest(name, valid).as_deref(), expected, "{name}");
    }
    assert_eq!(nearest("anything", [""; 0]), None);
}

#[test]
fn of_equally_near_names_the_first_counts() {
    assert_eq!(nearest("j3", ["j1", "j2"]).as_deref(), Some("j1"));
    assert_eq!(nearest("j2x", ["j1x", "j2", "j2x", "J2X"]).as_deref(), Some("j2x"));
}

#[test]
fn long_names_and_long_lists_cost_little() {
    let long = "x".repeat(1_000_000);
    assert_eq!(nearest(&long, [long.as_str()]).as_deref(), Some(long.as_str()));
    let many = (0..1_000_000).map(|_| "name");
    assert_eq!(nearest("nmae", many).as_deref(), Some("name"));
}

#[test]
fn a_message_ends_with_the_suggestion_or_says_nothing() {
    assert_eq!(did_you_mean(&Some("pid".into())), "; did you mean `pid`?");
    assert_eq!(did_you_mean(&None), "");
}
