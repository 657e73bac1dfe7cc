//! Pages for users of other tools (`docs/from-*.md`): what stands as code in their columns of names exists here.
//!
//! The first column of a table has names of the other tool, the others have ours. Words in capitals (`FILE`,
//! `is_STATE`) and single letters are for the reader to replace. A command has its options, a fragment of a file its
//! keys and types. Other code consists of names: of block types, keys, their values, ports, integrators, words of
//! formulas, items of the library and of the package for Python.

use crate::command::kinegraph;
use kinegraph::files::{Catalog, Parameter};
use std::collections::BTreeSet;
use std::fs;

const PAGES: [&str; 3] = ["docs/from-simulink.md", "docs/from-drake.md", "docs/from-modelica.md"];
/// Declarations of the keys that belong to no block.
const KEYS: [&str; 12] = [
    "src/files/parameters/declared.rs",
    "src/files/parameters/keys.rs",
    "src/files/run_condition.rs",
    "src/files/schema/controlled_outputs.rs",
    "src/files/schema/diagram.rs",
    "src/files/schema/limits.rs",
    "src/files/schema/exports.rs",
    "src/files/schema/nested.rs",
    "src/files/schema/record.rs",
    "src/files/schema/requirements.rs",
    "src/files/schema/simulation.rs",
    "src/files/schema/system.rs",
];
/// The words of formulas.
const FORMULAS: [&str; 2] = ["systems/src/operators/elementary.rs", "systems/src/operators/expression/parse.rs"];
/// The part of the library that the pages may name.
const LIBRARY: [&str; 15] = [
    "python/kinegraph/_kinegraph.pyi",
    "python/kinegraph/block.py",
    "python/kinegraph/diagram.py",
    "python/kinegraph/recording.py",
    "python/kinegraph/simulation.py",
    "src/diagram/builder.rs",
    "src/engine/state_space/mod.rs",
    "src/engine/state_space/trim.rs",
    "src/engine/simulate/batch.rs",
    "src/engine/simulate/observer.rs",
    "src/engine/simulate/simulation.rs",
    "src/lib.rs",
    "systems/core/port.rs",
    "systems/core/system.rs",
    "systems/multibody/plant/builder.rs",
];

fn text(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

/// Words that are names: of two letters at least, without two capitals in a row.
fn names_in(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c| !is_part(c)).map(|word| word.trim_matches('-'));
    let has_capitals = |word: &str| word.as_bytes().windows(2).any(|pair| pair.iter().all(u8::is_ascii_uppercase));
    words.filter(move |word| word.len() > 1 && word.starts_with(char::is_alphabetic) && !has_capitals(word))
}

/// Parts of a text between two marks.
fn between(text: &str, mark: char) -> impl Iterator<Item = &str> {
    text.split(mark).skip(1).step_by(2)
}

/// The texts of one word in a file of code.
fn words_written_in(path: &str) -> Vec<String> {
    let code = text(path);
    between(&code, '"').filter(|word| word.chars().all(is_part)).map(str::to_owned).collect()
}

/// All that the pages may name.
struct Known {
    keys: BTreeSet<String>,
    types: BTreeSet<String>,
    names: BTreeSet<String>,
}

impl Known {
    fn all() -> Self {
        let catalog = Catalog::standard();
        let mut known = Known { keys: BTreeSet::new(), types: BTreeSet::new(), names: BTreeSet::new() };
        known.types.extend(catalog.names().map(str::to_owned));
        known.types.extend(catalog.integrators().iter().map(|integrator| integrator.name.to_owned()));
        for block in catalog.types() {
            known.add_keys(&block.parameters());
        }
        // The ports of all blocks.
        known.add_names(between(&kinegraph(&["systems", "--markdown"]).1, '`').flat_map(names_in));
        known.keys.extend(KEYS.iter().flat_map(|path| words_written_in(path)));
        known.names.extend(FORMULAS.iter().flat_map(|path| words_written_in(path)));
        known.add_names(names_in(&text("src/prelude.rs")));
        for line in LIBRARY.map(text).iter().flat_map(|code| code.lines()).map(|line| line.trim().replace("pub ", "")) {
            let mut words = names_in(&line);
            match words.next() {
                Some("fn" | "struct" | "trait") => known.add_names(words.take(1)),
                // Arguments have names in Python.
                Some("def" | "class" | "use") => known.add_names(words),
                _ => {}
            }
        }
        known
    }

    fn add_names<'a>(&mut self, names: impl Iterator<Item = &'a str>) {
        self.names.extend(names.map(str::to_owned));
    }

    fn add_keys(&mut self, parameters: &[Parameter]) {
        for parameter in parameters {
            self.keys.insert(parameter.key.to_owned());
            let choices = parameter.expects.replace(" or ", ", ");
            self.add_names(choices.split(", ").filter(|word| word.chars().all(is_part)));
            self.add_names(between(parameter.about, '`').flat_map(names_in));
            self.add_keys(&parameter.keys);
        }
    }

    /// Names in a piece of code that do not exist.
    fn lacking(&self, code: &str) -> Vec<String> {
        if let Some(command) = code.strip_prefix("kinegraph ") {
            return lacking_options(command);
        }
        if !code.contains(": ") {
            let is_known =
                |name: &&str| [&self.keys, &self.types, &self.names].iter().any(|names| names.contains(*name));
            return names_in(code).filter(|name| !is_known(name)).map(str::to_owned).collect();
        }
        // A fragment of a file, without its texts.
        let code: String = code.split('"').step_by(2).collect();
        let mut lacking = Vec::new();
        for (before, value) in code.match_indices(": ").map(|(at, _)| code.split_at(at)) {
            let key = before.rsplit(|c| !is_part(c)).next().unwrap_or_default();
            lacking.extend(names_in(key).filter(|key| !self.keys.contains(*key)).map(str::to_owned));
            let value = value[2..].split([',', '}']).next().unwrap_or_default().trim();
            let known = if matches!(key, "type" | "integrator") { [&self.types, &self.names] } else { continue };
            lacking.extend(names_in(value).filter(|name| !known.iter().any(|k| k.contains(*name))).map(str::to_owned));
        }
        lacking
    }
}

/// Command or options of `run FILE --set PATH=VALUE` that the program does not have.
fn lacking_options(command: &str) -> Vec<String> {
    let mut words = command.split_whitespace();
    let name = words.next().unwrap_or_default();
    let (code, help, _) = kinegraph(&[name, "--help"]);
    if code != 0 {
        return vec![name.to_owned()];
    }
    let has = |option: &&str| help.split(|c| !is_part(c)).any(|word| word == *option);
    words.filter(|word| word.starts_with("--")).filter(|option| !has(option)).map(str::to_owned).collect()
}

#[test]
fn names_in_the_tables_for_users_of_other_tools_exist() {
    let known = Known::all();
    let (mut lacking, mut count) = (Vec::new(), 0);
    for page in PAGES {
        for (i, line) in text(page).lines().enumerate().filter(|(_, line)| line.starts_with("| ")) {
            let cells = line.split('|').skip(2).flat_map(|cell| between(cell, '`'));
            for code in cells {
                count += 1;
                lacking.extend(known.lacking(code).iter().map(|name| format!("{page}:{}: {name} in `{code}`", i + 1)));
            }
        }
    }
    assert!(lacking.is_empty(), "not here:\n{}", lacking.join("\n"));
    assert!(count > 400, "{count} pieces of code");
}

#[test]
fn invented_names_are_found() {
    let known = Known::all();
    for (code, name) in [
        ("low_pass_filter", "low_pass_filter"),
        ("{type: trafo, time: 3}", "trafo"),
        ("simulation: {stop_time: 3}", "stop_time"),
        ("integrator: ode45", "ode45"),
        ("kinegraph run FILE --stop 3", "--stop"),
        ("kinegraph simulate FILE", "simulate"),
        ("add_system", "add_system"),
        ("PLANT.MODEL.speeds", "speeds"),
    ] {
        assert_eq!(known.lacking(code), [name], "{code}");
    }
}
