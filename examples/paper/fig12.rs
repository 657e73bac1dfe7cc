//! Figure 12: the arm of `franka` under control of rising gains, which act within the step (whole, or their diagonal
//! alone, as in the paper) or are held over it.

use crate::chart::{Axis, Curve, Figure, Panel, Style, thinned};
use crate::measure::controlled;
use crate::output::{Outcome, Output, number};
use crate::scenes::scene;
use kinegraph::integrators::{Options, Outcome as Attempted};
use kinegraph::linearize::Feedback;
use kinegraph::simulate::{Observer, Scenario, Simulation, StepReport};
use std::error::Error;
use std::io;

const ACCURACY: f64 = 1e-3;
/// Proportional gains \[1/s²\]; damping is critical.
const GAINS: [f64; 9] = [1e2, 3e2, 1e3, 3e3, 1e4, 3e4, 1e5, 3e5, 1e6];
/// The gains whose steps are shown over time.
const SHOWN_GAIN: f64 = 1e5;
/// Attempts that a run may take.
const MAX_SHOWN: usize = 60_000;
const KINDS: [(&str, Feedback); 3] = [
    ("implicit, whole (cenic)", Feedback::Full),
    ("implicit, diagonal (as in the paper)", Feedback::Diagonal),
    ("explicit", Feedback::Explicit),
];

/// The attempts of a run.
#[derive(Default)]
struct Lengths {
    accepted: Vec<(f64, f64)>,
    rejected: usize,
}

impl Observer for Lengths {
    fn wants_samples(&self) -> bool {
        false
    }

    fn wants_attempts(&self) -> bool {
        true
    }

    fn step(&mut self, step: &StepReport<'_>) -> io::Result<()> {
        for attempt in step.attempts {
            if attempt.outcome == Attempted::Accepted {
                self.accepted.push((attempt.time, attempt.h));
            } else {
                self.rejected += 1;
            }
        }
        Ok(())
    }

    fn wants_end(&self) -> Option<String> {
        let spent = self.accepted.len() + self.rejected > MAX_SHOWN;
        spent.then(|| format!("more than {MAX_SHOWN} attempts"))
    }
}

fn lengths(scenario: &Scenario, options: Options) -> Result<(Lengths, String), Box<dyn Error + Send + Sync>> {
    let mut simulation = Simulation::new(&scenario.diagram, options)?;
    let mut lengths = Lengths::default();
    let run = simulation.advance_observing(scenario.duration, 0.0, &[], &mut lengths);
    Ok((lengths, run.map_or_else(|error| error.to_string(), |()| "done".into())))
}

/// Runs it.
pub fn run(output: &Output) -> Outcome {
    let mut rows = Vec::new();
    let (mut legend, mut over_gains, mut over_time) = (Vec::new(), Panel::default(), Panel::default());
    over_gains.title = format!("steps for 3.5 s at accuracy {ACCURACY}");
    (over_gains.x, over_gains.y) =
        (Axis::log("gain kp [1/s²], kd = 2 √kp").within(5e1, 2e6), Axis::log("steps, rejected ones too"));
    over_time.title = format!("length of steps, kp = {SHOWN_GAIN:e}");
    (over_time.x, over_time.y) = (Axis::linear("time [s]").within(0.0, 3.5), Axis::log("step [s]"));
    for (index, (name, feedback)) in KINDS.into_iter().enumerate() {
        let style = Style::marked(index);
        legend.push((name.to_owned(), style));
        let mut curve = Curve { style, ..Curve::default() };
        for kp in GAINS {
            let kd = 2.0 * kp.sqrt();
            let gains = [format!("systems.controller.kp={kp}"), format!("systems.controller.kd={kd}")];
            let scenario = scene("franka", &[&gains[0], &gains[1]])?;
            // The paper has step doubling alone.
            let reference = feedback == Feedback::Diagonal;
            let options = Options { feedback, reference, ..controlled("cenic", ACCURACY) };
            let (run, status) = lengths(&scenario, options)?;
            let attempts = run.accepted.len() + run.rejected;
            eprintln!("  fig12: {name}, kp {kp:e}: {attempts} attempts, {status}");
            let list = if status == "done" { &mut curve.points } else { &mut curve.beyond };
            list.push((kp, attempts as f64));
            rows.push(vec![
                name.into(),
                number(kp),
                number(kd),
                run.accepted.len().to_string(),
                run.rejected.to_string(),
                status,
            ]);
            if kp == SHOWN_GAIN {
                let points = thinned(&run.accepted, 500);
                over_time.curves.push(Curve { style: Style::line(index), points, ..Curve::default() });
            }
        }
        over_gains.curves.push(curve);
    }
    output.csv("fig12", &["feedback", "kp", "kd", "steps", "rejected", "status"], &rows)?;
    let title = "Figure 12: an arm under stiff control (franka)".into();
    output.figure(
        "fig12",
        &Figure { title, rows: vec![vec![over_gains, over_time]], legend, panel: (560, 400), filled: false },
    )
}
