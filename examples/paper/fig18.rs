//! Figure 18: where the time of a run goes, in the five scenes and three more at accuracy 1e-3. The paper's sixth is
//! its dish rack, of which there is no model.

use crate::chart::{Axis, Figure, Panel, Style};
use crate::measure::controlled;
use crate::output::{Outcome, Output, number};
use crate::scenes::{five, scene};
use kinegraph::profile::Phase;
use kinegraph::simulate::Simulation;

const ACCURACY: f64 = 1e-3;
/// Runs are repeated until they took this long together \[s\], and so many times.
const MIN_SECONDS: f64 = 0.5;
const MIN_REPEATS: usize = 3;

/// Runs it.
pub fn run(output: &Output) -> Outcome {
    let mut scenes = five()?;
    for name in ["quadruped", "polyhedra", "vacuum"] {
        scenes.push((name, scene(name, &[])?));
    }
    let names: Vec<&str> = Phase::ALL.iter().map(|phase| phase.name()).chain(["rest"]).collect();
    let mut panel = Panel {
        title: "parts of the time of a run".into(),
        x: Axis::linear("").within(0.0, scenes.len() as f64),
        y: Axis::linear("part of the time [%]").within(0.0, 100.0),
        ..Panel::default()
    };
    let mut rows = Vec::new();
    for (i, (name, scenario)) in scenes.iter().enumerate() {
        let (mut parts, mut shortest, mut spent, mut runs) = (Vec::new(), f64::INFINITY, 0.0, 0);
        while spent < MIN_SECONDS || runs < MIN_REPEATS {
            let mut simulation = Simulation::new(&scenario.diagram, controlled("cenic", ACCURACY))?;
            simulation.profile();
            simulation.advance_to(scenario.duration)?;
            let whole = simulation.stepping_time().as_secs_f64();
            (spent, runs) = (spent + whole, runs + 1);
            // The clock goes on while others use the core: what counts is the run that they disturbed least.
            if whole < shortest {
                let phases = simulation.phases().ok_or("no profile")?;
                parts = Phase::ALL.iter().map(|phase| phases.of(*phase).as_secs_f64()).collect();
                parts.push(whole - phases.sum().as_secs_f64());
                shortest = whole;
            }
        }
        eprintln!("  fig18: {name}: {shortest:.4} s");
        let place = i as f64;
        let mut low = 0.0;
        for (index, part) in parts.iter().enumerate() {
            let high = low + 100.0 * part / shortest;
            panel.boxes.push((place + 0.15, place + 0.85, low, high.min(100.0), index));
            low = high;
        }
        let time = if shortest < 1.0 { format!("{:.1} ms", 1e3 * shortest) } else { format!("{shortest:.2} s") };
        panel.names.push((place + 0.5, (*name).to_owned()));
        panel.notes.push((place + 0.5, time));
        let mut row = vec![(*name).to_owned(), number(shortest)];
        row.extend(parts.iter().map(|part| number(100.0 * part / shortest)));
        rows.push(row);
    }
    let units: Vec<String> = names.iter().map(|name| format!("{}_percent", name.replace(' ', "_"))).collect();
    let head: Vec<&str> = ["scene", "time_s"].into_iter().chain(units.iter().map(String::as_str)).collect();
    output.csv("fig18", &head, &rows)?;
    let legend = names.iter().enumerate().map(|(i, name)| ((*name).to_owned(), Style::line(i))).collect();
    let title = format!("Figure 18: where the time goes, accuracy {ACCURACY}");
    output.figure("fig18", &Figure { title, rows: vec![vec![panel]], legend, panel: (1120, 440), filled: true })
}
