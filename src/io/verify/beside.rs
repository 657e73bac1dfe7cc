//! Comparison runs of a verification: methods, options and results.

use super::forces::Impulses;
use super::measure::{Around, Measure};
use super::readings::{Rows, times_around};
use kinegraph_diagram::{Channel, Diagram};
use kinegraph_engine::integrators::{ACCURACIES, Family, Options, TIME_SIZES};
use kinegraph_engine::simulate::{ObservedRunError, Reading, Sampler, Simulation, StepSeen};
use kinegraph_methods::method;
use std::ops::ControlFlow;

/// Steps that a comparison run may take for each step of the tighter run, besides a fixed number.
const STEPS_FOR_EACH: usize = 4;
/// Factor of the fixed number: it is this over the square of the number of states, within the bounds below.
const WORK: f64 = 2e7;
const MIN_STEPS: usize = 1_000;
const MAX_STEPS: usize = 20_000;

/// A comparison run of a verification, and its difference from the verified run.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Beside {
    /// Name of the method.
    pub integrator: &'static str,
    /// Its accuracy; `None` for steps of fixed length.
    pub accuracy: Option<f64>,
    /// Length of its steps \[s\]; `None` under error control.
    pub step: Option<f64>,
    /// Largest difference of any channel, in accuracies of the verified run.
    pub accuracies: f64,
    /// Channel of that difference; empty if there is none.
    pub channel: String,
    /// Time of that difference \[s\].
    pub time: f64,
    /// `done`, or the reason why it did not reach the end.
    pub status: String,
}

/// How a comparison run ended.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ended {
    Done,
    /// Interrupted from outside; the whole verification ends.
    Interrupted(String),
    /// The run cannot be made, fails, or takes too long, for this reason.
    Failed(String),
}

/// Values of a run around the recorded times.
#[derive(Clone, Debug)]
pub(super) struct Readings {
    before: Rows,
    at: Rows,
    after: Rows,
    pub ended: Ended,
    /// Number of its steps, and its largest number of contact points at a time.
    pub steps: usize,
    pub contacts: usize,
}

impl Readings {
    /// Number of recorded times that it reached.
    pub fn len(&self) -> usize {
        self.after.len().min(self.at.len())
    }

    /// The values around recorded time `k`.
    pub fn around(&self, k: usize) -> Around<'_> {
        Around { before: self.before.row(k), at: self.at.row(k), after: self.after.row(k) }
    }

    /// The values at the recorded times.
    pub fn rows(&self) -> &Rows {
        &self.at
    }

    /// Difference of each channel from another run at recorded time `k`, in accuracies.
    pub fn differences<'a>(
        &'a self,
        k: usize,
        one: &'a [f64],
        measure: &'a Measure,
        scales: &'a [f64],
        accuracy: f64,
    ) -> impl Iterator<Item = f64> + 'a {
        let around = self.around(k);
        (0..one.len()).map(move |i| measure.difference(i, scales[i], one, around) / accuracy)
    }
}

/// Largest step \[s\] of comparison runs, from that of the verified run. It differs, so that events between the steps
/// of one run are not between those of the other, too.
fn other_largest(max_step: f64) -> f64 {
    /// Square of the golden ratio's inverse: multiples of the two steps coincide late.
    const STEP_FRACTION: f64 = 0.381_966_011_250_105;
    (STEP_FRACTION * max_step).max(TIME_SIZES.0)
}

/// Options of the same method with `part` of the accuracy, or `step_part` of the step; `None` if no method accepts so
/// small an accuracy.
pub(super) fn tighter(options: &Options, part: f64, step_part: f64) -> Option<Options> {
    if !options.error_controlled() {
        return Some(Options { step: options.step.map(|step| step * step_part), ..*options });
    }
    let accuracy = options.accuracy * part;
    let max_step = other_largest(options.max_step);
    (accuracy >= ACCURACIES.0).then_some(Options { accuracy, max_step, initial_step: None, min_step: 0.0, ..*options })
}

/// Methods of other families with the same laws, in the order of suitability for the diagram: explicit ones for smooth
/// motion, implicit ones for contact or constraints.
pub(super) fn other_families(options: &Options, diagram: &Diagram, contacts: usize) -> Vec<Options> {
    let mut plants = diagram.plants().map(|(_, plant)| plant.structure());
    let is_held = plants.any(|structure| !structure.constraints.is_empty());
    let family = options.integrator.family;
    if contacts > 0 && !family.by_materials {
        return Vec::new();
    }
    let names = match contacts == 0 && !is_held {
        true => ["dopri5", "sdirk2", "cenic"].as_slice(),
        false => ["sdirk2", "cenic-trapezoid", "cenic"].as_slice(),
    };
    let accuracy = (0.1 * options.accuracy).max(ACCURACIES.0);
    let max_step = other_largest(options.max_step);
    let controlled = Options { accuracy, max_step, step: None, initial_step: None, min_step: 0.0, ..*options };
    let others = names.iter().filter_map(|name| method(name));
    others
        .filter(|other| **other != *options.integrator)
        .filter(|other| family != other.family || family == Family::CONVEX)
        .map(|integrator| Options { integrator, ..controlled })
        .collect()
}

/// Runs `simulation` and reads `channels` at the `recorded` times \[s\] and `shift` \[s\] before and after each. Takes
/// at most `most` steps, if given.
pub(super) fn run(
    simulation: Result<Simulation, String>,
    channels: &[Channel],
    recorded: &[f64],
    shift: f64,
    most: Option<usize>,
    interrupt: &dyn Fn() -> Option<String>,
) -> Readings {
    let (before, at, after) = Default::default();
    let mut read = Readings { before, at, after, ended: Ended::Done, steps: 0, contacts: 0 };
    let mut simulation = match simulation {
        Ok(simulation) => simulation,
        Err(refused) => return Readings { ended: Ended::Failed(format!("refused: {refused}")), ..read },
    };
    let around = times_around(recorded, shift);
    let times: Vec<f64> = around.iter().map(|(time, _)| *time).collect();
    let mut impulses = Impulses::new(simulation.diagram(), channels, simulation.time());
    let mut forces = Sampler::new(simulation.diagram(), impulses.channels());
    impulses.begin(forces.sample(simulation.state(), &[]).values());
    let mut row = Vec::with_capacity(channels.len());
    let (mut next, mut ended) = (0, None);
    let result = simulation.advance_reading(&times, channels, |reading| match reading {
        Reading::Values(time, values) => {
            // After a break no listed time follows.
            if ended.is_none()
                && let Some(&(_, k)) = around.get(next)
            {
                row.clear();
                row.extend_from_slice(values);
                impulses.put(time, &mut row);
                read.take(time, &row, recorded[k], k);
                next += 1;
            }
            ControlFlow::Continue(())
        }
        Reading::Step(simulation) => {
            if !impulses.channels().is_empty() {
                let seen = StepSeen::new(simulation.integrator());
                impulses.step(simulation.time(), forces.sample_step(simulation.state(), seen).values());
            }
            let steps = simulation.statistics().steps;
            if let Some(reason) = interrupt() {
                ended = Some(Ended::Interrupted(reason));
            } else if most.is_some_and(|most| steps > most) {
                ended = Some(Ended::Failed(format!("t = {:.4} s: not done in {steps} steps", simulation.time())));
            }
            if ended.is_none() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        }
    });
    read.steps = simulation.statistics().steps;
    read.contacts = simulation.statistics().max_contacts;
    read.fill();
    read.ended = ended.unwrap_or_else(|| match result {
        Ok(()) => Ended::Done,
        Err(ObservedRunError::Stopped { reason, .. }) => Ended::Interrupted(reason),
        Err(error) => Ended::Failed(format!("failed: {error}")),
    });
    read
}

/// Maximum number of steps of a comparison run, if the tighter one took `steps`. The more states there are, the more a
/// step costs.
pub(super) fn most_steps(steps: usize, states: usize) -> usize {
    let width = (states as f64).max(1.0);
    ((WORK / (width * width)) as usize).clamp(MIN_STEPS, MAX_STEPS) + STEPS_FOR_EACH * steps
}

impl Readings {
    /// Stores the values at `time`, which is at or near recorded time `k`.
    fn take(&mut self, time: f64, values: &[f64], recorded: f64, k: usize) {
        if time < recorded {
            self.fill();
            self.before.push(values);
        } else if self.at.len() == k {
            self.fill();
            if self.before.len() == k {
                self.before.push(values);
            }
            self.at.push(values);
        } else {
            self.after.push(values);
        }
    }

    /// If nothing was read after the last recorded time, repeats the values at that time.
    fn fill(&mut self) {
        if let Some(last) = self.at.len().checked_sub(1).filter(|last| self.after.len() == *last) {
            self.after.push(self.at.row(last));
        }
    }
}
