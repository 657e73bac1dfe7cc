//! Figure 10: CENIC and methods for differential equations on the five scenes, over the accuracy, with the error of the
//! whole state under control (top) and that of positions only (bottom).

use crate::chart::{Axis, Curve, Figure, Panel, Style};
use crate::fig9::plain;
use crate::measure::{Cost, End, controlled, repeated};
use crate::output::{Outcome, Output, number};
use crate::scenes::five;
use kinegraph::integrators::{ErrorNorm, ErrorWeights, Options};
use kinegraph::linearize::Layout;
use kinegraph::simulate::Scenario;

const ACCURACIES: [f64; 4] = [1e-1, 1e-2, 1e-3, 1e-4];
/// A run may take this long \[s\]. Tighter accuracies of a method that took longer are not tried.
const BUDGET: f64 = 6.0;
/// Errors are measured against `cenic` at this accuracy, in scenes whose motion is predictable.
const REFERENCE: f64 = 1e-6;
/// Bounds of a result: a run that ends farther from the reference \[m, rad\], or with a body lower than `LOW` \[m\],
/// has none. Nothing in these scenes goes that far, or that low.
const LARGEST_ERROR: f64 = 0.5;
const LOW: f64 = -0.1;
const PREDICTABLE: [&str; 3] = ["cylinder", "gripper", "franka"];
const METHODS: [(&str, &str); 6] = [
    ("CENIC (cenic)", "cenic"),
    ("CENIC as in the paper", ""),
    ("implicit Euler", "implicit-euler"),
    ("RK3", "rk3"),
    ("SDIRK2", "sdirk2"),
    ("ROS2", "ros2"),
];
const NORMS: [(&str, ErrorWeights); 2] = [("whole state", ErrorWeights::STATE), ("positions", ErrorWeights::POSITIONS)];

fn options(method: &str, weights: ErrorWeights, accuracy: f64) -> Options {
    let options = if method.is_empty() { plain(accuracy) } else { controlled(method, accuracy) };
    // The choices of the reference implementation include its norm, of positions by component.
    let reference = options.reference && weights == ErrorWeights::POSITIONS;
    let extrapolate = !options.reference;
    Options { error_weights: weights, reference, extrapolate, ..options }
}

/// The end of a run far more accurate than the others, and the norm of positions.
fn reference(name: &str, scenario: &Scenario) -> Option<(Vec<f64>, ErrorNorm)> {
    let run = || crate::measure::run(scenario, controlled("cenic", REFERENCE), 10.0 * BUDGET);
    let cost = PREDICTABLE.contains(&name).then(run).filter(|cost| cost.end == End::Done)?;
    let norm = ErrorNorm::new(&scenario.diagram, &Layout::new(&scenario.diagram), &ErrorWeights::POSITIONS);
    Some((cost.state, norm))
}

/// Runs it.
pub fn run(output: &Output) -> Outcome {
    let scenes = five()?;
    let mut grids = [vec![Vec::new(); NORMS.len()], vec![Vec::new(); NORMS.len()]];
    let mut rows = Vec::new();
    for (name, scenario) in &scenes {
        let right = reference(name, scenario);
        for (i, (norm, weights)) in NORMS.into_iter().enumerate() {
            let panel = |label: &str| Panel {
                title: format!("{name}, {norm}"),
                x: Axis::accuracy(),
                y: Axis::log(label),
                ..Panel::default()
            };
            let (mut time, mut work) = (panel("time [s]"), panel("solves, evaluations"));
            (time.y.range, work.y.range) = (Some((1e-4, 1e1)), Some((1e1, 1e6)));
            time.levels.push((scenario.duration, "real time".into()));
            for (index, (title, method)) in METHODS.into_iter().enumerate() {
                let style = Style::marked(index);
                let mut curves = [Curve { style, ..Curve::default() }, Curve { style, ..Curve::default() }];
                for accuracy in ACCURACIES {
                    let mut cost = repeated(scenario, options(method, weights, accuracy), BUDGET);
                    let error = end_error(&cost, right.as_ref());
                    if cost.end == End::Done && !is_result(scenario, &cost, error) {
                        cost.end = End::Failed("no result".into());
                    }
                    let (worked, end) = (cost.work() as f64, &cost.end);
                    match end {
                        End::Done => {
                            curves[0].points.push((accuracy, cost.seconds));
                            curves[1].points.push((accuracy, worked));
                        }
                        End::Late => {
                            curves[0].beyond.push((accuracy, cost.seconds));
                            curves[1].beyond.push((accuracy, worked));
                        }
                        End::Failed(_) => {}
                    }
                    rows.push(vec![
                        (*name).into(),
                        norm.into(),
                        title.into(),
                        number(accuracy),
                        number(cost.seconds),
                        cost.statistics.steps.to_string(),
                        cost.statistics.rejected_steps.to_string(),
                        cost.statistics.solves.to_string(),
                        cost.statistics.derivative_evaluations.to_string(),
                        error.map_or_else(String::new, number),
                        cost.status(),
                    ]);
                    if *end == End::Late {
                        break;
                    }
                }
                let [times, works] = curves;
                time.curves.push(times);
                work.curves.push(works);
            }
            eprintln!("  fig10: {name}, {norm}: done");
            grids[0][i].push(time);
            grids[1][i].push(work);
        }
    }
    let head = [
        "scene",
        "norm",
        "method",
        "accuracy",
        "time_s",
        "steps",
        "rejected",
        "solves",
        "evaluations",
        "end_error",
        "status",
    ];
    output.csv("fig10", &head, &rows)?;
    let legend: Vec<(String, Style)> =
        METHODS.iter().enumerate().map(|(index, (title, _))| ((*title).to_owned(), Style::marked(index))).collect();
    let [time, work] = grids;
    let figure = |what: &str, rows| Figure {
        title: format!("Figure 10: {what} over the accuracy (hollow: given up after {BUDGET} s; no point: no result)"),
        rows,
        legend: legend.clone(),
        panel: (330, 320),
        filled: false,
    };
    output.figure("fig10", &figure("time", time))?;
    output.figure("fig10_work", &figure("solves and evaluations", work))
}

/// True if the end of a run can be true: near the reference or, without one, with no body below `LOW` and no energy
/// gained where nothing drives the bodies.
fn is_result(scenario: &Scenario, cost: &Cost, error: Option<f64>) -> bool {
    if let Some(error) = error {
        return error < LARGEST_ERROR;
    }
    let energies = [&scenario.diagram.initial_state().continuous, &cost.state].map(|state| energy(scenario, state));
    let names = scenario.diagram.state_names();
    let low = names.iter().zip(&cost.state).any(|(name, x)| name.ends_with(".z") && *x < LOW);
    energies[1] < 1.01 * energies[0] && !low
}

/// Energy of a state \[J\].
fn energy(scenario: &Scenario, state: &[f64]) -> f64 {
    let plants = scenario.diagram.plants();
    let each = plants.map(|(block, plant)| {
        let (q, v) = state[block.state.clone()].split_at(plant.structure().num_positions);
        plant.energy(q, v)
    });
    each.sum()
}

/// How far a run ended from the reference, in metres and radians.
fn end_error(cost: &Cost, right: Option<&(Vec<f64>, ErrorNorm)>) -> Option<f64> {
    let (state, norm) = right?;
    (cost.end == End::Done).then(|| norm.distance(&cost.state, state).0)
}
