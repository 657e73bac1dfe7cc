//! Reference of a comparison: a run of much higher accuracy, or the rows of a file.

use super::CompareError;
use super::trajectory::{Follow, Trajectory};
#[cfg(feature = "record")]
use kinegraph_data::{self as data, Column};
use kinegraph_engine::integrators::{ErrorNorm, Options};
use kinegraph_engine::simulate::Simulation;
use kinegraph_methods::method;
use kinegraph_scenario::Scenario;
use std::time::Duration;

/// Integrator of simulated references.
const INTEGRATOR: &str = "cenic";
/// Ratio of the best contender's accuracy to that of the reference.
const REFERENCE_ACCURACY_RATIO: f64 = 100.0;
/// Smallest accuracy of a reference.
const MIN_REFERENCE_ACCURACY: f64 = 1e-9;
/// Wall-time budget of a reference, as a multiple of that of a contender.
const TIME_FACTOR: u32 = 10;

/// Source of a reference.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum Origin {
    /// A file.
    File {
        /// Its name.
        file: String,
    },
    /// A run of this program.
    Run {
        /// Name of the integrator.
        integrator: &'static str,
        /// Its accuracy.
        accuracy: f64,
        /// Wall time \[s\].
        wall_s: f64,
    },
}

/// Reference motion.
#[derive(Clone, Debug)]
pub struct Reference {
    /// Its source.
    pub origin: Origin,
    trajectory: Trajectory,
    norm: ErrorNorm,
    /// Indices of the states that it has; all states if empty.
    known: Vec<usize>,
    /// Number of states.
    width: usize,
}

impl Reference {
    /// Simulates `scenario` with a higher accuracy than any of `contenders`. If that takes too long, the accuracy is
    /// lowered down to that of the best contender.
    pub(super) fn simulated(
        scenario: &Scenario,
        contenders: &[Options],
        budget: Duration,
    ) -> Result<Self, CompareError> {
        let controlled = contenders.iter().filter(|options| options.error_controlled());
        let best = controlled.map(|options| options.accuracy).fold(1e-4, f64::min);
        let mut accuracy = (best / REFERENCE_ACCURACY_RATIO).max(MIN_REFERENCE_ACCURACY);
        loop {
            let options = tight(scenario, accuracy);
            let mut simulation = Simulation::new(&scenario.diagram, options)?;
            let mut follow = Follow::new(budget.saturating_mul(TIME_FACTOR));
            let run = simulation.advance_observing(scenario.duration, scenario.every, &[], &mut follow);
            match run {
                Ok(()) => {
                    let wall_s = simulation.stepping_time().as_secs_f64();
                    return Ok(Reference {
                        origin: Origin::Run { integrator: options.integrator.name, accuracy, wall_s },
                        trajectory: follow.trajectory,
                        norm: simulation.integrator().error_norm().cloned().unwrap_or_default(),
                        known: Vec::new(),
                        width: scenario.diagram.state_width(),
                    });
                }
                Err(reason) if accuracy >= best => {
                    let (integrator, reason) = (options.integrator.name, reason.to_string());
                    return Err(CompareError::NoReference { integrator, accuracy, reason });
                }
                Err(_) => accuracy = (10.0 * accuracy).min(best),
            }
        }
    }

    /// Largest distance of the state from its start, in the norm of error control.
    pub(super) fn extent(&self) -> f64 {
        let whole = |states: &Vec<f64>| match self.known.is_empty() {
            true => states.clone(),
            false => {
                let mut state = vec![0.0; self.width];
                self.known.iter().zip(states).for_each(|(&i, x)| state[i] = *x);
                state
            }
        };
        let mut states = self.trajectory.states.iter().map(whole);
        let start = states.next();
        let distance = |state: Vec<f64>| start.as_ref().map_or(0.0, |start| self.norm.distance(&state, start).0);
        states.map(distance).fold(0.0, f64::max)
    }

    /// Errors of `trajectory` at each of its times that the reference has, in the norm of error control.
    pub(super) fn errors(&self, trajectory: &Trajectory) -> Vec<f64> {
        let mut right = self.trajectory.times.iter().zip(&self.trajectory.states).peekable();
        let mut errors = Vec::new();
        let mut expected = Vec::new();
        for (&time, state) in trajectory.times.iter().zip(&trajectory.states) {
            let same = 1e-9 * (1.0 + time.abs());
            while right.next_if(|(t, _)| **t < time - same).is_some() {}
            let Some((_, states)) = right.next_if(|(t, _)| **t <= time + same) else { continue };
            let expected = match self.known.is_empty() {
                true => states,
                false => {
                    expected.clone_from(state);
                    self.known.iter().zip(states).for_each(|(&i, x)| expected[i] = *x);
                    &expected
                }
            };
            errors.push(self.norm.distance(state, expected).0);
        }
        errors
    }
}

/// Options of a reference run.
fn tight(scenario: &Scenario, accuracy: f64) -> Options {
    let integrator = method(INTEGRATOR).unwrap_or(scenario.options.integrator);
    Options { accuracy, step: None, initial_step: None, min_step: 0.0, integrator, ..scenario.options }
}

/// Reads a reference from the recording at `path` (CSV, JSON lines, MCAP): a column `time`, and states of the diagram
/// of `scenario` by name, as `kinegraph run --record` writes them.
///
/// # Errors
/// A file that cannot be read, or that has no state of this diagram at the sampled times.
#[cfg(feature = "record")]
pub fn read_reference(path: &std::path::Path, scenario: &Scenario) -> Result<Reference, CompareError> {
    let unreadable = |reason: String| CompareError::Unreadable { path: path.to_owned(), reason };
    let table = data::read(path).map_err(|error| unreadable(error.to_string()))?;
    let names = scenario.diagram.state_names();
    let time = table.column("time").ok_or_else(|| unreadable("no column `time`".into()))?;
    let state = |column: &Column| names.iter().position(|name| *name == column.name);
    let columns: Vec<(&Column, usize)> =
        table.columns.iter().filter_map(|column| Some((column, state(column)?))).collect();
    if columns.is_empty() {
        let example = names.first().cloned().unwrap_or_default();
        return Err(CompareError::NoColumn { path: path.to_owned(), example });
    }
    let used = std::iter::once(time).chain(columns.iter().map(|(column, _)| *column));
    if let Some(words) = used.into_iter().find_map(|column| column.words.clone()) {
        return Err(unreadable(words));
    }
    let line = |row: usize| table.lines.get(row).map_or_else(|| format!("row {row}"), |line| format!("line {line}"));
    let mut trajectory = Trajectory { times: time.values.clone(), states: Vec::new() };
    for (row, at) in time.values.iter().enumerate() {
        if !at.is_finite() {
            return Err(unreadable(format!("{}: the time is no finite number", line(row))));
        }
        let state: Vec<f64> = columns.iter().map(|(column, _)| column.values[row]).collect();
        if let Some(i) = state.iter().position(|x| x.is_nan()) {
            return Err(unreadable(format!("{}: {} is no number", line(row), columns[i].0.name)));
        }
        trajectory.states.push(state);
    }
    let norm = Simulation::new(&scenario.diagram, tight(scenario, 1e-3))?.integrator().error_norm().cloned();
    let reference = Reference {
        origin: Origin::File { file: path.display().to_string() },
        trajectory,
        norm: norm.unwrap_or_default(),
        known: columns.iter().map(|(_, state)| *state).collect(),
        width: names.len(),
    };
    let (every, duration) = (scenario.every, scenario.duration);
    let mut sampled = Trajectory { times: vec![0.0], states: vec![vec![0.0; names.len()]] };
    while sampled.times[sampled.times.len() - 1] + every <= duration * (1.0 + 1e-9) {
        sampled.times.push(sampled.times.len() as f64 * every);
        sampled.states.push(vec![0.0; names.len()]);
    }
    if reference.errors(&sampled).is_empty() {
        return Err(CompareError::NoTime { path: path.to_owned(), every, duration });
    }
    Ok(reference)
}
