//! The runs beside the one that is verified: which methods, with which options, and what became of each.

use super::forces::Impulses;
use super::measure::{Around, Measure};
use super::readings::{Rows, times_around};
use kinegraph_diagram::{Channel, Diagram};
use kinegraph_engine::integrators::{ACCURACIES, Family, Options, TIME_SIZES};
use kinegraph_engine::simulate::{ObservedRunError, Reading, Sampler, Simulation, StepSeen};
use kinegraph_methods::method;
use std::ops::ControlFlow;

/// A run beside may take this many steps, and this many for each of the tighter run.
const STEPS_FOR_EACH: usize = 4;
/// The first of these is this number over the square of the number of states, within these bounds.
const WORK: f64 = 2e7;
const MIN_STEPS: usize = 1_000;
const MAX_STEPS: usize = 20_000;

/// A run beside the one that is verified, and how far it is from that.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Beside {
    /// Name of the method.
    pub integrator: &'static str,
    /// Its accuracy; `None` where steps are of a given length.
    pub accuracy: Option<f64>,
    /// The length of its steps \[s\]; `None` where it chooses them.
    pub step: Option<f64>,
    /// The largest difference of any channel, in accuracies of the run that is verified.
    pub accuracies: f64,
    /// The channel of that difference; empty where there is none.
    pub channel: String,
    /// When it is \[s\].
    pub time: f64,
    /// `done`, or why it did not get to the end.
    pub status: String,
}

/// How a run beside ended.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ended {
    Done,
    /// Somebody wants the end of it all.
    Interrupted(String),
    /// A run that cannot be made, fails, or takes too long, with the reason.
    Failed(String),
}

/// The values that a run had around the recorded times.
#[derive(Clone, Debug)]
pub(super) struct Readings {
    before: Rows,
    at: Rows,
    after: Rows,
    pub ended: Ended,
    /// Its steps, and its most contact points at a time.
    pub steps: usize,
    pub contacts: usize,
}

impl Readings {
    /// How many of the recorded times it has.
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

    /// The difference of each channel from another run at recorded time `k`, in accuracies.
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

/// The largest step \[s\] of runs beside one with this largest step: what happens between its steps shall not hide
/// between theirs, too.
fn other_largest(max_step: f64) -> f64 {
    /// The square of the golden section: multiples of the two meet late.
    const STEP_FRACTION: f64 = 0.381_966_011_250_105;
    (STEP_FRACTION * max_step).max(TIME_SIZES.0)
}

/// Options of the same method with `part` of the accuracy, or `step_part` of the step; `None` where no method has so
/// small a one.
pub(super) fn tighter(options: &Options, part: f64, step_part: f64) -> Option<Options> {
    if !options.error_controlled() {
        return Some(Options { step: options.step.map(|step| step * step_part), ..*options });
    }
    let accuracy = options.accuracy * part;
    let max_step = other_largest(options.max_step);
    (accuracy >= ACCURACIES.0).then_some(Options { accuracy, max_step, initial_step: None, min_step: 0.0, ..*options })
}

/// Methods of other families with the same laws, those first that suit the diagram best: explicit ones where the motion
/// is smooth, implicit ones where something touches or is held.
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

/// Runs `simulation` and reads `channels` around `recorded` times \[s\], each time with `shift` \[s\] to both sides.
/// Takes no more steps than `most`, if there is a bound.
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
            // What comes after a break is at no listed time.
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

/// How many steps a run beside may take, if the tighter one took `steps`: a step costs the more the more states there
/// are.
pub(super) fn most_steps(steps: usize, states: usize) -> usize {
    let width = (states as f64).max(1.0);
    ((WORK / (width * width)) as usize).clamp(MIN_STEPS, MAX_STEPS) + STEPS_FOR_EACH * steps
}

impl Readings {
    /// Takes the values at `time`, which is at or near recorded time `k`.
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

    /// Where nothing was read behind the last recorded time, what was read at it stands for that.
    fn fill(&mut self) {
        if let Some(last) = self.at.len().checked_sub(1).filter(|last| self.after.len() == *last) {
            self.after.push(self.at.row(last));
        }
    }
}
