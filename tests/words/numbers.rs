//! Numbers of the step that are choices: all in one list, few, and called by their names in the decisions.

use crate::scan::constant;
use kinegraph::integrators::CenicTuning;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The most numbers that the step may have.
const MAX_NUMBERS: usize = 35;

const ROUNDING: &str = "a guard against rounding";
const METHOD: &str = "a coefficient or a property of a published method";
const OPTION: &str = "what an option is by default";
const LIMIT: &str = "what is refused";
const OTHERS: &str = "of methods that are no convex step with error control";

/// Constants of the integrators that stand outside the list, and why.
const EXEMPT: &[(&str, &str, &str)] = &[
    ("cenic/free_motion/steps.rs", "STABLE", METHOD),
    ("cenic/free_motion/steps.rs", "ROUNDING", ROUNDING),
    ("contact/clearance.rs", "ROUNDED_UP", ROUNDING),
    ("contact/manifold/mod.rs", "AT_REST", ROUNDING),
    ("contact/manifold/mod.rs", "NO_FORCE", ROUNDING),
    ("contact/manifold/mod.rs", "REDUNDANT", ROUNDING),
    ("contact/manifold/system.rs", "PRESSES", ROUNDING),
    ("contact/oscillation.rs", "ROUNDED_DOWN", ROUNDING),
    ("contact/resolved.rs", "ROUNDING", ROUNDING),
    ("contact/turning.rs", "DIFFERENCE_STEP_RATIO", "of a difference in place of a derivative"),
    ("dense.rs", "MIDDLE_ERROR_RATIO", "of recordings within a step"),
    ("divergence.rs", "MAX_RATE_RATIO", ROUNDING),
    ("divergence.rs", "ROUNDING", ROUNDING),
    ("divergence.rs", "MIN_SIZE_RATIO", ROUNDING),
    ("fault.rs", "MAX_MATRIX_BYTES", LIMIT),
    ("fixed_step.rs", "MIN_STEP_RATIO", OTHERS),
    ("fixed_step.rs", "TOLERANCE", OTHERS),
    ("implicit/jacobian.rs", "CHANGE", ROUNDING),
    ("implicit/newton.rs", "CHANGE_TOLERANCE", OTHERS),
    ("implicit/newton.rs", "MAX_CONTRACTION_RATE", OTHERS),
    ("implicit/newton.rs", "MIN_DAMPING_FACTOR", OTHERS),
    ("implicit/newton.rs", "REMAINING_ERROR_RATIO", OTHERS),
    ("implicit/newton.rs", "ROUNDING", ROUNDING),
    ("implicit/newton.rs", "STALE_CONTRACTION_RATE", OTHERS),
    ("ode_integrator.rs", "FIXED_ACCURACY", OTHERS),
    ("options.rs", "MAX_STEPS", LIMIT),
    ("options.rs", "STEP", OPTION),
    ("option_group.rs", "MAX_TOLERANCE", LIMIT),
    ("ros2.rs", "GAMMA", METHOD),
    ("sdirk2.rs", "D", METHOD),
    ("sdirk2.rs", "GAMMA", METHOD),
    ("sdirk2.rs", "W", METHOD),
    ("search.rs", "ROUNDING", ROUNDING),
    ("step_control.rs", "FILTER", METHOD),
    ("step_control.rs", "ROUNDING", ROUNDING),
    ("trapezoid/end_moved.rs", "DEPENDENT", ROUNDING),
    ("trapezoid/mod.rs", "ROUNDING", ROUNDING),
];

/// The files of a folder and all within it that have this extension, without tests.
fn files(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name");
        if path.is_dir() && name != "tests" {
            files(&path, extension, found);
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
}

#[test]
fn the_step_has_few_numbers() {
    let count = CenicTuning::NUMBERS.len();
    assert!(
        count <= MAX_NUMBERS,
        "{count} numbers of the step: merge some, or derive them, until there are {MAX_NUMBERS}"
    );
}

#[test]
fn no_number_of_the_step_stands_beside_the_list() {
    let root = Path::new("src/integrators");
    let mut sources = Vec::new();
    files(root, "rs", &mut sources);
    let mut found = BTreeSet::new();
    for path in &sources {
        let name = path.strip_prefix(root).expect("within").to_string_lossy().replace('\\', "/");
        let text = fs::read_to_string(path).expect("a source");
        // What tests have is none of the step's.
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        let floats = text.lines().filter(|line| line.contains(": f64 ="));
        found.extend(floats.filter_map(constant).map(|constant| (name.clone(), constant.to_owned())));
    }
    let exempt: BTreeSet<_> = EXEMPT.iter().map(|(file, name, _)| ((*file).to_owned(), (*name).to_owned())).collect();
    let beside: Vec<_> = found.difference(&exempt).collect();
    assert!(beside.is_empty(), "{beside:?}: a choice belongs into CenicTuning; what is none, into the list here");
    let gone: Vec<_> = exempt.difference(&found).collect();
    assert!(gone.is_empty(), "{gone:?} are not there any more");
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

/// A number that a decision names is one of the step, and what the decision says.
#[test]
fn decisions_name_numbers_that_there_are() {
    let mut decisions = Vec::new();
    files(Path::new("docs/decisions"), "md", &mut decisions);
    let number = |name: &str| CenicTuning::NUMBERS.iter().find(|number| number.name == name);
    let ablation = fs::read_to_string("docs/decisions/100-ablation.md").expect("the ablation");
    let (_, table) = ablation.split_once("| number | was | now |").expect("the table of what changed");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|')).map(columns);
    let gone: BTreeSet<&str> = rows.flat_map(|row| quoted(row[0])).filter(|name| number(name).is_none()).collect();
    assert!(gone.len() > 20, "{gone:?}");
    let (mut wrong, mut count) = (Vec::new(), 0);
    for path in &decisions {
        let (name, text) = (path.display(), fs::read_to_string(path).expect("a decision"));
        for (number_name, value) in named(&text) {
            if !number_name.starts_with(|c: char| c.is_ascii_lowercase()) {
                continue;
            }
            count += 1;
            let said = value.split_whitespace().next().and_then(|value| value.parse::<f64>().ok());
            match number(number_name) {
                Some(number) if said == Some(number.default) => {}
                Some(number) => wrong.push(format!("{name}: `{number_name}` is {}, not {value}", number.default)),
                None => wrong.push(format!("{name}: there is no number `{number_name}`")),
            }
        }
        let prose = if path.ends_with("100-ablation.md") { "" } else { text.as_str() };
        for line in prose.lines().filter(|line| !line.contains("gone")) {
            // A single word may mean something else.
            let words = quoted(line).into_iter().filter(|word| word.contains('_') && gone.contains(word));
            wrong.extend(words.map(|word| format!("{name}: `{word}` is gone")));
        }
    }
    assert!(count >= 20, "{count} numbers named");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
