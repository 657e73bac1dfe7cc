//! Figure 19: evaluations within line searches by where they start, over the accuracy, on `hard_clutter` over one
//! second. Counted is the method as published (`published`); the three searches are of the same directions. Beside it,
//! what the library takes, which accepts a slope of a tenth of that at the start.

use crate::chart::{Axis, Curve, Figure, Panel, Style};
use crate::measure::run as run_library;
use crate::output::{Outcome, Output, number};
use crate::published::{Published, Settings, Steps};
use crate::scenes::scene;
use kinegraph::integrators::Options;
use kinegraph::solvers::icf::Method;

const DURATION: f64 = 1.0;
const ACCURACIES: [f64; 4] = [1e-1, 1e-2, 1e-3, 1e-4];
const NAMES: [&str; 5] = ["full step", "quadratic", "cubic", "library, Newton", "library, primal-dual (default)"];

/// Runs it.
pub fn run(output: &Output) -> Outcome {
    let scenario = scene("hard_clutter", &[&format!("simulation.duration={DURATION}")])?;
    let mut rows = Vec::new();
    // Evaluations and Newton iterations.
    let mut found: [Vec<[f64; 3]>; 5] = Default::default();
    for accuracy in ACCURACIES {
        let settings = Settings { compare: true, ..Settings::default() };
        let counts = Published::new(&scenario.diagram, Steps::Controlled(accuracy), true, settings)
            .ok_or("no plant")?
            .advance(DURATION)?;
        for (k, evaluations) in counts.line_search.into_iter().enumerate() {
            found[k].push([accuracy, evaluations as f64, counts.iterations as f64]);
        }
        for (k, solver) in [(3, Method::Newton), (4, Method::PrimalDual)] {
            let s = run_library(&scenario, Options { solver, ..Options::cenic(accuracy) }, 60.0).statistics;
            found[k].push([accuracy, s.linesearch_evaluations as f64, s.solver_iterations as f64]);
        }
        eprintln!("  fig19: {accuracy:e}: {:?}, {} iterations", counts.line_search, counts.iterations);
    }
    let panel = |title: &str, label: &str, y: Axis| Panel {
        title: title.into(),
        x: Axis::accuracy(),
        y: Axis { label: label.into(), ..y },
        ..Panel::default()
    };
    let mut whole = panel("all of a run", "evaluations", Axis::log(""));
    let mut each = panel("for each Newton iteration", "evaluations", Axis::linear("").within(0.0, 6.0));
    let mut legend = Vec::new();
    for (k, (name, runs)) in NAMES.into_iter().zip(found).enumerate() {
        let style = Style::marked(k);
        legend.push((name.to_owned(), style));
        let all = runs.iter().map(|[accuracy, evaluations, _]| (*accuracy, evaluations.max(1.0))).collect();
        let mean =
            runs.iter().map(|[accuracy, evaluations, iterations]| (*accuracy, evaluations / iterations)).collect();
        whole.curves.push(Curve { style, points: all, ..Curve::default() });
        each.curves.push(Curve { style, points: mean, ..Curve::default() });
        for [accuracy, evaluations, iterations] in runs {
            rows.push(vec![name.into(), number(accuracy), number(evaluations), number(iterations)]);
        }
    }
    output.csv("fig19", &["start", "accuracy", "line_search_evaluations", "iterations"], &rows)?;
    let title = "Figure 19: evaluations of line searches (hard_clutter, 1 s)".into();
    output.figure("fig19", &Figure { title, rows: vec![vec![whole, each]], legend, panel: (560, 400), filled: false })
}
