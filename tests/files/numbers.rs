//! Choices: each is used where its list says, and in decisions what it is. Those that files can set are few.
//! `tests/source/words/numbers.rs` looks for choices outside the lists.

use kinegraph::integrators::CenicTuning;
use kinegraph_convex::choices::{self, Choice};
use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::PI;
use std::fs;

/// The most numbers of the step that files can set. Three more than the 35 of the ablation: `max_shrink` was the
/// smallest factor from step to step, the first step, the length with which free motion is compared, and the violation
/// that convex steps correct. Each of the four is a number of its own now, with the same default.
const MAX_NUMBERS: usize = 38;
/// The most choices that no file sets. A new one takes the place of one that goes, or raises this with a reason. Seven
/// more than 127 are second uses of settable numbers, 61 more those of linear algebra and of the other methods, and 7
/// those of frequency responses, and 28 those of models in discrete time, fewer states, peaks, steps, loci and measured
/// responses; 9 are those of linear models in contact, and 1 that of open points of meshes.
const MAX_FIXED: usize = 240;

#[test]
fn the_step_has_few_numbers() {
    let count = CenicTuning::NUMBERS.len();
    assert!(
        count <= MAX_NUMBERS,
        "{count} numbers of the step: merge some, or derive them, until there are {MAX_NUMBERS}"
    );
    let fixed = fixed().count();
    assert!(fixed <= MAX_FIXED, "{fixed} choices: merge some, or derive them, until there are {MAX_FIXED}");
}

/// Choices that no file sets, with the folder of their crate.
fn fixed() -> impl Iterator<Item = (&'static str, &'static Choice)> {
    let engine = kinegraph_engine::choices::CHOICES.iter().map(|choice| ("src/engine", choice));
    let methods = kinegraph_methods::choices::CHOICES.iter().map(|choice| ("src/methods", choice));
    engine.chain(choices::CHOICES.iter().map(|choice| ("src/convex", choice))).chain(methods)
}

/// Every choice is declared once, has a unit and a meaning, and stands in one of the files of its part; and each of
/// these files has one of them.
#[test]
fn choices_are_used_where_their_list_says() {
    let mut names = BTreeSet::new();
    let (mut wrong, mut unused) = (Vec::new(), BTreeSet::new());
    for (folder, choice) in fixed() {
        let Choice { part, files, name, unit, about, .. } = choice;
        let is_a_phrase = !unit.is_empty() && about.len() > 10 && !about.ends_with('.');
        if !names.insert((part, name)) || !is_a_phrase {
            wrong.push(format!("{part}.{name} [{unit}]: {about}"));
        }
        let paths: Vec<String> = files.iter().map(|file| format!("{folder}/{file}")).collect();
        unused.extend(paths.iter().map(|path| (part, path.clone())));
        let has = |path: &String| {
            let text = fs::read_to_string(path).unwrap_or_default();
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            let mut words = code.flat_map(|line| line.split(|c: char| !(c.is_alphanumeric() || c == '_')));
            words.any(|word| word == *name)
        };
        if !paths.iter().any(has) {
            wrong.push(format!("{part}.{name} is in none of {paths:?}"));
        }
    }
    for (folder, choice) in fixed() {
        for path in choice.files.iter().map(|file| format!("{folder}/{file}")) {
            let text = fs::read_to_string(&path).unwrap_or_default();
            if text.contains(&format!("choices::{}::", choice.part)) {
                unused.remove(&(&choice.part, path));
            }
        }
    }
    wrong.extend(unused.into_iter().map(|(part, path)| format!("{path} has nothing of {part}")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The words between backticks.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The columns of a line of a table.
fn columns(line: &str) -> Vec<&str> {
    line.trim().trim_matches('|').split('|').map(str::trim).collect()
}

/// Name and value of every number in the table of numbers of a decision.
fn named(text: &str) -> Vec<(&str, &str)> {
    let Some(table) = text.split("| name | value | meaning |").nth(1) else { return Vec::new() };
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|')).map(columns);
    let pairs = rows.filter(|row| row.len() >= 2).flat_map(|row| {
        let values: Vec<&str> = row[1].split(", ").collect();
        quoted(row[0]).into_iter().enumerate().map(move |(i, name)| (name, values.get(i).copied().unwrap_or(row[1])))
    });
    pairs.collect()
}

/// The number that a value begins with, in multiples of π if it says so.
fn said(value: &str) -> Option<f64> {
    let mut words = value.split_whitespace();
    let number = words.next()?.parse::<f64>().ok()?;
    Some(if words.next() == Some("π") { number * PI } else { number })
}

/// A number that a decision names is a choice, and what the decision says; and each choice has its decision. Entries of
/// the log have the numbers of their day.
#[test]
fn parameters_in_decisions_exist_with_their_values() {
    let entries = fs::read_dir("docs/decisions").expect("a folder");
    let decisions: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    let settable = CenicTuning::NUMBERS.iter().map(|number| (number.name.to_owned(), number.default));
    let fixed = fixed().map(|(_, choice)| (format!("{}.{}", choice.part, choice.name), choice.value));
    let numbers: BTreeMap<String, f64> = settable.chain(fixed).collect();
    let number = |name: &str| numbers.get(name).copied();
    let ablation = fs::read_to_string("docs/log/2026-11-23-ablation.md").expect("the ablation");
    let (_, table) = ablation.split_once("| number | was | now |").expect("the table of what changed");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|')).map(columns);
    let gone: BTreeSet<&str> = rows.flat_map(|row| quoted(row[0])).filter(|name| number(name).is_none()).collect();
    assert!(gone.len() > 20, "{gone:?}");
    let (mut wrong, mut explained) = (Vec::new(), BTreeSet::new());
    for path in &decisions {
        let (name, text) = (path.display(), fs::read_to_string(path).expect("a decision"));
        for (number_name, value) in named(&text) {
            // Numbers of what is not simulation, such as sizes of a page.
            if !number_name.starts_with(|c: char| c.is_ascii_lowercase()) {
                continue;
            }
            explained.insert(number_name.to_owned());
            match number(number_name) {
                Some(number) if said(value) == Some(number) => {}
                Some(number) => wrong.push(format!("{name}: `{number_name}` is {number}, not {value}")),
                None => wrong.push(format!("{name}: there is no number `{number_name}`")),
            }
        }
        for line in text.lines().filter(|line| !line.contains("gone")) {
            // A single word may mean something else.
            let words = quoted(line).into_iter().filter(|word| word.contains('_') && gone.contains(word));
            wrong.extend(words.map(|word| format!("{name}: `{word}` is gone")));
        }
    }
    wrong.extend(
        numbers.keys().filter(|name| !explained.contains(*name)).map(|name| format!("no decision has `{name}`")),
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
