//! Identifiability before a fit: what an experiment would show, from the derivatives of its run and the noise.
//!
//! With J the derivatives of all samples over the deviations of their noise, `J'J` is the information of an experiment,
//! and its inverse the covariance of what would be found. Experiments are ordered by the number of directions that they
//! determine, then by the determinant of the information (D-optimal).

use super::problem::{Fit, FitError, in_full};
use super::statistics::{Undetermined, known};
use crate::gradient::FileGradientError;
use crate::sweep::{Axis, Sweep, Template};
use kinegraph_files::{Catalog, Override};
use kinegraph_scenario::FitAsked;
use nalgebra::{DMatrix, DVector};
use serde::Serialize;
use std::path::PathBuf;

/// Quantile 0.975 of the normal distribution.
const QUANTILE: f64 = 1.959_964;

/// A number that would be fitted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlannedNumber {
    /// Its name.
    pub name: String,
    /// Its value, at which the run was differentiated.
    pub value: f64,
    /// Half the width of the interval of 95 % that it would have; `None` if it would not be determined.
    pub interval: Option<f64>,
}

/// Knowledge from an experiment that has not been made.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Experiment {
    /// Its name.
    pub name: String,
    /// Number of samples.
    pub samples: usize,
    /// The numbers.
    pub parameters: Vec<PlannedNumber>,
    /// Directions of the numbers that it would leave open.
    pub undetermined: Vec<Undetermined>,
    /// Logarithm of the determinant of the information of the numbers, each over its size, along the directions that
    /// are determined.
    pub information: f64,
    #[serde(skip)]
    j: DMatrix<f64>,
    #[serde(skip)]
    sizes: Vec<f64>,
    /// True for numbers of which each recording has its own.
    #[serde(skip)]
    is_each: Vec<bool>,
}

/// Derivatives of samples, with the sizes of the numbers.
struct Columns {
    j: DMatrix<f64>,
    sizes: Vec<f64>,
    is_each: Vec<bool>,
}

/// Knowledge from some experiments that have not been made.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlanReport {
    /// The experiments.
    pub experiments: Vec<Experiment>,
    /// All of them together, where they are several.
    pub together: Option<Experiment>,
    /// Index of the most informative one.
    pub best: usize,
    /// For each number that one of them determines, its name and the index of the one with the smallest interval.
    pub best_of: Vec<(String, usize)>,
}

/// A request for a plan: every file with every combination of the values that are varied is an experiment.
#[derive(Clone, Debug, Default)]
pub struct PlanAsked {
    /// The diagram files.
    pub files: Vec<PathBuf>,
    /// Values that override those of the files.
    pub overrides: Vec<Override>,
    /// Values of parameters in experiments.
    pub vary: Vec<Axis>,
    /// The fit that is planned. Samples are at the times of its recordings, or those that the files record. Where it
    /// says nothing but of recordings, the section `fit` of the first file counts.
    pub fit: FitAsked,
}

impl Fit {
    /// Knowledge of the numbers that a recording of this experiment would give, if they had the values that they
    /// start from.
    ///
    /// # Errors
    /// The noise of a channel is not given; the run fails.
    pub fn experiment(&self, name: &str) -> Result<Experiment, FitError> {
        let deviation = |(one, noise): (&super::Match, &Option<f64>)| {
            noise.ok_or_else(|| FitError::PlanWithoutNoise { channel: one.channel.clone() })
        };
        let deviations = self.matches.iter().zip(&self.noise).map(deviation).collect::<Result<Vec<f64>, _>>()?;
        let values: Vec<f64> = self.places.iter().map(|place| place.start).collect();
        let evaluated = self.evaluate(&values, &deviations, &|| false)?.ok_or(FitError::Stopped)?;
        let (j, sizes) = (evaluated.j, self.sizes(&values));
        let is_each = self.places.iter().map(|place| place.recording.is_some()).collect();
        Ok(Experiment::of(name.to_owned(), &self.names(), &values, Columns { j, sizes, is_each }))
    }
}

impl Experiment {
    fn of(name: String, names: &[String], values: &[f64], columns: Columns) -> Self {
        let Columns { j, sizes, is_each } = columns;
        let known = known(names, &sizes, &j, &DVector::zeros(j.nrows()), Some(1.0));
        let scaled = DMatrix::from_fn(j.nrows(), j.ncols(), |row, column| j[(row, column)] * sizes[column]);
        let mut values_of: Vec<f64> = (scaled.transpose() * scaled).symmetric_eigenvalues().iter().copied().collect();
        values_of.sort_by(|a, b| b.total_cmp(a));
        values_of.truncate(names.len() - known.undetermined.len().min(names.len()));
        let number = |(i, name): (usize, &String)| PlannedNumber {
            name: name.clone(),
            value: values[i],
            interval: known.deviations[i].is_finite().then(|| QUANTILE * known.deviations[i]),
        };
        Experiment {
            name,
            samples: j.nrows(),
            parameters: names.iter().enumerate().map(number).collect(),
            information: values_of.iter().map(|value| value.max(f64::MIN_POSITIVE).ln()).sum(),
            undetermined: known.undetermined,
            j,
            sizes,
            is_each,
        }
    }

    /// Number of directions that are determined, and the information along them.
    fn order(&self) -> (usize, f64) {
        (self.parameters.len() - self.undetermined.len().min(self.parameters.len()), self.information)
    }
}

impl PlanReport {
    /// Plans the experiments of a request, with block types of `catalog`.
    ///
    /// # Errors
    /// Faults of the files and of the request; a run that fails.
    pub fn of_files(catalog: &Catalog, asked: &PlanAsked) -> Result<Self, FitError> {
        let sweep = Sweep { vary: asked.vary.clone(), ..Sweep::default() };
        let mut experiments = Vec::new();
        let mut fit_asked: Option<FitAsked> = None;
        for file in &asked.files {
            for variation in (0..sweep.len()).filter_map(|index| sweep.variation(index)) {
                let own = variation.overrides.iter();
                let varied = own.clone().map(|(path, value)| Override::flag_of("--vary", path, value));
                let overrides = asked.overrides.iter().cloned().chain(varied).collect();
                let template = Template::open_over(catalog.clone(), file, overrides)
                    .map_err(|error| FitError::File(FileGradientError::Load(error)))?;
                if fit_asked.is_none() {
                    fit_asked = Some(FitAsked { data: asked.fit.data.clone(), ..in_full(&template, &asked.fit)? });
                }
                let own_fit = fit_asked.as_ref().unwrap_or(&asked.fit);
                let fit = match own_fit.data.is_empty() {
                    true => Fit::planned(template, own_fit)?,
                    false => Fit::new(template, own_fit)?,
                };
                let values: Vec<String> = own.map(|(path, value)| format!("{path}={value}")).collect();
                let file = file.display();
                let with = if values.is_empty() { String::new() } else { format!(" with {}", values.join(" ")) };
                experiments.push(fit.experiment(&format!("{file}{with}"))?);
            }
        }
        PlanReport::of(experiments).ok_or(FitError::NoExperiment)
    }

    /// Compares experiments, each with the same numbers; `None` without one.
    pub fn of(experiments: Vec<Experiment>) -> Option<Self> {
        let first = experiments.first()?;
        let order = |(_, a): &(usize, &Experiment), (_, b): &(usize, &Experiment)| {
            let ((n, x), (m, y)) = (a.order(), b.order());
            n.cmp(&m).then(x.total_cmp(&y))
        };
        let best = experiments.iter().enumerate().max_by(order).map_or(0, |(at, _)| at);
        let best_of = |(i, one): (usize, &PlannedNumber)| {
            let own = experiments.iter().enumerate();
            let known = own.filter_map(|(at, one)| Some((at, one.parameters.get(i)?.interval?)));
            known.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(at, _)| (one.name.clone(), at))
        };
        let best_of = first.parameters.iter().enumerate().filter_map(best_of).collect();
        let together = (experiments.len() > 1).then(|| together(&experiments));
        Some(PlanReport { together, best, best_of, experiments })
    }
}

/// Knowledge from all experiments. A number of which each recording has its own is another one in each.
fn together(experiments: &[Experiment]) -> Experiment {
    let (mut names, mut values, mut sizes, mut columns) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (at, one) in experiments.iter().enumerate() {
        let mut own = Vec::new();
        for (i, number) in one.parameters.iter().enumerate() {
            let name = match one.is_each[i] {
                true => format!("{} (experiment {})", number.name, at + 1),
                false => number.name.clone(),
            };
            let known = names.iter().position(|known| *known == name);
            own.push(known.unwrap_or(names.len()));
            if known.is_none() {
                names.push(name);
                values.push(number.value);
                sizes.push(one.sizes[i]);
            }
        }
        columns.push(own);
    }
    let mut j = DMatrix::zeros(experiments.iter().map(|one| one.j.nrows()).sum(), names.len());
    let mut from = 0;
    for (one, columns) in experiments.iter().zip(&columns) {
        for (own, &column) in columns.iter().enumerate() {
            j.view_mut((from, column), (one.j.nrows(), 1)).copy_from(&one.j.column(own));
        }
        from += one.j.nrows();
    }
    let is_each = vec![false; names.len()];
    Experiment::of("all together".to_owned(), &names, &values, Columns { j, sizes, is_each })
}
