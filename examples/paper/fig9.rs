//! Figure 9: step doubling and the trapezoid scheme on `hard_clutter`, over the accuracy.

use crate::chart::{Axis, Curve, Figure, Panel, Style};
use crate::measure::{Cost, End, controlled, run as run_one};
use crate::output::{Outcome, Output, number};
use crate::scenes::scene;
use kinegraph::integrators::Options;
use kinegraph::solvers::icf::Method;

const ACCURACIES: [f64; 4] = [1e-1, 1e-2, 1e-3, 1e-4];
/// A run may take this long \[s\].
const BUDGET: f64 = 30.0;

/// A quantity that a panel shows: title of the panel, title of its axis, and how it is read from a run.
type Shown = (&'static str, &'static str, fn(&Cost) -> f64);

/// A scheme: its name, and its options at an accuracy.
type Scheme = (&'static str, fn(f64) -> Options);

/// Step doubling as the paper has it: no extrapolation, no refinement, Newton's method with line search.
pub fn plain(accuracy: f64) -> Options {
    Options { reference: true, solver: Method::Newton, ..Options::cenic(accuracy) }
}

/// Runs it.
pub fn run(output: &Output) -> Outcome {
    let scenario = scene("hard_clutter", &[])?;
    let methods: [Scheme; 3] = [
        ("step doubling (cenic)", |accuracy| controlled("cenic", accuracy)),
        ("step doubling as in the paper", plain),
        ("trapezoid (cenic-trapezoid)", |accuracy| controlled("cenic-trapezoid", accuracy)),
    ];
    let shown: [Shown; 3] = [
        ("time", "time [s]", |cost| cost.seconds),
        ("steps, rejected ones too", "steps", |cost| (cost.statistics.steps + cost.statistics.rejected_steps) as f64),
        ("convex solves", "solves", |cost| cost.statistics.solves as f64),
    ];
    let panel = |(title, label, _): &Shown| Panel {
        title: (*title).into(),
        x: Axis::accuracy(),
        y: Axis::log(label),
        ..Panel::default()
    };
    let mut panels: Vec<Panel> = shown.iter().map(panel).collect();
    panels[0].levels.push((scenario.duration, "real time".into()));
    let (mut rows, mut legend) = (Vec::new(), Vec::new());
    for (index, (name, options)) in methods.into_iter().enumerate() {
        let style = Style::marked(index);
        legend.push((name.to_owned(), style));
        let mut curves = vec![Curve { style, ..Curve::default() }; shown.len()];
        for accuracy in ACCURACIES {
            let cost = run_one(&scenario, options(accuracy), BUDGET);
            eprintln!("  fig9: {name}, {accuracy:e}: {:.2} s, {}", cost.seconds, cost.status());
            for (curve, (_, _, value)) in curves.iter_mut().zip(&shown) {
                let list = if cost.end == End::Done { &mut curve.points } else { &mut curve.beyond };
                list.push((accuracy, value(&cost)));
            }
            let s = &cost.statistics;
            rows.push(vec![
                name.into(),
                number(accuracy),
                number(cost.seconds),
                s.steps.to_string(),
                s.rejected_steps.to_string(),
                s.solves.to_string(),
                s.solver_iterations.to_string(),
                cost.status(),
            ]);
        }
        panels.iter_mut().zip(curves).for_each(|(panel, curve)| panel.curves.push(curve));
    }
    output.csv(
        "fig9",
        &["method", "accuracy", "time_s", "steps", "rejected", "solves", "iterations", "status"],
        &rows,
    )?;
    let title = format!("Figure 9: two schemes on hard_clutter, {} s", scenario.duration);
    output.figure("fig9", &Figure { title, rows: vec![panels], legend, panel: (400, 380), filled: false })
}
