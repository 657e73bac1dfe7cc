//! Identifiability before a fit: what an experiment would show, from the derivatives of its run and the noise.
//!
//! With J the derivatives of all samples over the deviations of their noise, `J'J` is the information of an experiment,
//! and its inverse the covariance of what would be found. Experiments are ordered by the number of directions that they
//! determine, then by the determinant of the information (D-optimal).

use super::problem::{Fit, FitError};
use super::statistics::{Undetermined, known};
use nalgebra::{DMatrix, DVector};
use serde::Serialize;

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
        let sizes = self.sizes(&values);
        Ok(Experiment::of(name.to_owned(), &self.names(), &values, sizes, evaluated.j))
    }
}

impl Experiment {
    fn of(name: String, names: &[String], values: &[f64], sizes: Vec<f64>, j: DMatrix<f64>) -> Self {
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
        }
    }

    /// Number of directions that are determined, and the information along them.
    fn order(&self) -> (usize, f64) {
        (self.parameters.len() - self.undetermined.len().min(self.parameters.len()), self.information)
    }
}

impl PlanReport {
    /// Compares experiments, each with the same numbers; `None` without one.
    pub fn of(experiments: Vec<Experiment>) -> Option<Self> {
        let first = experiments.first()?;
        let order = |(_, a): &(usize, &Experiment), (_, b): &(usize, &Experiment)| {
            let ((n, x), (m, y)) = (a.order(), b.order());
            n.cmp(&m).then(x.total_cmp(&y))
        };
        let best = experiments.iter().enumerate().max_by(order).map_or(0, |(at, _)| at);
        let names: Vec<String> = first.parameters.iter().map(|one| one.name.clone()).collect();
        let best_of = |(i, name): (usize, &String)| {
            let own = experiments.iter().enumerate();
            let known = own.filter_map(|(at, one)| Some((at, one.parameters.get(i)?.interval?)));
            known.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(at, _)| (name.clone(), at))
        };
        let best_of = names.iter().enumerate().filter_map(best_of).collect();
        let together = (experiments.len() > 1).then(|| {
            let rows: usize = experiments.iter().map(|one| one.j.nrows()).sum();
            let mut j = DMatrix::zeros(rows, names.len());
            let mut from = 0;
            for one in &experiments {
                j.rows_mut(from, one.j.nrows()).copy_from(&one.j);
                from += one.j.nrows();
            }
            let values: Vec<f64> = first.parameters.iter().map(|one| one.value).collect();
            Experiment::of("all together".to_owned(), &names, &values, first.sizes.clone(), j)
        });
        Some(PlanReport { together, best, best_of, experiments })
    }
}
