//! A fit: the file, the recordings, the numbers that are sought, and the residuals of a run.

use super::data::{Match, Recording, RecordingError};
use super::levenberg::{Evaluated, minimize};
use super::report::{FitReport, FittedChannel, FittedNumber};
use super::statistics::{known, student};
use crate::gradient::{FileGradientError, Named, changed_to};
use crate::sweep::{Template, Variation};
use kinegraph_engine::measures::{Measure, MeasureKind};
use kinegraph_engine::simulate::gradient::{By, Gradient, GradientError, GradientRequest, Of};
use kinegraph_scenario::Scenario;
use nalgebra::{DMatrix, DVector};
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

/// Correlation above which two numbers are noted.
const CORRELATED: f64 = 0.95;
/// Rounds in which the weights of channels are found from their residuals.
const ROUNDS: usize = 3;
/// Huber's constant: residuals beyond this many deviations count by their size.
const HUBER: f64 = 1.345;

/// A number that is sought, between bounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// The number; with the value at the start, if it is given.
    pub number: Named,
    /// Smallest and largest value.
    pub bounds: (f64, f64),
}

impl FromStr for Fitted {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((name, range)) = text.rsplit_once('=') else {
            return Ok(Fitted { number: text.parse()?, bounds: (f64::NEG_INFINITY, f64::INFINITY) });
        };
        let numbers: Option<Vec<f64>> = range.split(':').map(|part| part.trim().parse::<f64>().ok()).collect();
        let (bounds, start) = match numbers.as_deref() {
            Some([low, high]) if low < high => ((*low, *high), None),
            Some([low, start, high]) if low <= start && start <= high && low < high => ((*low, *high), Some(*start)),
            _ => return Err("expected PATH, PATH=LOW:HIGH or PATH=LOW:START:HIGH, e.g. parameters.m=0.1:5".to_owned()),
        };
        let number = match name.parse()? {
            Named::Path(path, _) => Named::Path(path, start),
            initial @ Named::Initial(_) => initial,
        };
        Ok(Fitted { number, bounds })
    }
}

/// Reason why there is no fit.
#[derive(thiserror::Error)]
pub enum FitError {
    /// The file, its run or its derivatives.
    #[error(transparent)]
    File(#[from] FileGradientError),
    /// A recording.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// No channel is compared.
    #[error(
        "no column of the recording is a channel of the diagram: name the channels, as in --match \
         plant.arm.joint1.q=angle (columns: {})", columns.join(", ")
    )]
    NothingMatches {
        /// Names of the columns.
        columns: Vec<String>,
    },
}

kinegraph_core::debug_is_message!(FitError);

/// A fit of the numbers of a diagram file.
pub struct Fit {
    template: Arc<Template>,
    scenario: Scenario,
    numbers: Vec<Fitted>,
    start: Vec<f64>,
    matches: Vec<Match>,
    recordings: Vec<Recording>,
    /// Standard deviation of each channel, as far as it is given.
    noise: Option<f64>,
    robust: bool,
}

/// Weights of residuals.
struct Weights {
    /// Standard deviations of the channels.
    channels: Vec<f64>,
}

impl Fit {
    /// A fit of `numbers` of the file of `template`, with this `text`, to the recordings in `files`. Without `matches`
    /// all columns that are channels are compared.
    ///
    /// # Errors
    /// Faults of the file and of the recordings.
    pub fn new(
        template: Template,
        text: &str,
        numbers: Vec<Fitted>,
        matches: Vec<Match>,
        files: &[impl AsRef<Path>],
    ) -> Result<Self, FitError> {
        let template = Arc::new(template);
        let scenario = template.scenario(&Variation::default()).map_err(FileGradientError::from)?;
        let state = scenario.diagram.initial_state();
        let mut start = Vec::new();
        for fitted in &numbers {
            start.push(match &fitted.number {
                Named::Initial(name) => {
                    By::initial(&scenario.diagram, &state, name).map_err(FileGradientError::from)?.value
                }
                Named::Path(path, value) => value
                    .or_else(|| template.number_at(text, path))
                    .ok_or_else(|| FileGradientError::NoNumber { path: path.clone() })?,
            });
        }
        let matches = if matches.is_empty() { all_matches(&scenario, files)? } else { matches };
        let recordings =
            files.iter().map(|file| Recording::read(file.as_ref(), &matches)).collect::<Result<Vec<_>, _>>()?;
        Ok(Fit { template, scenario, numbers, start, matches, recordings, noise: None, robust: false })
    }

    /// Sets the standard deviation of all channels, in place of that of their residuals.
    #[must_use]
    pub fn with_noise(self, deviation: Option<f64>) -> Self {
        Fit { noise: deviation, ..self }
    }

    /// Makes single residuals that are far off count by their size, not by its square.
    #[must_use]
    pub fn robust(self, robust: bool) -> Self {
        Fit { robust, ..self }
    }

    fn names(&self) -> Vec<String> {
        let name = |fitted: &Fitted| match &fitted.number {
            Named::Path(path, _) => path.clone(),
            Named::Initial(state) => format!("initial({state})"),
        };
        self.numbers.iter().map(name).collect()
    }

    /// The run at the numbers `p`, at the times `at`, with derivatives.
    fn run(&self, p: &[f64], at: &[f64]) -> Result<Gradient, FileGradientError> {
        let paths = || {
            self.numbers.iter().zip(p).filter_map(|(fitted, p)| match &fitted.number {
                Named::Path(path, _) => Some((path.clone(), *p)),
                Named::Initial(_) => None,
            })
        };
        let diagram = changed_to(&self.template, paths())?;
        let mut simulation = kinegraph_engine::simulate::Simulation::new(&diagram, self.scenario.options)
            .map_err(GradientError::from)?;
        let mut state = simulation.state().clone();
        for (fitted, p) in self.numbers.iter().zip(p) {
            if let Named::Initial(name) = &fitted.number
                && let Some(at) = diagram.state_names().iter().position(|known| known == name)
            {
                state.continuous[at] = *p;
            }
        }
        simulation.set_state(state.clone()).map_err(GradientError::from)?;
        let mut by = Vec::new();
        for (fitted, &p) in self.numbers.iter().zip(p) {
            by.push(match &fitted.number {
                Named::Initial(name) => By::initial(&diagram, &state, name)?,
                Named::Path(path, _) => {
                    let (template, others, path) = (self.template.clone(), paths().collect::<Vec<_>>(), path.clone());
                    By::parameter(path.clone(), "", p, move |value| {
                        let all = others.iter().cloned().map(|(name, p)| {
                            let p = if name == path { value } else { p };
                            (name, p)
                        });
                        changed_to(&template, all).map_err(|error| error.to_string())
                    })
                }
            });
        }
        let measure = |one: &Match| Of::Measure(Measure { kind: MeasureKind::End, channel: one.channel.clone() });
        let until = at.last().copied().unwrap_or(0.0);
        let of = self.matches.iter().map(measure).collect();
        Ok(simulation.gradient(&GradientRequest { of, by, until, at: at.to_vec(), second_look: false })?)
    }

    /// Residuals of all recordings at the numbers `p`, weighted.
    fn evaluate(&self, p: &[f64], weights: &Weights) -> Result<Evaluated, FileGradientError> {
        let (n, channels) = (p.len(), self.matches.len());
        let (mut r, mut rows) = (Vec::new(), Vec::new());
        let mut valid = vec![(f64::NEG_INFINITY, f64::INFINITY); n];
        for recording in &self.recordings {
            let found = self.run(p, &recording.times)?;
            for (i, derivative) in found.derivatives.iter().take(n).enumerate() {
                let (low, high) = derivative.valid;
                valid[i] = (valid[i].0.max(low), valid[i].1.min(high));
            }
            for time in 0..recording.times.len().min(found.samples.size[0]) {
                for channel in 0..channels {
                    let (at, data) = (time * channels + channel, recording.columns[channel][time]);
                    if data.is_nan() {
                        continue;
                    }
                    let weight = 1.0 / weights.channels[channel];
                    r.push(weight * (found.samples.values[at] - data));
                    rows.extend(found.samples.derivatives[at * n..(at + 1) * n].iter().map(|d| weight * d));
                }
            }
        }
        let m = r.len();
        let mut evaluated = Evaluated { r: DVector::from_vec(r), j: DMatrix::from_row_slice(m, n, &rows), valid };
        if self.robust {
            soften(&mut evaluated);
        }
        Ok(evaluated)
    }

    /// Root of the mean square of the residuals of each channel, and their numbers.
    fn rms(&self, evaluated: &Evaluated, weights: &Weights) -> Vec<(f64, usize)> {
        let mut sums = vec![(0.0, 0_usize); self.matches.len()];
        let mut r = evaluated.r.iter();
        for recording in &self.recordings {
            for time in 0..recording.times.len() {
                for (channel, sum) in sums.iter_mut().enumerate() {
                    if recording.columns[channel][time].is_nan() {
                        continue;
                    }
                    if let Some(r) = r.next() {
                        *sum = (sum.0 + (r * weights.channels[channel]).powi(2), sum.1 + 1);
                    }
                }
            }
        }
        sums.into_iter().map(|(sum, count)| ((sum / count.max(1) as f64).sqrt(), count)).collect()
    }

    /// Finds the numbers.
    ///
    /// # Errors
    /// The run at the start fails.
    pub fn solve(&self) -> Result<FitReport, FitError> {
        let spread = |channel: usize| {
            let all = self.recordings.iter().flat_map(|recording| &recording.columns[channel]);
            let known: Vec<f64> = all.copied().filter(|x| !x.is_nan()).collect();
            let mean = known.iter().sum::<f64>() / known.len().max(1) as f64;
            let square = known.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / known.len().max(1) as f64;
            if square > 0.0 { square.sqrt() } else { 1.0 }
        };
        let given = |_| self.noise.unwrap_or(1.0);
        let channels = self.matches.len();
        let is_given = self.noise.is_some();
        let of_channels =
            if is_given { (0..channels).map(given).collect() } else { (0..channels).map(spread).collect() };
        let mut weights = Weights { channels: of_channels };
        let bounds: Vec<(f64, f64)> = self.numbers.iter().map(|fitted| fitted.bounds).collect();
        let first = self.evaluate(&self.start, &weights)?;
        let before = self.rms(&first, &weights);
        let (mut x, mut runs, mut iterations) = (self.start.clone(), 1, 0);
        let rounds = if is_given || channels == 1 { 1 } else { ROUNDS };
        let mut found = None;
        for _ in 0..rounds {
            let minimum = minimize(x.clone(), &bounds, |p| self.evaluate(p, &weights))?;
            x.clone_from(&minimum.x);
            (iterations, runs) = (iterations + minimum.counts.0, runs + minimum.counts.1);
            let rms = self.rms(&minimum.at, &weights);
            found = Some((minimum, rms.clone()));
            if rounds > 1 {
                let floor = |(channel, (rms, _)): (usize, &(f64, usize))| rms.max(1e-9 * spread(channel));
                weights.channels = rms.iter().enumerate().map(floor).collect();
            }
        }
        let Some((minimum, after)) = found else { return Err(FitError::NothingMatches { columns: Vec::new() }) };
        let names = self.names();
        let sizes: Vec<f64> = x.iter().map(|x| if *x == 0.0 { 1.0 } else { x.abs() }).collect();
        let known = known(&names, &sizes, &minimum.at.j, &minimum.at.r, self.noise.map(|_| 1.0));
        let quantile = student(known.freedom);
        let parameter = |(i, name): (usize, &String)| FittedNumber {
            name: name.clone(),
            value: x[i],
            interval: known.deviations[i].is_finite().then(|| quantile * known.deviations[i]),
            start: self.start[i],
            at_bound: x[i] == bounds[i].0 || x[i] == bounds[i].1,
        };
        let mut correlated = Vec::new();
        for i in 0..names.len() {
            for j in 0..i {
                let c = known.correlations[(i, j)];
                if c.abs() > CORRELATED && known.deviations[i].is_finite() && known.deviations[j].is_finite() {
                    correlated.push((names[j].clone(), names[i].clone(), c));
                }
            }
        }
        let channel = |(i, one): (usize, &Match)| FittedChannel {
            channel: one.channel.clone(),
            rms: [before[i].0, after[i].0],
            samples: after[i].1,
        };
        Ok(FitReport {
            parameters: names.iter().enumerate().map(parameter).collect(),
            correlated,
            undetermined: known.undetermined,
            channels: self.matches.iter().enumerate().map(channel).collect(),
            iterations,
            runs,
            converged: minimum.stop == super::levenberg::Stop::Converged,
            stop: minimum.stop,
        })
    }
}

/// Weights residuals and derivatives so that those far off count by their size \[Huber\].
fn soften(evaluated: &mut Evaluated) {
    let mut sizes: Vec<f64> = evaluated.r.iter().map(|r| r.abs()).collect();
    sizes.sort_by(f64::total_cmp);
    let deviation = 1.4826 * sizes.get(sizes.len() / 2).copied().unwrap_or(0.0);
    for i in 0..evaluated.r.len() {
        let size = evaluated.r[i].abs();
        let most = HUBER * deviation;
        if size > most && most > 0.0 {
            let weight = (most / size).sqrt();
            evaluated.r[i] *= weight;
            evaluated.j.row_mut(i).iter_mut().for_each(|d| *d *= weight);
        }
    }
}

/// All columns of the first recording that are channels of the diagram.
fn all_matches(scenario: &Scenario, files: &[impl AsRef<Path>]) -> Result<Vec<Match>, FitError> {
    let Some(first) = files.first() else { return Err(FitError::NothingMatches { columns: Vec::new() }) };
    let table = kinegraph_data::read(first.as_ref())
        .map_err(|error| RecordingError::Table { path: first.as_ref().to_owned(), error: error.to_string() })?;
    let is_channel = |name: &&str| scenario.diagram.find_channels(name).is_ok_and(|found| found.len() == 1);
    let found: Vec<Match> = table
        .names()
        .filter(is_channel)
        .map(|name| Match { channel: name.to_owned(), column: name.to_owned() })
        .collect();
    if found.is_empty() {
        return Err(FitError::NothingMatches { columns: table.names().map(str::to_owned).collect() });
    }
    Ok(found)
}
