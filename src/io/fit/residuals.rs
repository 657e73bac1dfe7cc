//! Residuals of a run: its channels at the times of the recordings less the columns, weighted, with their derivatives
//! by the numbers that are sought.
//!
//! A column with a delay d is compared with the channel at `t - d`; the derivative by d is minus the rate of the
//! channel, by a difference within the step of the run.

use super::levenberg::Evaluated;
use super::problem::Fit;
use crate::gradient::{FileGradientError, Named, changed_to};
use kinegraph_engine::measures::{Measure, MeasureKind};
use kinegraph_engine::simulate::Simulation;
use kinegraph_engine::simulate::gradient::{By, Gradient, GradientError, GradientRequest, Of};
use kinegraph_files::fitted::{Match, Unknown};
use kinegraph_files::recording::Recording;
use nalgebra::{DMatrix, DVector};

/// Huber's constant: residuals beyond this many deviations count by their size.
const HUBER: f64 = 1.345;
/// Ratio of the changes after and before a sample from which one of them is a jump.
const JUMP_RATIO: f64 = 10.0;
/// Half the time of the difference for the rate of a channel, as a part of the mean time between samples.
const RATE_RATIO: f64 = 1e-3;

/// A recording's view of the numbers: their values, and where the search has each.
struct View {
    values: Vec<f64>,
    places: Vec<usize>,
}

impl Fit {
    fn view(&self, x: &[f64], recording: usize) -> View {
        let mut view = View { values: vec![0.0; self.numbers.len()], places: vec![0; self.numbers.len()] };
        for (at, place) in self.places.iter().enumerate() {
            if place.recording.is_none_or(|own| own == recording) {
                (view.values[place.fitted], view.places[place.fitted]) = (x[at], at);
            }
        }
        view
    }

    /// The run at these values of the numbers, at the times `at`, with derivatives by those of the file and of the
    /// initial state, in their order; to the accuracy of the file over `finer`.
    fn run(&self, values: &[f64], at: Vec<f64>, finer: f64) -> Result<Gradient, FileGradientError> {
        let of_file = || {
            self.numbers.iter().zip(values).filter_map(|(fitted, value)| match &fitted.number {
                Unknown::File(named) => Some((named, *value)),
                _ => None,
            })
        };
        let paths = || {
            of_file().filter_map(|(named, value)| match named {
                Named::Path(path, _) => Some((path.clone(), value)),
                Named::Initial(_) => None,
            })
        };
        let diagram = changed_to(&self.template, paths())?;
        let mut options = self.scenario.options;
        options.accuracy /= finer;
        let mut simulation = Simulation::new(&diagram, options).map_err(GradientError::from)?;
        let mut state = simulation.state().clone();
        for (named, value) in of_file() {
            if let Named::Initial(name) = named
                && let Some(at) = diagram.state_names().iter().position(|known| known == name)
            {
                state.continuous[at] = value;
            }
        }
        simulation.set_state(state.clone()).map_err(GradientError::from)?;
        let mut by = Vec::new();
        for (named, value) in of_file() {
            by.push(match named {
                Named::Initial(name) => By::initial(&diagram, &state, name)?,
                Named::Path(path, _) => {
                    let (template, others, path) = (self.template.clone(), paths().collect::<Vec<_>>(), path.clone());
                    By::parameter(path.clone(), "", value, move |value| {
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
        let of = self.matches.iter().map(measure).collect();
        let until = at.last().copied().unwrap_or(0.0);
        Ok(simulation.gradient(&GradientRequest { of, by, until, at, second_look: false })?)
    }

    /// Residuals of all recordings at the places `x`, each divided by the deviation of its channel; those of `robust`
    /// fits softened. `stops` is asked before each run.
    pub(super) fn evaluate(
        &self,
        x: &[f64],
        deviations: &[f64],
        stops: &dyn Fn() -> bool,
    ) -> Result<Option<Evaluated>, FileGradientError> {
        self.evaluate_finer(x, deviations, 1.0, stops)
    }

    /// Residuals by runs to the accuracy of the file over `finer`.
    pub(super) fn evaluate_finer(
        &self,
        x: &[f64],
        deviations: &[f64],
        finer: f64,
        stops: &dyn Fn() -> bool,
    ) -> Result<Option<Evaluated>, FileGradientError> {
        let n = x.len();
        let (mut r, mut rows, mut differences) = (Vec::new(), Vec::new(), Vec::new());
        let mut valid = vec![(f64::NEG_INFINITY, f64::INFINITY); n];
        let number = |at: &usize| matches!(self.numbers[*at].number, Unknown::File(_));
        let own: Vec<usize> = (0..self.numbers.len()).filter(number).collect();
        for (index, recording) in self.recordings.iter().enumerate() {
            if stops() {
                return Ok(None);
            }
            let view = self.view(x, index);
            let timing = Timing::of(self, &view, recording);
            let times = timing.all(recording);
            let found = self.run(&view.values, times.clone(), finer)?;
            for (derivative, &fitted) in found.derivatives.iter().zip(&own) {
                let (place, (low, high)) = (view.places[fitted], derivative.valid);
                valid[place] = (valid[place].0.max(low), valid[place].1.min(high));
            }
            let mut row = vec![0.0; n];
            let samples = Samples { times, found: &found, channels: self.matches.len() };
            for (i, &time) in recording.times.iter().enumerate() {
                for (channel, column) in recording.columns.iter().enumerate() {
                    let data = column[i];
                    if data.is_nan() {
                        continue;
                    }
                    row.fill(0.0);
                    // A run that ended before has none there.
                    let Some(at) = samples.at(time - timing.delays[channel], channel) else {
                        differences.push(f64::NAN);
                        r.push(f64::NAN);
                        rows.extend(&row);
                        continue;
                    };
                    let slopes = &found.samples.derivatives[at * own.len()..(at + 1) * own.len()];
                    own.iter().zip(slopes).for_each(|(&fitted, slope)| row[view.places[fitted]] = *slope);
                    if let Some(fitted) = timing.unknown[channel] {
                        row[view.places[fitted]] = -samples.rate(time - timing.delays[channel], channel, timing.step);
                    }
                    let bias = self.bias(channel);
                    if let Some(fitted) = bias {
                        row[view.places[fitted]] = 1.0;
                    }
                    let difference = found.samples.values[at] + bias.map_or(0.0, |at| view.values[at]) - data;
                    differences.push(difference);
                    r.push(difference / deviations[channel]);
                    rows.extend(row.iter().map(|slope| slope / deviations[channel]));
                }
            }
        }
        let j = DMatrix::from_row_slice(r.len(), n, &rows);
        let mut evaluated = Evaluated { r: DVector::from_vec(r), j, valid, differences };
        if self.robust {
            soften(&mut evaluated);
        }
        Ok(Some(evaluated))
    }

    fn bias(&self, channel: usize) -> Option<usize> {
        let name = &self.matches[channel].channel;
        self.numbers.iter().position(|one| matches!(&one.number, Unknown::Bias(own) if own == name))
    }

    /// Recording, time and channel of each difference of an evaluation, in their order.
    pub(super) fn samples(&self) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        self.recordings.iter().enumerate().flat_map(move |(index, recording)| {
            (0..recording.times.len()).flat_map(move |time| {
                let is_there = move |channel: &usize| !recording.columns[*channel][time].is_nan();
                (0..recording.columns.len()).filter(is_there).map(move |channel| (index, time, channel))
            })
        })
    }

    /// Root of the mean square of the differences of each channel, and their number.
    pub(super) fn rms(&self, differences: &[f64]) -> Vec<(f64, usize)> {
        let mut sums = vec![(0.0, 0_usize); self.matches.len()];
        for ((_, _, channel), difference) in self.samples().zip(differences) {
            sums[channel] = (sums[channel].0 + difference.powi(2), sums[channel].1 + 1);
        }
        sums.into_iter().map(|(sum, count)| ((sum / count.max(1) as f64).sqrt(), count)).collect()
    }
}

/// When the channels of a recording are read.
struct Timing {
    /// Delay of each channel \[s\].
    delays: Vec<f64>,
    /// Index of the number that is the delay of each channel, if it is sought.
    unknown: Vec<Option<usize>>,
    /// Half the time of the difference for a rate \[s\].
    step: f64,
}

impl Timing {
    fn of(fit: &Fit, view: &View, recording: &Recording) -> Self {
        let of = |one: &Match| {
            let is_own = |fitted: &Unknown| matches!(fitted, Unknown::Delay(own) if *own == one.channel);
            fit.numbers.iter().position(|fitted| is_own(&fitted.number))
        };
        let unknown: Vec<Option<usize>> = fit.matches.iter().map(of).collect();
        let delays = unknown.iter().map(|at| at.map_or(0.0, |at| view.values[at])).collect();
        let span = recording.times.last().copied().unwrap_or(0.0) - recording.times.first().copied().unwrap_or(0.0);
        Timing { delays, unknown, step: RATE_RATIO * span / recording.times.len().max(1) as f64 }
    }

    /// All times at which channels are read, ascending.
    fn all(&self, recording: &Recording) -> Vec<f64> {
        let mut all: Vec<f64> = Vec::new();
        for (delay, unknown) in self.delays.iter().zip(&self.unknown) {
            for time in recording.times.iter().map(|time| time - delay) {
                all.push(time);
                if unknown.is_some() {
                    all.extend([time - self.step, time + self.step]);
                }
            }
        }
        all.sort_by(f64::total_cmp);
        all.dedup();
        all
    }
}

/// Samples of a run.
struct Samples<'a> {
    times: Vec<f64>,
    found: &'a Gradient,
    channels: usize,
}

impl Samples<'_> {
    /// Index of a channel at one of the times.
    fn at(&self, time: f64, channel: usize) -> Option<usize> {
        let row = self.times.binary_search_by(|own| own.total_cmp(&time)).ok()?;
        (row < self.found.samples.size[0]).then_some(row * self.channels + channel)
    }

    /// Rate of a channel; that of the quieter side where it jumps.
    fn rate(&self, time: f64, channel: usize, step: f64) -> f64 {
        let value = |time: f64| self.at(time, channel).map_or(0.0, |at| self.found.samples.values[at]);
        let (before, after) = (value(time) - value(time - step), value(time + step) - value(time));
        let is_jump = before.abs().max(after.abs()) > JUMP_RATIO * before.abs().min(after.abs());
        let change = match is_jump {
            true if before.abs() < after.abs() => before,
            true => after,
            false => 0.5 * (before + after),
        };
        change / step
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
