//! Arguments: one thing each.
//!
//! Where a function takes more than a reader can hold, what belongs together is a structure with a name. A tuple of
//! unlike things, made up so that the count looks smaller, is none. Tuples of like things are values: the ends of a
//! range, the indices of a row and a column, a point.

use crate::files;
use std::fs;

/// Tuples of unlike things that are values, which functions return as well.
const VALUES: [&str; 2] = [
    // An error and the coordinate that has it.
    "(f64, usize)",
    // A direction and the depth along it.
    "(Vector3<f64>, f64)",
];

/// What stands between the bracket at `open` and the one that closes it, and where that is.
fn within(text: &str, open: usize) -> Option<(&str, usize)> {
    let mut depth = 0_i32;
    for (at, c) in text[open..].char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((&text[open + 1..open + at], open + at));
        }
    }
    None
}

/// The parts between commas that no bracket holds.
fn parts(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_i32, 0);
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            // An arrow closes nothing.
            '>' if before != '-' && before != '=' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
        before = c;
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// The arguments of functions in `text` that are tuples of unlike things, each with its function.
fn packed(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("fn ") {
        let named = &text[at + 3..];
        let name = named.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
        let is_free = text[..at].chars().next_back().is_none_or(|c| c.is_whitespace() || c == '(');
        let Some(open) = named.find('(') else { continue };
        // Generic parameters of a function hold no brackets but those of closures; a trait fixes these two.
        if name.is_empty() || !is_free || matches!(name, "from" | "index") || named[..open].contains('{') {
            continue;
        }
        let Some((arguments, _)) = within(named, open) else { continue };
        for argument in parts(arguments) {
            let Some((pattern, kind)) =
                argument.rsplit_once(": (").map(|(pattern, rest)| (pattern, format!("({rest}")))
            else {
                continue;
            };
            let Some((inside, _)) = within(&kind, 0) else { continue };
            let kinds = parts(inside);
            let unlike = kinds.windows(2).any(|pair| pair[0] != pair[1]);
            if unlike && !pattern.contains("impl ") && !VALUES.contains(&kind.as_str()) {
                found.push(format!("{name}: {argument}"));
            }
        }
    }
    found
}

#[test]
fn no_function_packs_unlike_things_into_a_tuple() {
    let (mut functions, mut found) = (0, Vec::new());
    for path in files::texts() {
        let is_code = path.extension().is_some_and(|extension| extension == "rs")
            && ["src", "systems", "python"].iter().any(|folder| path.starts_with(folder))
            && !path.starts_with("systems/tests");
        if !is_code {
            continue;
        }
        let text = fs::read_to_string(&path).expect("text");
        functions += text.matches("fn ").count();
        assert!(!text.contains("clippy::too_many_arguments"), "{}: a structure has a name", path.display());
        found.extend(packed(&text).into_iter().map(|one| format!("{}: {one}", path.display())));
    }
    assert!(functions > 3000, "{functions} functions");
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn tuples_of_unlike_things_are_found() {
    let text = "fn one(&self, (a, b): (f64, &State), c: bool)\n\
                pub fn two<T>(at: (f64, f64), f: impl Fn((f64, &T)) -> T)\n\
                fn three(\n    &mut self,\n    (x, y): (&mut A, &mut B),\n) -> (f64, bool)\n\
                fn four(worst: (f64, usize))";
    assert_eq!(packed(text), ["one: (a, b): (f64, &State)", "three: (x, y): (&mut A, &mut B)"]);
}
