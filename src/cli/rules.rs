//! `kinegraph integrators cenic --rules`: lists the rules of the step, their tuning parameters, and every other choice.

use crate::integrators::{CenicTuning, Rule, TuningNumber};
use kinegraph_convex::choices::{self, Choice};

/// Tuning parameters of the rule or part `user`.
fn numbers(user: &str) -> impl Iterator<Item = &'static TuningNumber> {
    CenicTuning::NUMBERS.iter().filter(move |number| number.used_by == user)
}

/// Users of tuning parameters: first the rules, in their order, then the parts of the step that are no rules.
fn users() -> Vec<(&'static str, &'static str)> {
    let mut users: Vec<(&str, &str)> = Rule::ALL.iter().map(|rule| (rule.name(), rule.about())).collect();
    for number in CenicTuning::NUMBERS {
        if users.iter().all(|(name, _)| *name != number.used_by) {
            users.push((number.used_by, "(no rule)"));
        }
    }
    users
}

/// Choices that no file sets: folder of the crate, and those of each part, with the engine first and the methods last.
fn fixed() -> Vec<(&'static str, &'static [Choice])> {
    let crates = [
        ("src/engine", kinegraph_engine::choices::CHOICES),
        ("src/convex", choices::CHOICES),
        ("src/methods", kinegraph_methods::choices::CHOICES),
    ];
    let parts = crates
        .into_iter()
        .flat_map(|(folder, choices)| choices.chunk_by(|a, b| a.part == b.part).map(move |choices| (folder, choices)));
    parts.collect()
}

/// Paths of the files that use the choices of a part.
fn paths<'a>(folder: &'a str, choices: &[Choice]) -> impl Iterator<Item = String> + use<'a> {
    let files = choices.first().map_or::<&[&str], _>(&[], |choice| choice.files);
    files.iter().map(move |file| format!("{folder}/{file}"))
}

/// List for the console.
pub(super) fn list() -> String {
    let mut text = String::new();
    for (name, about) in users() {
        text += &format!("{name}: {}\n", about.trim());
        for TuningNumber { name, unit, about, default, .. } in numbers(name) {
            text += &format!("  {name} = {default} [{unit}]: {about}\n");
        }
    }
    text += "\nChoices that no file sets, by the part of the program that uses them:\n";
    for (folder, choices) in fixed() {
        let paths: Vec<String> = paths(folder, choices).collect();
        text += &format!("{}: {}\n", choices[0].part, paths.join(", "));
        for choice in choices {
            let Choice { name, unit, about, .. } = choice;
            text += &format!("  {name} = {} [{unit}]: {about}\n", choice.shown());
        }
    }
    text
}

/// Table in Markdown.
pub(super) fn table() -> String {
    let mut text = "| rule | what it does | numbers |\n|---|---|---|\n".to_owned();
    for (name, about) in users() {
        let numbers: Vec<String> = numbers(name)
            .map(|TuningNumber { name, unit, about, default, .. }| format!("`{name}` = {default} [{unit}]: {about}"))
            .collect();
        text += &format!("| `{name}` | {} | {} |\n", about.trim(), numbers.join("; "));
    }
    text += "\nChoices that no file sets, by the part of the program that uses them:\n\n";
    text += "| part | used in | choices |\n|---|---|---|\n";
    for (folder, choices) in fixed() {
        let paths: Vec<String> = paths(folder, choices).map(|path| format!("`{path}`")).collect();
        let numbers: Vec<String> = choices
            .iter()
            .map(|choice| format!("`{}` = {} [{}]: {}", choice.name, choice.shown(), choice.unit, choice.about))
            .collect();
        text += &format!("| `{}` | {} | {} |\n", choices[0].part, paths.join(", "), numbers.join("; "));
    }
    text
}
