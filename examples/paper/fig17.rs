//! Figure 17: the rate of simulation and the length of steps on the way. The paper shows its dish rack, of which there
//! is no model; here are `hard_clutter`, whose bodies fall for half a second and then lie down, with one contact point
//! for each pair of shapes and with one at each corner of where they overlap, and `franka`, with surfaces.

use crate::chart::{Axis, Curve, Figure, Panel, Style, thinned};
use crate::measure::{Clock, controlled};
use crate::output::{Outcome, Output, number};
use crate::scenes::{scene, with_surfaces};
use kinegraph::simulate::Simulation;

const ACCURACY: f64 = 1e-3;
/// Rates are those of windows of this length \[s\].
const WINDOW: f64 = 0.05;

/// Runs it.
pub fn run(output: &Output) -> Outcome {
    let longer = "simulation.duration=4";
    let scenes = [
        ("hard_clutter", scene("hard_clutter", &[longer])?),
        ("hard_clutter, manifolds", scene("hard_clutter", &[longer, "systems.plant.contact.points=manifold"])?),
        ("franka", with_surfaces("franka")?),
    ];
    let (mut above, mut below, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    for (index, (name, scenario)) in scenes.iter().enumerate() {
        let mut simulation = Simulation::new(&scenario.diagram, controlled("cenic", ACCURACY))?;
        let (mut rates, mut steps) = (Vec::new(), Vec::new());
        let (whole, mut clock, mut since) = (Clock::start(), Clock::start(), 0.0);
        while simulation.time() < scenario.duration {
            let start = simulation.time();
            simulation.step(scenario.duration)?;
            let time = simulation.time();
            steps.push((start, time - start));
            if time - since >= WINDOW || time >= scenario.duration {
                let rate = (time - since) / clock.seconds();
                rates.push((0.5 * (since + time), rate));
                rows.push(vec![(*name).into(), number(since), number(time), number(rate)]);
                (clock, since) = (Clock::start(), time);
            }
        }
        let mean = scenario.duration / whole.seconds();
        eprintln!("  fig17: {name}: {mean:.2} times real time, {} steps", steps.len());
        let panel = |title: String, label: &str, range: (f64, f64), points: &[(f64, f64)]| Panel {
            title,
            x: Axis::linear("time [s]").within(0.0, scenario.duration),
            y: Axis::log(label).within(range.0, range.1),
            curves: vec![Curve { style: Style::line(index), points: thinned(points, 700), ..Curve::default() }],
            ..Panel::default()
        };
        let title = format!("{name}: {mean:.2} times real time");
        let mut rate = panel(title, "times real time", (1e-1, 1e3), &rates);
        rate.levels.push((1.0, "real time".into()));
        above.push(rate);
        below.push(panel(String::new(), "step [s]", (1e-5, 1.5e-1), &steps));
    }
    output.csv("fig17", &["scene", "from_s", "to_s", "times_real_time"], &rows)?;
    let title = format!("Figure 17: rate and steps on the way, accuracy {ACCURACY}");
    output.figure(
        "fig17",
        &Figure { title, rows: vec![above, below], legend: Vec::new(), panel: (400, 300), filled: false },
    )
}
