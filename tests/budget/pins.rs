//! The file of pins: read, compared, written.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

const FILE: &str = "tests/budget/pins.json";

/// How far a count may be from its pin, as a fraction of the pin.
pub const TOLERANCE: f64 = 0.03;
/// Cost of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Cost {
    pub steps: usize,
    pub attempts: usize,
    pub solves: usize,
    pub iterations: usize,
    pub factorizations: usize,
    pub linearizations: usize,
    pub geometry_queries: usize,
    /// `None`: not counted.
    pub instructions: Option<u64>,
}

impl Cost {
    /// All counts with their names.
    fn named(&self) -> [(&'static str, Option<u64>); 8] {
        let count = |n: usize| Some(n as u64);
        [
            ("steps", count(self.steps)),
            ("attempts", count(self.attempts)),
            ("solves", count(self.solves)),
            ("iterations", count(self.iterations)),
            ("factorizations", count(self.factorizations)),
            ("linearizations", count(self.linearizations)),
            ("geometry_queries", count(self.geometry_queries)),
            ("instructions", self.instructions),
        ]
    }
}

/// Costs of all scenes, and the release of the compiler for which the instructions were counted.
#[derive(Clone, Debug, Deserialize)]
pub struct Pins {
    pub toolchain: String,
    pub scenes: BTreeMap<String, Cost>,
}

impl Pins {
    pub fn read() -> Self {
        serde_json::from_str(&fs::read_to_string(FILE).expect("the pins")).expect("JSON")
    }

    /// Takes the instructions of `old`.
    pub fn keep_instructions(&mut self, old: &Pins) {
        for (name, cost) in &mut self.scenes {
            cost.instructions = old.scenes.get(name).and_then(|cost| cost.instructions);
        }
    }

    /// Differences of `new` by more than `tolerance`, one line each.
    pub fn changes(&self, new: &Pins, tolerance: f64) -> Vec<String> {
        let mut lines = Vec::new();
        if self.toolchain != new.toolchain {
            lines.push(format!("toolchain: {} -> {}", self.toolchain, new.toolchain));
        }
        for (name, cost) in &new.scenes {
            let Some(pinned) = self.scenes.get(name) else {
                lines.push(format!("{name}: not pinned"));
                continue;
            };
            for ((what, old), (_, new)) in pinned.named().into_iter().zip(cost.named()) {
                match (old, new) {
                    (Some(old), Some(new)) if new.abs_diff(old) as f64 > tolerance * old as f64 => {
                        let percent = 100.0 * (new as f64 / old.max(1) as f64 - 1.0);
                        lines.push(format!("{name}: {what} {old} -> {new} ({percent:+.1} %)"));
                    }
                    (None, Some(new)) => lines.push(format!("{name}: {what} {new}, not pinned")),
                    _ => {}
                }
            }
        }
        let gone = self.scenes.keys().filter(|name| !new.scenes.contains_key(*name));
        lines.extend(gone.map(|name| format!("{name}: pinned, but no scene")));
        lines
    }

    /// Writes the file, a row for each scene.
    pub fn write(&self) {
        let mut text = format!("{{\n  \"toolchain\": \"{}\",\n  \"scenes\": {{\n", self.toolchain);
        let width = self.scenes.keys().map(String::len).max().unwrap_or_default() + 3;
        for (i, (name, cost)) in self.scenes.iter().enumerate() {
            let name = format!("\"{name}\":");
            let counts = cost.named().map(|(what, count)| {
                let digits = if what == "instructions" { 9 } else { 4 };
                format!("\"{what}\": {:>digits$}", count.map_or("null".into(), |count| count.to_string()))
            });
            let end = if i + 1 < self.scenes.len() { "," } else { "" };
            writeln!(text, "    {name:<width$} {{{}}}{end}", counts.join(", ")).expect("text");
        }
        text.push_str("  }\n}\n");
        fs::write(FILE, text).expect("the pins are written");
    }
}

#[test]
fn changes_beyond_the_tolerance_are_listed_to_both_sides() {
    let cost = |solves, instructions| Cost {
        steps: 10,
        attempts: 12,
        solves,
        iterations: 0,
        factorizations: 0,
        linearizations: 0,
        geometry_queries: 0,
        instructions,
    };
    let pins = |name: &str, cost| Pins { toolchain: "1".into(), scenes: [(name.to_owned(), cost)].into() };
    let old = pins("a", cost(100, Some(1000)));
    let changes = |solves, instructions| old.changes(&pins("a", cost(solves, Some(instructions))), TOLERANCE);
    assert_eq!(changes(103, 970), [""; 0]);
    assert_eq!(changes(104, 1000), ["a: solves 100 -> 104 (+4.0 %)"]);
    assert_eq!(changes(100, 969), ["a: instructions 1000 -> 969 (-3.1 %)"]);
    assert_eq!(old.changes(&pins("b", cost(1, None)), TOLERANCE), ["b: not pinned", "a: pinned, but no scene"]);
    // A pin of zero allows nothing else.
    let mut more = cost(100, Some(1000));
    more.iterations = 1;
    assert_eq!(old.changes(&pins("a", more), TOLERANCE).len(), 1);
}
