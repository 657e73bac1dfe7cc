//! Derivatives of the run of a diagram file by its numbers.

mod table;

use crate::template::{Derivatives, Template, Variation, of_channels};
use kinegraph_diagram::Diagram;
use kinegraph_engine::measures::{Measure, MeasureKind};
use kinegraph_engine::simulate::Simulation;
use kinegraph_engine::simulate::gradient::{By, Gradient, GradientError, GradientRequest, Of};
use kinegraph_files::{LoadError, NoNumber};
use kinegraph_scenario::{GradientAsked, Scenario};
use std::sync::Arc;

pub use kinegraph_files::GradientBy as Named;

/// Reason why there are no derivatives of a file.
#[derive(thiserror::Error)]
pub enum FileGradientError {
    /// The faults of the file.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The file has no number at a path.
    #[error(transparent)]
    NoNumber(#[from] NoNumber),
    /// A name that stands there twice.
    #[error("`{name}` is asked for twice")]
    Twice {
        /// The name.
        name: String,
    },
    /// Nothing of which, or by which, is differentiated.
    #[error("nothing says {what}: {option}, or a section `gradient: {{of: [end(CHANNEL)], by: [PATH]}}` of the file")]
    Nothing {
        /// Of or by what.
        what: &'static str,
        /// The option, with an example.
        option: &'static str,
    },
    /// There is no gradient.
    #[error(transparent)]
    Gradient(#[from] GradientError),
}

kinegraph_core::debug_is_message!(FileGradientError);

/// Derivatives of the run of a file.
pub struct FileGradient {
    variation: Variation,
    scenario: Scenario,
    of: Vec<Of>,
    by: Vec<(Named, By)>,
    /// Channels that are differentiated over time.
    over_time: Vec<String>,
    until: f64,
}

/// A channel over time, with its derivatives.
#[derive(Clone, Debug)]
pub struct ChannelOverTime {
    /// Its name.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// Its values.
    pub values: Vec<f64>,
    /// Its derivatives by each number; not-a-number at the time of a jump that moves with it.
    pub derivatives: Vec<Vec<f64>>,
    /// Estimates of their errors; empty without a second look.
    pub errors: Vec<Vec<f64>>,
}

impl ChannelOverTime {
    /// Unit of its derivative by the number of this name.
    pub fn unit_by(&self, by: &str) -> String {
        format!("{} / {by}", if self.unit.is_empty() { "1" } else { &self.unit })
    }
}

/// Derivatives of a file.
#[derive(Clone, Debug)]
pub struct FoundGradient {
    /// Derivatives of measures.
    pub gradient: Gradient,
    /// Times of samples \[s\]; none if nothing is differentiated over time.
    pub times: Vec<f64>,
    /// Channels at these times.
    pub over_time: Vec<ChannelOverTime>,
}

impl FileGradient {
    /// Reads the file of `template`, as `variation` changes it, with what is `asked`, in place of what its section
    /// `gradient` asks. Numbers that are named with a value have it in the run.
    ///
    /// # Errors
    /// Faults of the file; a path without a number; a name that is unknown or there twice; nothing asked.
    pub fn new(template: &Template, variation: &Variation, asked: &GradientAsked) -> Result<Self, FileGradientError> {
        let template = Arc::new(template.clone());
        // The file may have faults at its own values that those given mend.
        let given = |by: &[Named]| {
            let one = |named: &Named| match named {
                Named::Path(path, Some(value)) => Some((path.clone(), format!("{value:?}"))),
                _ => None,
            };
            let mut variation = variation.clone();
            variation.overrides.extend(by.iter().filter_map(one));
            variation
        };
        let of_file = if asked.by.is_empty() || asked.of.is_empty() && asked.over_time.is_empty() {
            template.scenario(&given(&asked.by))?.gradient.unwrap_or_default()
        } else {
            GradientAsked::default()
        };
        let until = asked.until.or(of_file.until);
        let by = if asked.by.is_empty() { of_file.by } else { asked.by.clone() };
        let is_of_file = asked.of.is_empty() && asked.over_time.is_empty();
        let (of, over_time) =
            if is_of_file { (of_file.of, of_file.over_time) } else { (asked.of.clone(), asked.over_time.clone()) };
        // A number of a list is none before there is the list.
        let is_item = |path: &str| path.rsplit('.').next().is_some_and(|key| key.parse::<usize>().is_ok());
        for named in &by {
            if let Named::Path(path, Some(_)) = named
                && is_item(path)
            {
                template.number_at(variation, path)?;
            }
        }
        let (of_file, variation) = (variation, given(&by));
        let scenario = template.scenario(&variation)?;
        if of.is_empty() && over_time.is_empty() {
            let (what, option) = ("what is differentiated", "--of \"end(CHANNEL)\" or --over-time CHANNEL");
            return Err(FileGradientError::Nothing { what, option });
        }
        if by.is_empty() {
            let (what, option) = ("by what is differentiated", "--by PATH, e.g. --by systems.controller.kp");
            return Err(FileGradientError::Nothing { what, option });
        }
        let until = until.unwrap_or(scenario.duration);
        let state = start(&scenario, &variation);
        let mut all: Vec<(Named, By)> = Vec::new();
        for named in &by {
            match named {
                Named::Initial(name) => {
                    let found = By::initials(&scenario.diagram, &state, name)?;
                    all.extend(found.into_iter().map(|by| (named.clone(), by)));
                }
                Named::Path(path, value) => {
                    let value = value.map_or_else(|| template.number_at(of_file, path), Ok)?;
                    let (template, variation, at) = (template.clone(), variation.clone(), path.clone());
                    let make = move |value: f64| {
                        changed(&template, &variation, [(at.clone(), value)]).map_err(|error| error.to_string())
                    };
                    all.push((named.clone(), By::parameter(path.clone(), "", value, make)));
                }
            }
        }
        let of = of_channels_of(&of, &scenario)?;
        let mut names = Vec::new();
        for name in &over_time {
            let found = scenario.diagram.find_channels(name);
            names.extend(found.map_err(|error| GradientError::from(Box::new(error)))?.into_iter().map(|one| one.name));
        }
        check_once(all.iter().map(|(_, by)| by.name.clone()))?;
        check_once(of.iter().map(ToString::to_string))?;
        check_once(names.iter().cloned())?;
        Ok(FileGradient { variation, scenario, of, by: all, over_time: names, until })
    }

    /// The file at the values that it has.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// True if channels are differentiated over time.
    pub fn has_series(&self) -> bool {
        !self.over_time.is_empty()
    }

    /// Measures of single channels, and single numbers by which they are differentiated.
    pub fn asked(&self) -> Derivatives {
        let by = self.by.iter().map(|(named, by)| match named {
            Named::Initial(_) => by.name.parse().unwrap_or_else(|_| named.clone()),
            Named::Path(..) => named.clone(),
        });
        Derivatives { of: self.of.clone(), by: by.collect() }
    }

    /// Simulation of the run from its start.
    fn simulation(&self) -> Result<Simulation, FileGradientError> {
        let mut simulation = self.scenario.simulation().map_err(GradientError::from)?;
        simulation.set_state(start(&self.scenario, &self.variation)).map_err(GradientError::from)?;
        Ok(simulation)
    }

    /// Derivatives of the run; with their errors, if it is made a second time (`second_look`).
    ///
    /// # Errors
    /// The run stops; the integrator has no derivatives; a name is unknown.
    pub fn gradient(&self, second_look: bool) -> Result<FoundGradient, FileGradientError> {
        let end = |channel: &String| Of::Measure(Measure { kind: MeasureKind::End, channel: channel.clone() });
        // What is sampled is the channel of a measure.
        let of: Vec<Of> = self.of.iter().cloned().chain(self.over_time.iter().map(end)).collect();
        let by: Vec<By> = self.by.iter().map(|(_, by)| by.clone()).collect();
        let times = if self.over_time.is_empty() { Vec::new() } else { self.times() };
        let request = GradientRequest { of, by, until: self.until, at: times.clone(), second_look };
        let mut gradient = self.simulation()?.gradient(&request)?;
        let over_time = self.over_time.iter().enumerate();
        let over_time = over_time.map(|(i, name)| self.channel(name, self.of.len() + i, &gradient)).collect();
        gradient.of.truncate(self.of.len());
        gradient.values.truncate(self.of.len());
        gradient.derivatives.truncate(self.of.len() * self.by.len());
        let times = times[..gradient.samples.size[0].min(times.len())].to_vec();
        Ok(FoundGradient { gradient, times, over_time })
    }

    /// Times of samples \[s\].
    fn times(&self) -> Vec<f64> {
        let count = (self.until / self.scenario.every * (1.0 + 1e-12)).floor() as usize;
        let mut times: Vec<f64> = (0..=count).map(|i| (i as f64 * self.scenario.every).min(self.until)).collect();
        if times.last().is_some_and(|last| *last < self.until) {
            times.push(self.until);
        }
        times
    }

    /// The channel of measure number `of` at the times of samples.
    fn channel(&self, name: &str, of: usize, found: &Gradient) -> ChannelOverTime {
        let [times, width, all] = found.samples.size;
        let column = |numbers: &[f64], by: usize| -> Vec<f64> {
            (0..times).filter_map(|t| numbers.get((t * width + of) * all + by).copied()).collect()
        };
        let errors = &found.samples.errors;
        let unit = self.scenario.diagram.find_channels(name).map(|found| found[0].unit.to_string());
        ChannelOverTime {
            name: name.to_owned(),
            unit: unit.unwrap_or_default(),
            values: (0..times).map(|t| found.samples.values[t * width + of]).collect(),
            derivatives: (0..all).map(|by| column(&found.samples.derivatives, by)).collect(),
            errors: if errors.is_empty() { Vec::new() } else { (0..all).map(|by| column(errors, by)).collect() },
        }
    }

    /// Differences of whole runs at a hundredth of the accuracy, in the order of the derivatives of a gradient: a
    /// check, which costs two tight runs a number, and is wrong where something strikes.
    ///
    /// # Errors
    /// As [`gradient`](Self::gradient).
    pub fn differences(&self) -> Result<Vec<f64>, FileGradientError> {
        const TIGHTER: f64 = 1e-2;
        const STEP_RATIO: f64 = 1e-3;
        let state = start(&self.scenario, &self.variation);
        let mut options = self.scenario.options;
        options.accuracy *= TIGHTER;
        let mut columns = Vec::new();
        for (_, by) in &self.by {
            let size = if by.value == 0.0 || by.is_initial() { 1.0 } else { by.value.abs() };
            let step = STEP_RATIO * size;
            let end = |amount: f64| -> Result<Vec<f64>, FileGradientError> {
                let (diagram, state) = by.moved(amount, &self.scenario.diagram, &state)?;
                let diagram = diagram.as_ref().unwrap_or(&self.scenario.diagram);
                let mut simulation = Simulation::new(diagram, options).map_err(GradientError::from)?;
                simulation.set_state(state).map_err(GradientError::from)?;
                Ok(simulation.measure(&self.of, self.until)?)
            };
            // At the end of what a number may be, the difference is to the run at the number itself.
            let (more, less, apart) = match (end(step), end(-step)) {
                (Ok(more), Ok(less)) => (more, less, 2.0 * step),
                (Ok(more), Err(_)) => (more, end(0.0)?, step),
                (Err(_), Ok(less)) => (end(0.0)?, less, step),
                (Err(error), Err(_)) => return Err(error),
            };
            columns.push(more.iter().zip(&less).map(|(a, b)| (a - b) / apart).collect::<Vec<f64>>());
        }
        let rows = 0..self.of.len();
        Ok(rows.flat_map(|of| columns.iter().map(move |column| column[of]).collect::<Vec<_>>()).collect())
    }
}

/// The measures of single channels.
fn of_channels_of(of: &[Of], scenario: &Scenario) -> Result<Vec<Of>, FileGradientError> {
    let mut all = Vec::new();
    for one in of {
        match one {
            Of::Measure(measure) => {
                let found = of_channels(measure, &scenario.diagram);
                all.extend(found.map_err(GradientError::from)?.into_iter().map(Of::Measure));
            }
            Of::Time(_) => all.push(one.clone()),
        }
    }
    Ok(all)
}

/// Checks that no name is there twice.
fn check_once(names: impl Iterator<Item = String>) -> Result<(), FileGradientError> {
    let mut seen = std::collections::HashSet::new();
    for name in names {
        if !seen.insert(name.clone()) {
            return Err(FileGradientError::Twice { name });
        }
    }
    Ok(())
}

/// State at the start of a run of a variation.
fn start(scenario: &Scenario, variation: &Variation) -> kinegraph_diagram::State {
    let state = scenario.diagram.initial_state();
    match variation.seed {
        Some(seed) => scenario.diagram.seeded(state, seed),
        None => state,
    }
}

/// The diagram of `template`, as `variation` changes it, with other values at some paths.
fn changed(
    template: &Template,
    variation: &Variation,
    values: impl IntoIterator<Item = (String, f64)>,
) -> Result<Diagram, LoadError> {
    let mut variation = variation.clone();
    variation.overrides.extend(values.into_iter().map(|(path, value)| (path, format!("{value:?}"))));
    Ok(template.scenario(&variation)?.diagram)
}

/// The diagram of `template` with other values at some paths.
pub(crate) fn changed_to(
    template: &Template,
    values: impl IntoIterator<Item = (String, f64)>,
) -> Result<Diagram, LoadError> {
    changed(template, &Variation::default(), values)
}
