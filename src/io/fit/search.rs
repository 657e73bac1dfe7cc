//! The search for the numbers, its progress, and what is known at its end.

use super::levenberg::{Evaluated, Minimum, OnTheWay, Start, Stop, minimize};
use super::problem::{Fit, FitError, Place};
use super::report::{FitReport, FittedChannel, FittedNumber, FittedRecording, FittedSeries};
use super::saved::SavedFit;
use super::statistics::{known, shift, student};
use super::{notes, saved};
use crate::gradient::FileGradientError;
use kinegraph_files::fitted::{Match, Scale};

/// Correlation above which two numbers are noted.
const CORRELATED: f64 = 0.95;
/// Accuracy over that of the runs that show their error.
const FINER: f64 = 8.0;
/// Rounds in which the weights of channels are found from their residuals.
const ROUNDS: usize = 3;
/// Tolerances of the searches: of the last one, and of those before, whose weights are not yet right.
const TOLERANCES: (f64, f64) = (1e-4, 1e-1);

/// A search on its way.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    /// Number of iterations so far.
    pub iterations: usize,
    /// Number of runs with their derivatives so far.
    pub runs: usize,
    /// Size of the residuals over that at the start.
    pub size: f64,
    /// The best numbers so far, as they are saved.
    pub best: &'a SavedFit,
    /// True if these are better ones than before.
    pub is_better: bool,
}

/// Someone who watches a search, and may end it.
pub trait Watch {
    /// True if the search should end; it is asked before each run.
    fn ends(&self) -> bool {
        false
    }

    /// Sees the search after each evaluation.
    fn see(&self, _progress: &Progress<'_>) {}
}

/// Nobody.
pub struct Unwatched;

impl Watch for Unwatched {}

/// Result of a search.
struct Found {
    minimum: Minimum,
    x: Vec<f64>,
    iterations: usize,
    runs: usize,
}

impl Fit {
    fn scales(&self) -> Vec<Scale> {
        self.places.iter().map(|place| self.numbers[place.fitted].scale).collect()
    }

    /// Residuals by the places on their scales.
    fn evaluate_scaled(
        &self,
        u: &[f64],
        deviations: &[f64],
        watch: &dyn Watch,
    ) -> Result<Option<Evaluated>, FileGradientError> {
        let scales = self.scales();
        let x: Vec<f64> = scales.iter().zip(u).map(|(scale, u)| scale.number(*u)).collect();
        let evaluated = self.evaluate(&x, deviations, &|| watch.ends())?;
        Ok(evaluated.map(|evaluated| self.scaled(evaluated, &x)))
    }

    /// Residuals at the numbers `x` with their derivatives by the places on their scales.
    fn scaled(&self, mut evaluated: Evaluated, x: &[f64]) -> Evaluated {
        for (i, scale) in self.scales().into_iter().enumerate() {
            let slope = scale.slope(x[i]);
            evaluated.j.column_mut(i).iter_mut().for_each(|derivative| *derivative *= slope);
            let (low, high) = evaluated.valid[i];
            if scale == Scale::Logarithmic {
                let low = if low > 0.0 { low.ln() } else { f64::NEG_INFINITY };
                evaluated.valid[i] = (low, if high > 0.0 { high.ln() } else { f64::INFINITY });
            }
        }
        evaluated
    }

    /// Spread of the data of a channel.
    fn spread(&self, channel: usize) -> f64 {
        let all = self.recordings.iter().flat_map(|recording| &recording.columns[channel]);
        let known: Vec<f64> = all.copied().filter(|x| !x.is_nan()).collect();
        let mean = known.iter().sum::<f64>() / known.len().max(1) as f64;
        let square = known.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / known.len().max(1) as f64;
        if square > 0.0 { square.sqrt() } else { 1.0 }
    }

    /// Finds the numbers.
    ///
    /// # Errors
    /// The run at the start fails.
    pub fn solve(&self) -> Result<FitReport, FitError> {
        self.solve_from(None, &Unwatched)
    }

    /// Finds the numbers, from those of a search that was saved, while someone watches.
    ///
    /// # Errors
    /// The run at the start fails, or `watch` ends the search before that; the search that was saved is another one.
    pub fn solve_from(&self, from: Option<&SavedFit>, watch: &dyn Watch) -> Result<FitReport, FitError> {
        let channels = self.matches.len();
        let mut deviations: Vec<f64> =
            (0..channels).map(|channel| self.noise[channel].unwrap_or_else(|| self.spread(channel))).collect();
        let start: Vec<f64> = self.places.iter().map(|place| place.start).collect();
        let first = self.evaluate(&start, &deviations, &|| watch.ends())?.ok_or(FitError::Stopped)?;
        if let Some(((recording, time, _), _)) = self.samples().zip(&first.differences).find(|(_, r)| !r.is_finite()) {
            return Err(FitError::EndsBefore { time: self.recordings[recording].times[time] });
        }
        let key = saved::key(self);
        if let Some(from) = from {
            from.check(key, &self.names())?;
            deviations.clone_from(&from.deviations);
        }
        let begin = from.map_or(&start, |from| &from.values).clone();
        let mut found = self.rounds(begin, &mut deviations, key, from, &first, watch)?;
        let errors = self.run_errors(&mut found, &deviations, watch);
        Ok(self.report(&first, found, &deviations, &errors))
    }

    /// Changes of the numbers if runs had a smaller accuracy. That is systematic, and no part of the intervals.
    fn run_errors(&self, found: &mut Found, deviations: &[f64], watch: &dyn Watch) -> Vec<Option<f64>> {
        let x = &found.x;
        let is_controlled = found.minimum.stop == Stop::Converged && self.scenario.options.error_controlled();
        let finer = is_controlled.then(|| self.evaluate_finer(x, deviations, FINER, &|| watch.ends()).ok().flatten());
        let Some(finer) = finer.flatten().filter(|finer| finer.r.iter().all(|r| r.is_finite())) else {
            return vec![None; x.len()];
        };
        found.runs += 1;
        let change = &finer.r - &found.minimum.at.r;
        shift(&self.sizes(x), &finer.j, &change).into_iter().map(Some).collect()
    }

    /// Searches, and finds the deviations of channels that are not given from their residuals in between.
    fn rounds(
        &self,
        begin: Vec<f64>,
        deviations: &mut [f64],
        key: u32,
        from: Option<&SavedFit>,
        first: &Evaluated,
        watch: &dyn Watch,
    ) -> Result<Found, FitError> {
        let scales = self.scales();
        let on_scale = |x: &[f64]| -> Vec<f64> { scales.iter().zip(x).map(|(scale, x)| scale.of(*x)).collect() };
        let numbers = |u: &[f64]| -> Vec<f64> { scales.iter().zip(u).map(|(scale, u)| scale.number(*u)).collect() };
        let bound = |place: &Place| {
            let fitted = &self.numbers[place.fitted];
            (fitted.scale.of(fitted.bounds.0), fitted.scale.of(fitted.bounds.1))
        };
        let bounds: Vec<(f64, f64)> = self.places.iter().map(bound).collect();
        let (done, mut iterations, mut runs) = from.map_or((0, 0, 1), |from| (from.round, from.iterations, from.runs));
        let is_given = self.noise.iter().all(Option::is_some);
        let rounds = if is_given || self.matches.len() == 1 { 1 } else { ROUNDS };
        let mut u = on_scale(&begin);
        let mut known = from.is_none().then(|| self.scaled(first.clone(), &begin));
        let size_of_first = first.r.norm().max(f64::MIN_POSITIVE);
        let mut last: Option<Minimum> = None;
        for round in done.min(rounds - 1)..rounds {
            let see = |way: &OnTheWay<'_>| {
                let best = SavedFit {
                    key,
                    names: self.names(),
                    values: numbers(way.x),
                    deviations: deviations.to_vec(),
                    round,
                    iterations: iterations + way.counts.0,
                    runs: runs + way.counts.1,
                };
                let (size, is_better) = (way.at.r.norm() / size_of_first, way.is_better);
                let (iterations, runs) = (best.iterations, best.runs);
                watch.see(&Progress { iterations, runs, size, best: &best, is_better });
                !watch.ends()
            };
            let evaluate = |u: &[f64]| self.evaluate_scaled(u, deviations, watch)?.ok_or(FitError::Stopped);
            let tolerance = if round + 1 < rounds { TOLERANCES.1 } else { TOLERANCES.0 };
            let start = Start { x: u.clone(), at: known.take(), tolerance };
            let minimum = match minimize(start, &bounds, evaluate, see) {
                // What the round before has found is kept.
                Err(FitError::Stopped) if last.is_some() => break,
                other => other?,
            };
            u.clone_from(&minimum.x);
            (iterations, runs) = (iterations + minimum.counts.0, runs + minimum.counts.1);
            let rms = self.rms(&minimum.at.differences);
            let is_stopped = minimum.stop == Stop::Interrupted;
            if is_stopped || round + 1 == rounds {
                last = Some(minimum);
                break;
            }
            let before = deviations.to_vec();
            for (channel, (rms, _)) in rms.iter().enumerate().filter(|(channel, _)| self.noise[*channel].is_none()) {
                deviations[channel] = rms.max(1e-9 * self.spread(channel));
            }
            known = (!self.robust).then(|| {
                let mut at = minimum.at.clone();
                for (row, (_, _, channel)) in self.samples().enumerate() {
                    let ratio = before[channel] / deviations[channel];
                    at.r[row] *= ratio;
                    at.j.row_mut(row).iter_mut().for_each(|slope| *slope *= ratio);
                }
                at
            });
            last = Some(minimum);
        }
        let minimum = last.ok_or(FitError::Stopped)?;
        let x = numbers(&minimum.x);
        Ok(Found { minimum, x, iterations, runs })
    }

    fn report(&self, first: &Evaluated, found: Found, deviations: &[f64], errors: &[Option<f64>]) -> FitReport {
        let Found { mut minimum, x, iterations, runs } = found;
        let names = self.names();
        let scales = self.scales();
        for (i, scale) in scales.iter().enumerate() {
            let slope = scale.slope(x[i]);
            minimum.at.j.column_mut(i).iter_mut().for_each(|derivative| *derivative /= slope);
        }
        let is_given = self.noise.iter().any(Option::is_some);
        let known = known(&names, &self.sizes(&x), &minimum.at.j, &minimum.at.r, is_given.then_some(1.0));
        let quantile = student(known.freedom);
        let parameter = |(i, name): (usize, &String)| {
            let interval = known.deviations[i].is_finite().then(|| quantile * known.deviations[i]);
            let (low, high) = self.numbers[self.places[i].fitted].bounds;
            FittedNumber {
                name: name.clone(),
                value: x[i],
                interval,
                range: interval.map(|half| match scales[i] {
                    Scale::Linear => [x[i] - half, x[i] + half],
                    Scale::Logarithmic => [x[i] * (-half / x[i]).exp(), x[i] * (half / x[i]).exp()],
                }),
                run_error: errors[i],
                start: self.places[i].start,
                at_bound: scales[i].of(x[i]) <= scales[i].of(low) || scales[i].of(x[i]) >= scales[i].of(high),
            }
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
        let (before, after) = (self.rms(&first.differences), self.rms(&minimum.at.differences));
        let channel = |(i, one): (usize, &Match)| FittedChannel {
            channel: one.channel.clone(),
            rms: [before[i].0, after[i].0],
            samples: after[i].1,
        };
        let series = self.series(&first.differences, &minimum.at.differences);
        let recordings = self.recordings.iter().map(|one| FittedRecording {
            file: one.path.display().to_string(),
            samples: one.times.len(),
            left_out: one.left_out,
        });
        let parameters: Vec<FittedNumber> = names.iter().enumerate().map(parameter).collect();
        let mut notes = notes::of(self, &series, &minimum.at, deviations, minimum.stop);
        notes.extend(notes::of_run_errors(&parameters, self.scenario.options.accuracy));
        FitReport {
            notes,
            parameters,
            correlated,
            undetermined: known.undetermined,
            channels: self.matches.iter().enumerate().map(channel).collect(),
            recordings: recordings.collect(),
            iterations,
            runs,
            converged: minimum.stop == Stop::Converged,
            stop: minimum.stop,
            correlations: (0..names.len()).map(|i| known.correlations.row(i).iter().copied().collect()).collect(),
            series,
        }
    }

    /// Channels and columns at the times of the recordings.
    fn series(&self, first: &[f64], last: &[f64]) -> Vec<FittedSeries> {
        let all = self
            .recordings
            .iter()
            .flat_map(|recording| self.matches.iter().zip(&self.units).map(move |one| (recording, one)));
        let empty = |(recording, (one, unit)): (&super::Recording, (&Match, &String))| FittedSeries {
            channel: one.channel.clone(),
            unit: unit.clone(),
            file: recording.path.display().to_string(),
            times: Vec::new(),
            data: Vec::new(),
            differences: [Vec::new(), Vec::new()],
        };
        let mut series: Vec<FittedSeries> = all.map(empty).collect();
        for ((recording, time, channel), (first, last)) in self.samples().zip(first.iter().zip(last)) {
            let own = &mut series[recording * self.matches.len() + channel];
            own.times.push(self.recordings[recording].times[time]);
            own.data.push(self.recordings[recording].columns[channel][time]);
            own.differences[0].push(*first);
            own.differences[1].push(*last);
        }
        series
    }
}
