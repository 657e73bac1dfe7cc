//! Guides name every file that an addition costs: what they add as an example is mentioned nowhere else.

use std::fs;
use std::path::Path;

/// Appends the Rust files below a folder, without those of tests, in which `word` stands alone.
fn search(folder: &Path, word: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            if !path.ends_with("tests") {
                search(&path, word, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a text");
            let is_part = |c: char| c.is_alphanumeric() || c == '_';
            if text.split(|c| !is_part(c)).any(|other| other == word) {
                found.push(path.to_str().expect("UTF-8").replace('\\', "/"));
            }
        }
    }
}

/// Files of the library that mention a word, in order.
fn mentions(word: &str) -> Vec<String> {
    let mut found = Vec::new();
    ["src", "systems"].iter().for_each(|folder| search(Path::new(folder), word, &mut found));
    found.sort();
    found
}

/// Fails if the library mentions `word` elsewhere than in `files`, or the guide does not name one of them.
fn costs(word: &str, files: &[&str], guide: &str) {
    assert_eq!(mentions(word), files, "{word}");
    for file in files {
        assert!(guide.contains(file), "the guide does not name {file}");
    }
}

#[test]
fn an_element_costs_the_files_that_its_guide_names() {
    let files = [
        "src/convex/contact/elements/joint_friction.rs",
        "src/convex/contact/elements/mod.rs",
        "src/convex/contact/mod.rs",
        "src/methods/sweeps/elements.rs",
    ];
    costs("JointFriction", &files, include_str!("../../docs/write-an-element.md"));
}

#[test]
fn a_block_costs_the_files_that_its_guide_names() {
    let files = [
        "src/files/blocks/angle_difference.rs",
        "src/files/blocks/mod.rs",
        "systems/src/operators/angle_difference.rs",
        "systems/src/operators/mod.rs",
    ];
    let mut found = [mentions("angle_difference"), mentions("AngleDifference")].concat();
    found.sort();
    found.dedup();
    assert_eq!(found, files);
    let guide = include_str!("../../docs/write-a-block.md");
    let (lists, own): (Vec<&str>, Vec<&str>) = files.iter().partition(|file| file.ends_with("mod.rs"));
    assert!(own.iter().all(|file| guide.contains(file)), "the guide names {own:?}");
    assert!(lists.len() == 2 && guide.contains("lists of\nmodules"), "the guide says who writes {lists:?}");
}

#[test]
fn a_shape_of_a_program_costs_no_file_of_the_library() {
    assert!(include_str!("../own_shape/torus.rs").contains("struct Torus"));
    costs("Torus", &[], include_str!("../../docs/write-a-shape.md"));
}
