//! Figure 18: where the time of a run goes, in the five scenes and three more at accuracy 1e-3. The paper's sixth is its
//! dish rack, of which there is no model.

use crate::chart::{Axis, Figure, Panel, Style};
use crate::measure::controlled;
use crate::output::{Outcome, Output, number};
use crate::scenes::{five, scene};
use kinegraph::profile::Phase;
use kinegraph::simulate::Simulation;

const ACCURACY: f64 = 1e-3;
/// Runs are repeated until they took this long together \[s\].
const ENOUGH: f64 = 0.5;

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
        let (mut parts, mut total, mut runs) = (vec![0.0; names.len()], 0.0, 0.0);
        while total < ENOUGH {
            let mut simulation = Simulation::new(&scenario.diagram, controlled("cenic", ACCURACY))?;
            simulation.profile();
            simulation.advance_to(scenario.duration)?;
            let phases = simulation.phases().ok_or("no profile")?;
            for (part, phase) in parts.iter_mut().zip(Phase::ALL) {
                *part += phases.of(phase).as_secs_f64();
            }
            let whole = simulation.stepping_time().as_secs_f64();
            parts[names.len() - 1] += whole - phases.sum().as_secs_f64();
            (total, runs) = (total + whole, runs + 1.0);
        }
        eprintln!("  fig18: {name}: {:.4} s a run", total / runs);
        let place = i as f64;
        let mut low = 0.0;
        for (index, part) in parts.iter().enumerate() {
            let high = low + 100.0 * part / total;
            panel.boxes.push((place + 0.15, place + 0.85, low, high.min(100.0), index));
            low = high;
        }
        let time =
            if total / runs < 1.0 { format!("{:.1} ms", 1e3 * total / runs) } else { format!("{:.2} s", total / runs) };
        panel.names.push((place + 0.5, format!("{name}")));
        panel.notes.push((place + 0.5, time));
        let mut row = vec![(*name).to_owned(), number(total / runs)];
        row.extend(parts.iter().map(|part| number(100.0 * part / total)));
        rows.push(row);
    }
    let units: Vec<String> = names.iter().map(|name| format!("{}_percent", name.replace(' ', "_"))).collect();
    let head: Vec<&str> = ["scene", "time_s"].into_iter().chain(units.iter().map(String::as_str)).collect();
    output.csv("fig18", &head, &rows)?;
    let legend = names.iter().enumerate().map(|(i, name)| ((*name).to_owned(), Style::line(i))).collect();
    let title = format!("Figure 18: where the time goes, accuracy {ACCURACY}");
    output.figure("fig18", &Figure { title, rows: vec![vec![panel]], legend, panel: (1120, 440), filled: true })
}
