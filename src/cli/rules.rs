//! `kinegraph integrators cenic --rules`: lists the rules of the step, and their tuning parameters.

use crate::integrators::{CenicTuning, Rule, TuningNumber};

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

/// List for the console.
pub(super) fn list() -> String {
    let mut text = String::new();
    for (name, about) in users() {
        text += &format!("{name}: {}\n", about.trim());
        for TuningNumber { name, unit, about, default, .. } in numbers(name) {
            text += &format!("  {name} = {default} [{unit}]: {about}\n");
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
    text
}
