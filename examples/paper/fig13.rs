//! Figure 13: nine suction cups on springs take up a load (`vacuum`), in steps of given length with the suction held
//! over each, and under error control with it inside. The suction is twice that of the file, 20 N at contact, and the
//! drive of the lift has softer gains: held over 10 ms, those of the file are unstable by themselves.

use crate::chart::{Axis, Curve, Figure, Panel, Style, thinned};
use crate::measure::{controlled, fixed};
use crate::output::{Outcome, Output, number};
use crate::scenes::scene;
use kinegraph::integrators::Options;
use kinegraph::linearize::Feedback;
use kinegraph::simulate::{Observer, Sample, Scenario, Simulation};
use std::error::Error;
use std::io;

/// Time between samples \[s\].
const SAMPLE_PERIOD: f64 = 0.002;
/// From the origin of the load to its top, of a cup to its lower side \[m\].
const TOP: f64 = 0.05;
const TIP: f64 = -0.01;
/// Cups this far away or deep \[mm\] are lost: the load is 100 mm high.
const LOST_CUP_DISTANCE: f64 = 100.0;

/// Height of the load and how deep a cup is in it, over time.
struct Heights {
    load: usize,
    cups: Vec<usize>,
    heights: Vec<(f64, f64)>,
    depths: Vec<(f64, f64)>,
}

impl Observer for Heights {
    fn sample(&mut self, sample: &mut Sample<'_>) -> io::Result<()> {
        let time = sample.time();
        let poses = sample.poses(0);
        let z = |body: usize| poses[body].xyz[2];
        let top = z(self.load) + TOP;
        let depth = self.cups.iter().map(|&cup| top - z(cup) - TIP).fold(f64::NEG_INFINITY, f64::max);
        self.heights.push((time, z(self.load)));
        self.depths.push((time, 1e3 * depth));
        Ok(())
    }

    /// Ends the run once the load is 10 m away in height: the rest is of no interest.
    fn wants_end(&self) -> Option<String> {
        let (_, z) = self.heights.last()?;
        (!z.is_finite() || z.abs() > 10.0).then(|| "the load has left".into())
    }
}

fn heights(
    scenario: &Scenario,
    options: Options,
) -> Result<(Heights, Simulation, String), Box<dyn Error + Send + Sync>> {
    let mut simulation = Simulation::new(&scenario.diagram, options)?;
    let (_, plant) = simulation.diagram().plants().next().ok_or("no plant")?;
    let bodies = || plant.structure().bodies.iter().enumerate();
    let load = bodies().find(|(_, body)| body.name == "load/load").map(|(i, _)| i).ok_or("no load")?;
    let cups = bodies().filter(|(_, body)| body.name.starts_with("gripper/bellow")).map(|(i, _)| i).collect();
    let mut heights = Heights { load, cups, heights: Vec::new(), depths: Vec::new() };
    let run = simulation.advance_observing(scenario.duration, SAMPLE_PERIOD, &[], &mut heights);
    Ok((heights, simulation, run.map_or_else(|error| error.to_string(), |()| "done".into())))
}

/// Runs it.
pub fn run(output: &Output) -> Outcome {
    let scenario = scene("vacuum", &["systems.pid.kp=2500", "systems.pid.kd=100", "systems.suction.suction.c=0.02"])?;
    let explicit = |options: Options| Options { feedback: Feedback::Explicit, ..options };
    let runs = [
        ("sap 10 ms, explicit", explicit(fixed("sap", 1e-2))),
        ("icf 10 ms, explicit, contacts that touch", explicit(Options { reference: true, ..fixed("icf", 1e-2) })),
        ("icf 3 ms, explicit, contacts that touch", explicit(Options { reference: true, ..fixed("icf", 3e-3) })),
        ("icf 10 ms, explicit", explicit(fixed("icf", 1e-2))),
        ("icf 10 ms, implicit", fixed("icf", 1e-2)),
        ("cenic 1e-3", controlled("cenic", 1e-3)),
    ];
    let (mut above, mut inside) = (Panel::default(), Panel::default());
    above.title = "height of the load".into();
    (above.x, above.y) = (Axis::linear("time [s]").within(0.0, 3.0), Axis::linear("z [m]").within(-0.1, 0.3));
    inside.title = "the deepest cup below the top of the load".into();
    (inside.x, inside.y) = (Axis::linear("time [s]").within(0.8, 1.2), Axis::linear("depth [mm]").within(-10.0, 30.0));
    inside.levels.push((0.0, String::new()));
    let (mut legend, mut rows) = (Vec::new(), Vec::new());
    for (index, (name, options)) in runs.into_iter().enumerate() {
        let (run, simulation, status) = heights(&scenario, options)?;
        let style = Style::line(index);
        legend.push((name.to_owned(), style));
        let deepest = run.depths.iter().map(|(_, depth)| *depth).fold(f64::NEG_INFINITY, f64::max);
        let deepest = if deepest < LOST_CUP_DISTANCE { deepest } else { f64::INFINITY };
        let last = run.heights.last().map_or(f64::NAN, |(_, z)| *z);
        let s = simulation.statistics();
        eprintln!("  fig13: {name}: deepest {deepest:.3} mm, load at {last:.4} m, {status}");
        rows.push(vec![
            name.into(),
            if deepest.is_finite() { number(deepest) } else { "through".into() },
            number(last),
            s.steps.to_string(),
            s.rejected_steps.to_string(),
            number(simulation.time()),
            status,
        ]);
        // What happens to cups that were flung away is of no interest.
        let lost = run
            .depths
            .iter()
            .position(|(_, depth)| depth.is_nan() || depth.abs() >= LOST_CUP_DISTANCE)
            .map_or(run.depths.len(), |i| i + 1);
        above.curves.push(Curve { style, points: thinned(&run.heights[..lost], 400), ..Curve::default() });
        inside.curves.push(Curve { style, points: thinned(&run.depths[..lost], 400), ..Curve::default() });
    }
    let head = ["method", "deepest_mm", "last_height_m", "steps", "rejected", "reached_s", "status"];
    output.csv("fig13", &head, &rows)?;
    let title = "Figure 13: nine suction cups take up a load (vacuum)".into();
    output.figure("fig13", &Figure { title, rows: vec![vec![above, inside]], legend, panel: (560, 400), filled: false })
}
