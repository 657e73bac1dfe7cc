//! Tuning parameters of the step: there are few, and decisions state their values.

use kinegraph::integrators::CenicTuning;
use std::collections::BTreeSet;
use std::fs;

/// Maximum number of tuning parameters of the step.
const MAX_NUMBERS: usize = 35;

#[test]
fn the_step_has_few_numbers() {
    let count = CenicTuning::NUMBERS.len();
    assert!(
        count <= MAX_NUMBERS,
        "{count} numbers of the step: merge some, or derive them, until there are {MAX_NUMBERS}"
    );
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

/// A number in a decision exists and has the value that the decision states, and each number of the step has its
/// decision. Entries of the log have the numbers of their day.
#[test]
fn parameters_in_decisions_exist_with_their_values() {
    let entries = fs::read_dir("docs/decisions").expect("a folder");
    let decisions: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    let number = |name: &str| CenicTuning::NUMBERS.iter().find(|number| number.name == name);
    let ablation = fs::read_to_string("docs/log/2026-11-23-ablation.md").expect("the ablation");
    let (_, table) = ablation.split_once("| number | was | now |").expect("the table of what changed");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|')).map(columns);
    let gone: BTreeSet<&str> = rows.flat_map(|row| quoted(row[0])).filter(|name| number(name).is_none()).collect();
    assert!(gone.len() > 20, "{gone:?}");
    let (mut wrong, mut explained) = (Vec::new(), BTreeSet::new());
    for path in &decisions {
        let (name, text) = (path.display(), fs::read_to_string(path).expect("a decision"));
        for (number_name, value) in named(&text) {
            if !number_name.starts_with(|c: char| c.is_ascii_lowercase()) {
                continue;
            }
            explained.insert(number_name.to_owned());
            let said = value.split_whitespace().next().and_then(|value| value.parse::<f64>().ok());
            match number(number_name) {
                Some(number) if said == Some(number.default) => {}
                Some(number) => wrong.push(format!("{name}: `{number_name}` is {}, not {value}", number.default)),
                None => wrong.push(format!("{name}: there is no number `{number_name}`")),
            }
        }
        for line in text.lines().filter(|line| !line.contains("gone")) {
            // A single word may mean something else.
            let words = quoted(line).into_iter().filter(|word| word.contains('_') && gone.contains(word));
            wrong.extend(words.map(|word| format!("{name}: `{word}` is gone")));
        }
    }
    let names = CenicTuning::NUMBERS.iter().map(|number| number.name);
    wrong.extend(names.filter(|name| !explained.contains(*name)).map(|name| format!("no decision has `{name}`")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
