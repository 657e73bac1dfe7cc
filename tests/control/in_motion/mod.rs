//! Blocks of logic, friction, filters and paths in diagrams: instants of events and motions in closed form.

mod delays;
mod filters;
mod friction;
mod logic;
mod paths;
mod play;
mod two_degrees;

use kinegraph::files::load_str;
use kinegraph::simulate::{Scenario, Simulation};
use std::path::Path;

/// A simulation of the systems and connections, one a line.
fn open(systems: &str, connections: &str) -> Simulation {
    let lines = |text: &str, mark: &str| -> String {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.map(|line| format!("  {mark}{line}\n")).collect()
    };
    let text = format!(
        "kinegraph: 1\nsystems:\n{}connections:\n{}simulation: {{integrator: dopri5, accuracy: 1.0e-10, duration: 100}}\n",
        lines(systems, ""),
        lines(connections, "- "),
    );
    let loaded =
        load_str(Path::new("in_motion.yaml"), &text, &[]).unwrap_or_else(|error| panic!("{error}\nin\n{text}"));
    let scenario = Scenario::build(&loaded.diagram, &loaded.loader).unwrap_or_else(|| panic!("{}", loaded.failed()));
    scenario.simulation().expect("an integrator")
}

/// Advances to `time` \[s\] and compares channels.
#[track_caller]
fn check(simulation: &mut Simulation, time: f64, expected: &[(&str, f64)], tolerance: f64) {
    simulation.advance_to(time).unwrap_or_else(|error| panic!("{error}"));
    for (name, expected) in expected {
        let found = simulation.channel(name).unwrap_or_else(|error| panic!("{error}"));
        assert!((found - expected).abs() <= tolerance, "{name} at {time} is {found} instead of {expected}");
    }
}

/// Two sources of sin(2 t - 1), its rate as the second number: a function of the time, whose crossings are known ahead
/// of the steps, and an oscillator, whose crossings are found within them.
const WAVES: [&str; 2] = [
    "wave: {type: expression, expression: [\"sin(2*t - 1)\", \"2*cos(2*t - 1)\"]}",
    "wave: {type: state_space, A: [[0, 1], [-4, 0]], B: [[0], [0]], C: [[1, 0], [0, 1]], \
     initial: [-0.8414709848078965, 1.0806046117362795]}
     still: {type: constant, value: 0}",
];

/// The wires that a source of [`WAVES`] needs itself.
const WAVE_WIRES: [&str; 2] = ["", "still.output -> wave.input"];
