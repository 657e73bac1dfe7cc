//! Figure 8: energy of a ball that bounces without dissipation, by step doubling and by the trapezoid scheme, in steps
//! of given length. A ball of 1 kg falls from 1 m onto a spring of 1e4 N/m; over 3 s it strikes three times.

use crate::chart::{Axis, Curve, Figure, Panel, Style, thinned};
use crate::output::{Outcome, Output, number};
use crate::scenes::scene;
use crate::table2::Fixed;
use kinegraph::integrators::contact::{ContactStep, StepOptions};
use kinegraph::integrators::{IcfStep, Integrator, Options, StepControl, StepDoubling};
use kinegraph::methods::trapezoid;
use kinegraph::simulate::{Scenario, Simulation};
use kinegraph::solvers::icf::{Method, Solver, SolverOptions};
use std::error::Error;

/// Steps of the runs \[s\], and of the one whose energy is shown over time.
const STEPS: [f64; 8] = [1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4, 5e-5];
const SHOWN_STEP: f64 = 2e-3;
/// Every step is accurate enough.
const ANYTHING: f64 = 1e9;
/// Of the contact [N/m], of the ball [m].
const STIFFNESS: f64 = 1e4;
const RADIUS: f64 = 0.1;
const METHODS: [&str; 2] = ["step doubling", "trapezoid"];
/// Name of the method that the library uses by default, with error control.
const DEFAULT: &str = "cenic, error control (mean step)";
const ACCURACIES: [f64; 5] = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6];

/// A scheme with steps of length `h` throughout.
fn scheme(which: usize, scenario: &Scenario, h: f64) -> Box<dyn Integrator> {
    let diagram = &scenario.diagram;
    let options = StepOptions::from(&Options { reference: true, ..Options::cenic(1e-3) });
    let mut control = StepControl::new(ANYTHING, h);
    control.initial_step = Some(h);
    if which == 0 {
        let step = ContactStep::new(diagram, options, Fixed::new(Method::Newton, Some(1e-12)));
        let doubling = StepDoubling::new("step doubling", diagram, step, control);
        Box::new(doubling)
    } else {
        let solver = Solver::new(SolverOptions { min_tolerance: 1e-12, ..SolverOptions::default() });
        Box::new(trapezoid::over(diagram, IcfStep::new(diagram, options, solver), control))
    }
}

/// Change of energy over time, as part of that at the start: of the ball and of the spring that it stands on.
fn changes(
    scenario: &Scenario,
    integrator: Box<dyn Integrator>,
) -> Result<Vec<(f64, f64)>, Box<dyn Error + Send + Sync>> {
    let height = scenario.diagram.state_names().iter().position(|name| name == "plant.ball.ball.z").ok_or("no ball")?;
    let mut simulation = Simulation::with(scenario.diagram.initial_state(), integrator)?;
    let mut all = Vec::new();
    let mut first = None;
    loop {
        let depth = (RADIUS - simulation.state().continuous[height]).max(0.0);
        let energy = simulation.energy().unwrap_or(f64::NAN) + 0.5 * STIFFNESS * depth * depth;
        all.push((simulation.time(), energy / *first.get_or_insert(energy) - 1.0));
        if simulation.time() >= scenario.duration {
            return Ok(all);
        }
        simulation.step(scenario.duration)?;
    }
}

fn largest(changes: &[(f64, f64)]) -> f64 {
    changes.iter().map(|(_, change)| change.abs()).fold(0.0, f64::max)
}

/// Runs it.
pub fn run(output: &Output) -> Outcome {
    let scenario = scene("bouncing_ball", &[])?;
    let mut rows = Vec::new();
    let (mut over_time, mut over_steps) = (Panel::default(), Panel::default());
    over_time.title = format!("steps of {} ms", 1e3 * SHOWN_STEP);
    (over_time.x, over_time.y) = (Axis::linear("time [s]").within(0.0, 3.0), Axis::linear("change of energy [%]"));
    over_steps.title = "largest change of energy within 3 s".into();
    over_steps.x = Axis::log("step [s]").within(4e-5, 4e-2);
    over_steps.y = Axis::log("part of the energy [-]");
    let mut legend = Vec::new();
    for (which, name) in METHODS.into_iter().enumerate() {
        let style = Style::marked(which);
        legend.push((name.to_owned(), style));
        let mut points = Vec::new();
        for h in STEPS {
            let run = changes(&scenario, scheme(which, &scenario, h))?;
            eprintln!("  fig8: {name}, {h:e} s: {:.2e}", largest(&run));
            points.push((h, largest(&run)));
            rows.push(vec![name.into(), String::new(), number(h), number(largest(&run))]);
            if h == SHOWN_STEP {
                let percent: Vec<(f64, f64)> = run.iter().map(|(t, change)| (*t, 100.0 * change)).collect();
                let points = thinned(&percent, 600);
                over_time.curves.push(Curve { style: Style::line(which), points, ..Curve::default() });
            }
        }
        over_steps.curves.push(Curve { style, points, ..Curve::default() });
    }
    let style = Style::marked(METHODS.len());
    let mut points = Vec::new();
    for accuracy in ACCURACIES {
        let run = changes(&scenario, Options::cenic(accuracy).build(&scenario.diagram)?)?;
        let step = scenario.duration / (run.len() - 1) as f64;
        eprintln!("  fig8: {DEFAULT}, {accuracy:e}: {step:.2e} s, {:.2e}", largest(&run));
        points.push((step, largest(&run)));
        rows.push(vec![DEFAULT.into(), number(accuracy), number(step), number(largest(&run))]);
    }
    legend.push((DEFAULT.to_owned(), style));
    over_steps.curves.push(Curve { style, points, ..Curve::default() });
    for (index, (power, factor)) in [(1, 1e3), (2, 8e2)].into_iter().enumerate() {
        let style = Style::line(5 + index).dashed();
        legend.push((format!("order {power}"), style));
        let points = [1e-3_f64, 5e-5].map(|h| (h, factor * h.powi(power))).to_vec();
        over_steps.curves.push(Curve { style, points, ..Curve::default() });
    }
    output.csv("fig8", &["method", "accuracy", "step_s", "largest_change_of_energy"], &rows)?;
    let title = "Figure 8: energy of a bouncing ball without dissipation".into();
    let rows = vec![vec![over_time, over_steps]];
    output.figure("fig8", &Figure { title, rows, legend, panel: (560, 400), filled: false })
}
