//! Specification of a sweep, and the enumeration of its variations.

use super::SweepError;
use super::distribution::Distribution;
use super::values;
use crate::gradient::FileGradient;
use crate::template::{Derivatives, Template, Variation, of_channels};
use kinegraph_core::random::derived_seed;
use kinegraph_engine::measures::Measure;
use kinegraph_scenario::GradientAsked;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// A parameter and its values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Axis {
    /// Its path, as in `--set`.
    pub path: String,
    /// Its values, as YAML.
    pub values: Vec<String>,
}

/// A parameter with random values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SampledParameter {
    /// Its path, as in `--set`.
    pub path: String,
    /// Its distribution.
    pub distribution: Distribution,
    /// Unit of its numbers; empty: that of the key.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
}

impl Axis {
    /// Parses `PATH=a,b,c`, `PATH=from:to:count` or `PATH=from:to:count:log`; numbers may have units (`1 kg:3 kg:5`).
    ///
    /// # Errors
    /// The fault of `text`.
    pub fn parse(text: &str) -> Result<Self, SweepError> {
        let (path, list) = split(text)?;
        Ok(Axis { path, values: values::values(list)? })
    }
}

impl SampledParameter {
    /// Parses `PATH=normal(m,s)`, `PATH=uniform(a,b)` or `PATH=integer(a,b)`; both numbers of a law may have a unit.
    ///
    /// # Errors
    /// The fault of `text`.
    pub fn parse(text: &str) -> Result<Self, SweepError> {
        let (path, law) = split(text)?;
        let (distribution, unit) = Distribution::with_unit(law)?;
        Ok(SampledParameter { path, distribution, unit })
    }
}

fn split(text: &str) -> Result<(String, &str), SweepError> {
    match text.split_once('=') {
        Some((path, value)) if !path.trim().is_empty() => Ok((path.trim().to_owned(), value)),
        _ => Err(SweepError::syntax(text, "expected PATH=…, e.g. systems.controller.kp=100,200")),
    }
}

/// Specification of a sweep: every combination of the values of all axes, each with every draw. All combinations have
/// the same draws, so that they can be compared.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sweep {
    /// Parameters with their values; the last one changes fastest.
    pub vary: Vec<Axis>,
    /// Integrators by name; those of the file if empty.
    pub integrators: Vec<String>,
    /// Accuracies; that of the file if empty.
    pub accuracies: Vec<f64>,
    /// Parameters with random values.
    pub sample: Vec<SampledParameter>,
    /// Number of draws. If it is 0 and no parameter is random, noise keeps the seeds of the file.
    pub runs: u64,
    /// Seed of the draws.
    pub seed: u64,
    /// Measures of each run.
    pub measures: Vec<Measure>,
    /// Names of the requirements of the file, each of which has a column; [`checked`](Self::checked) finds them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<String>,
    /// Derivatives of each run. Those by nothing are by what the file differentiates by.
    #[serde(skip_serializing_if = "Derivatives::is_empty")]
    pub derivatives: Derivatives,
    /// Bound in accuracies on the difference to comparison runs, if runs are [verified](crate::verify), which adds two
    /// columns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verify: Option<f64>,
}

/// Largest index of a run that is exact in double precision.
const MAX_RUNS: u64 = 1 << 53;
/// Maximum number of variations that are built to find one without faults.
const CHECKED_VARIATIONS: u64 = 100;

impl Sweep {
    /// Checks the sweep for `template`: no parameter is varied twice, the channels of measures exist (a measure of an
    /// output becomes one for each of its numbers), and one of the first variations can be built.
    ///
    /// # Errors
    /// The first of these checks that fails.
    pub fn checked(mut self, template: &Template) -> Result<Self, SweepError> {
        let mut seen = HashSet::new();
        let named = [
            (!self.integrators.is_empty()).then_some("simulation.integrator"),
            (!self.accuracies.is_empty()).then_some("simulation.accuracy"),
        ];
        let paths = self.vary.iter().map(|axis| &*axis.path).chain(self.sample.iter().map(|one| &*one.path));
        for path in paths.chain(named.into_iter().flatten()) {
            if !seen.insert(path) {
                return Err(SweepError::Twice { path: path.to_owned() });
            }
        }
        let count =
            self.sizes().try_fold(1_u64, |count, size| count.checked_mul(size).filter(|count| *count <= MAX_RUNS));
        count.ok_or(SweepError::TooMany)?;
        let mut first = None;
        for variation in (0..CHECKED_VARIATIONS).map_while(|index| self.variation(index)) {
            match template.scenario(&variation) {
                Ok(scenario) => {
                    let mut measures = Vec::new();
                    for measure in &self.measures {
                        let found = of_channels(measure, &scenario.diagram);
                        let fault = |fault| SweepError::Measure { measure: measure.to_string(), fault };
                        measures.extend(found.map_err(fault)?);
                    }
                    self.measures = measures;
                    self.derivatives = self.single_derivatives(template, &variation)?;
                    self.requirements = scenario.requirements.names().map(str::to_owned).collect();
                    return Ok(self);
                }
                Err(error) => first = first.or(Some(error)),
            }
        }
        match first {
            Some(error) => Err(SweepError::NoneBuilds(error)),
            None => Ok(self),
        }
    }

    /// The derivatives of single channels by single numbers.
    fn single_derivatives(&self, template: &Template, variation: &Variation) -> Result<Derivatives, SweepError> {
        if self.derivatives.is_empty() {
            return Ok(Derivatives::default());
        }
        let Derivatives { of, by } = self.derivatives.clone();
        let asked = GradientAsked { of, by, ..GradientAsked::default() };
        let file = FileGradient::new(template, variation, &asked);
        Ok(file.map_err(|error| SweepError::Derivative(Box::new(error)))?.asked())
    }

    /// Number of values of each axis, the slowest first.
    fn sizes(&self) -> impl Iterator<Item = u64> + '_ {
        let optional = |n: usize| n.max(1) as u64;
        let named = [optional(self.integrators.len()), optional(self.accuracies.len()), self.runs.max(1)];
        self.vary.iter().map(|axis| axis.values.len() as u64).chain(named)
    }

    /// Number of variations.
    pub fn len(&self) -> u64 {
        self.sizes().product()
    }

    /// True if there are none, because an axis has no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// True if anything is random.
    pub(super) fn draws(&self) -> bool {
        self.runs > 0 || !self.sample.is_empty()
    }

    /// Variation `index`, if it exists.
    pub fn variation(&self, index: u64) -> Option<Variation> {
        if index >= self.len() {
            return None;
        }
        let mut rest = index;
        let mut digit = |size: u64| {
            let digit = rest % size;
            rest /= size;
            digit
        };
        // The fastest first.
        let seed = self.draws().then(|| derived_seed(self.seed, digit(self.runs.max(1))));
        let one_of = |n: usize, digit: &mut dyn FnMut(u64) -> u64| (n > 0).then(|| digit(n as u64) as usize);
        let accuracy = one_of(self.accuracies.len(), &mut digit).map(|i| self.accuracies[i]);
        let integrator = one_of(self.integrators.len(), &mut digit).map(|i| self.integrators[i].clone());
        let mut overrides: Vec<(String, String)> = Vec::with_capacity(self.vary.len() + self.sample.len());
        for axis in self.vary.iter().rev() {
            overrides.push((axis.path.clone(), axis.values[digit(axis.values.len() as u64) as usize].clone()));
        }
        overrides.reverse();
        let drawn = |(place, one): (usize, &SampledParameter)| {
            let number = one.distribution.draw(seed.unwrap_or(0), place as u64);
            let value = if one.unit.is_empty() { number } else { format!("{number} {}", one.unit) };
            (one.path.clone(), value)
        };
        overrides.extend(self.sample.iter().enumerate().map(drawn));
        Some(Variation {
            index,
            overrides,
            integrator,
            accuracy,
            seed,
            verify: self.verify,
            derivatives: self.derivatives.clone(),
        })
    }

    /// All variations, in order.
    pub fn variations(&self) -> impl Iterator<Item = Variation> + '_ {
        (0..self.len()).map_while(|index| self.variation(index))
    }
}
