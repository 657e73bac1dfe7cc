//! Guides name every file that an addition costs: what they add as an example is mentioned nowhere else.

use std::fs;
use std::path::Path;

/// Rust files below a folder of the repository, without those of tests, in order.
fn files_in(folder: &str) -> Vec<String> {
    let mut files = Vec::new();
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = format!("{folder}/{}", entry.file_name().to_str().expect("UTF-8"));
        if entry.path().is_dir() {
            files.extend(if name.ends_with("/tests") { Vec::new() } else { files_in(&name) });
        } else if name.ends_with(".rs") {
            files.push(name);
        }
    }
    files.sort();
    files
}

/// Text of a file of the repository.
fn text_of(file: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).expect("a text")
}

/// Files of the library in which one of the words stands alone.
fn mentions(words: &[&str]) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let has = |file: &String| text_of(file).split(|c| !is_part(c)).any(|word| words.contains(&word));
    let mut files = files_in("src");
    files.extend(files_in("systems"));
    files.retain(has);
    files
}

/// An element is one file and its lines in the lists. A compliant stop is more: its law is also that of the ends of
/// ranges, steps follow impacts on it, and linear models take its force.
#[test]
fn an_element_costs_the_files_that_its_guide_names() {
    let lists = ["src/convex/contact/elements/mod.rs", "src/convex/contact/mod.rs", "src/methods/sweeps/elements.rs"];
    let more = [
        "src/convex/contact/elements/row_range.rs",
        "src/engine/integrators/contact/forces_at.rs",
        "src/engine/integrators/contact/strikes.rs",
        "src/engine/state_space/contact/law.rs",
    ];
    let own = |file| [&lists[..], &[file]].concat();
    let friction = own("src/convex/contact/elements/joint_friction.rs");
    let stop = [own("src/convex/contact/elements/compliant_stop.rs"), more.to_vec()].concat();
    for (element, mut files) in [("JointFriction", friction.clone()), ("CompliantStop", stop)] {
        files.sort();
        assert_eq!(mentions(&[element]), files, "{element}");
    }
    let guide = include_str!("../../docs/write-an-element.md");
    assert!(friction.iter().all(|file| guide.contains(file)), "the guide names {friction:?}");
}

#[test]
fn a_block_costs_the_files_that_its_guide_names() {
    let files = [
        "src/files/blocks/angle_difference.rs",
        "src/files/blocks/mod.rs",
        "systems/src/operators/angle_difference.rs",
        "systems/src/operators/mod.rs",
    ];
    assert_eq!(mentions(&["angle_difference", "AngleDifference"]), files);
    let guide = include_str!("../../docs/write-a-block.md");
    let (lists, own): (Vec<&str>, Vec<&str>) = files.iter().partition(|file| file.ends_with("mod.rs"));
    assert!(own.iter().all(|file| guide.contains(file)), "the guide names {own:?}");
    assert!(lists.len() == 2 && guide.contains("lists of\nmodules"), "the guide says who writes {lists:?}");
}

#[test]
fn a_shape_of_a_program_costs_no_file_of_the_library() {
    assert!(include_str!("../own_shape/torus.rs").contains("struct Torus"));
    assert!(mentions(&["Torus"]).is_empty());
}

/// A rule costs what its guide says: the files of the integrators that mention the rule are its own, the lists of
/// names, of rules (its module and its line) and of numbers, and the guide names each.
#[test]
fn a_rule_is_one_file_one_name_and_one_line() {
    let guide = include_str!("../../docs/write-a-rule.md");
    let words = ["Rebound", "rebound::", "mod rebound", "\"rebound\""];
    let mentions = |line: &&str| words.iter().any(|word| line.contains(word));
    let mut found = Vec::new();
    for file in files_in("src/engine/integrators") {
        let text = text_of(&file);
        let lines: Vec<&str> = text.lines().filter(mentions).map(str::trim).collect();
        if file.ends_with("/cenic/rules.rs") {
            assert_eq!(lines, ["mod rebound;", "(Rule::Rebound, rebound::bound),"]);
        }
        if !lines.is_empty() || file.ends_with("/rebound.rs") {
            assert!(guide.contains(&format!("`{file}`")), "not in the guide: {file}");
            found.push(file);
        }
    }
    assert_eq!(found.len(), 4, "{found:?}");
}
