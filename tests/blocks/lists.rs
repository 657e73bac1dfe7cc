//! Lists of blocks: the modules of a folder, and their public items.
//!
//! A block is a file that implements `LeafSystem` or `RealSystem`, its form a file that declares a `BlockType`. Tests
//! of either are a file of its name in the test program of its crate. Each `mod.rs` has them between two marks, in the
//! order of the alphabet; everything else in it is written by hand.

use std::fs;
use std::path::{Path, PathBuf};

/// The folders of blocks.
pub const BLOCKS: [&str; 8] = [
    "systems/src/control",
    "systems/src/dynamics",
    "systems/src/grippers",
    "systems/src/machines",
    "systems/src/operators",
    "systems/src/sensors",
    "systems/src/sinks",
    "systems/src/sources",
];

/// The folder of their forms in diagram files.
pub const FORMS: &str = "src/files/blocks";

/// The folders of the tests of both, in the order of the folders above.
pub const TESTS: [&str; 9] = [
    "systems/tests/all/blocks/control",
    "systems/tests/all/blocks/dynamics",
    "systems/tests/all/blocks/grippers",
    "systems/tests/all/blocks/machines",
    "systems/tests/all/blocks/operators",
    "systems/tests/all/blocks/sensors",
    "systems/tests/all/blocks/sinks",
    "systems/tests/all/blocks/sources",
    "src/files/tests/all/blocks",
];

const BEGIN: &str = "// The list below is written by `.ci/lists`.\n";
const END: &str = "// End of the list.\n";

/// Path of the `mod.rs` of a folder below `root`, and its text with the list as it should be.
pub fn listed(root: &Path, folder: &str) -> (PathBuf, String) {
    let path = root.join(folder).join("mod.rs");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let parts = text.split_once(BEGIN).and_then(|(head, rest)| Some((head, rest.split_once(END)?.1)));
    let (head, tail) = parts.unwrap_or_else(|| panic!("{} has no list between its two marks", path.display()));
    let list = match folder {
        FORMS => list_of_forms(root),
        tests if TESTS.contains(&tests) => list_of_tests(&root.join(folder)),
        _ => list_of_blocks(&root.join(folder)),
    };
    (path, format!("{head}{BEGIN}{list}{END}{tail}"))
}

fn list_of_blocks(folder: &Path) -> String {
    let is_block = |text: &str| {
        let mut lines = text.lines().filter(|line| line.starts_with("impl"));
        lines.any(|line| line.contains("LeafSystem for ") || line.contains("RealSystem for "))
    };
    let blocks = modules(folder, is_block);
    let modules: String = blocks.iter().map(|(name, _)| format!("mod {name};\n")).collect();
    let public = |(name, text): &(String, String)| match public_names(text).as_slice() {
        [one] => format!("pub use {name}::{one};\n"),
        several => format!("pub use {name}::{{{}}};\n", several.join(", ")),
    };
    let names: String = blocks.iter().map(public).collect();
    format!("{modules}\n{names}")
}

fn list_of_forms(root: &Path) -> String {
    let forms = modules(&root.join(FORMS), |text| text.contains("\npub const TYPE: BlockType ="));
    let modules: String = forms.iter().map(|(name, _)| format!("pub mod {name};\n")).collect();
    let types: String = forms.iter().map(|(name, _)| format!("    {name}::TYPE,\n")).collect();
    format!("{modules}\n/// The block types of the library.\nconst TYPES: &[BlockType] = &[\n{types}];\n")
}

fn list_of_tests(folder: &Path) -> String {
    modules(folder, |_| true).iter().map(|(name, _)| format!("mod {name};\n")).collect()
}

/// Modules in a folder whose text is `wanted`, with their texts, by name.
pub fn modules(folder: &Path, wanted: impl Fn(&str) -> bool) -> Vec<(String, String)> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut found = Vec::new();
    for path in entries.map(|entry| entry.unwrap().path()) {
        let file = if path.is_dir() { path.join("mod.rs") } else { path.clone() };
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap().to_owned();
        if name != "mod" && file.extension().is_some_and(|extension| extension == "rs") && file.is_file() {
            let text = fs::read_to_string(&file).unwrap();
            if wanted(&text) {
                found.push((name, text));
            }
        }
    }
    found.sort();
    found
}

/// Public names of a module: its items and its re-exports.
fn public_names(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("pub ")) {
        let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
        match kind {
            "use" => {
                let passed_on = rest.trim_end_matches(';').rsplit("::").next().unwrap();
                names.extend(passed_on.trim_matches(['{', '}']).split(", ").map(str::to_owned));
            }
            "struct" | "enum" | "trait" | "fn" | "const" | "type" => {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                names.push(rest[..end].to_owned());
            }
            _ => {}
        }
    }
    names.sort();
    names
}

#[test]
fn public_names_are_found() {
    let text = "use a::B;\npub use curve::{Beyond, Law};\npub use x::One;\npub struct Table<'a> {\n    pub field: f64,\n}\n\
                pub fn make() {}\npub(crate) fn inner() {}\nmod tests {\n    pub fn no() {}\n}\n";
    assert_eq!(public_names(text), ["Beyond", "Law", "One", "Table", "make"]);
}
