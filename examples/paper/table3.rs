//! Table III: what it is worth to use factors of the Hessian again, on `hard_clutter` over one second. The library
//! does not do it; counted is the method as published.

use crate::draw::TextTable;
use crate::measure::{Clock, controlled, fixed, run as run_library};
use crate::output::{Outcome, Output, number};
use crate::published::{Counts, Published, Settings, Steps};
use crate::scenes::scene;

const DURATION: f64 = 1.0;
const STEP: f64 = 1e-3;
const ACCURACY: f64 = 1e-3;
/// Runs of each, of which the shortest counts.
const REPEATS: usize = 2;

/// Runs the four rows of the paper, then the library.
pub fn run(output: &Output) -> Outcome {
    let scenario = scene("hard_clutter", &[&format!("simulation.duration={DURATION}")])?;
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut add = |name: String, seconds: f64, steps: (usize, usize), factorizations: usize, iterations: usize| {
        let row = vec![
            name,
            number(seconds),
            format!("{} + {}", steps.0, steps.1),
            factorizations.to_string(),
            iterations.to_string(),
        ];
        eprintln!("  table3: {}", row.join(", "));
        rows.push(row);
    };
    for (control, steps) in [("off", Steps::Fixed(STEP)), ("on", Steps::Controlled(ACCURACY))] {
        for (word, reuse) in [("off", false), ("on", true)] {
            let settings = Settings { reuse, ..Settings::default() };
            let (mut seconds, mut counts) = (f64::INFINITY, Counts::default());
            for _ in 0..REPEATS {
                let mut run = Published::new(&scenario.diagram, steps, true, settings).ok_or("no plant")?;
                let clock = Clock::start();
                counts = run.advance(DURATION)?;
                seconds = seconds.min(clock.seconds());
            }
            let name = format!("as published, error control {control}, reuse {word}");
            add(name, seconds, (counts.steps, counts.rejected), counts.factorizations, counts.iterations);
        }
    }
    let library = [
        ("icf, 1 ms; no reuse there", fixed("icf", STEP)),
        ("cenic, 1e-3; no reuse there", controlled("cenic", ACCURACY)),
    ];
    for (name, options) in library {
        let cost = run_library(&scenario, options, 60.0);
        let s = &cost.statistics;
        add(name.into(), cost.seconds, (s.steps, s.rejected_steps), s.factorizations, s.solver_iterations);
    }
    let head = ["hard_clutter, 1 s", "time [s]", "steps + rejected", "factorizations", "iterations"];
    output.csv("table3", &head, &rows)?;
    let head = head.map(str::to_owned).to_vec();
    output.table("table3", &TextTable { title: "Table III: reuse of the Hessian".into(), head, rows })
}
