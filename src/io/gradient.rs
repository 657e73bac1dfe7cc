//! Derivatives of the run of a diagram file by its numbers.

use crate::sweep::{Template, Variation};
use kinegraph_diagram::Diagram;
use kinegraph_engine::simulate::Simulation;
use kinegraph_engine::simulate::gradient::{By, Gradient, GradientError, GradientRequest, Of};
use kinegraph_files::LoadError;
use kinegraph_scenario::Scenario;
use std::str::FromStr;
use std::sync::Arc;

/// A number of a diagram file by which is differentiated, as it is named: `systems.controller.kp`, `parameters.m`, with
/// its value where the file has none: `systems.plant.models.box.links.box.mass=2`; or `initial(STATE)`.
#[derive(Clone, Debug, PartialEq)]
pub enum Named {
    /// A value that `--set` reaches, with the value that was given.
    Path(String, Option<f64>),
    /// A number of the initial state.
    Initial(String),
}

impl FromStr for Named {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if let Some(name) = text.strip_prefix("initial(").and_then(|rest| rest.strip_suffix(')')) {
            return Ok(Named::Initial(name.trim().to_owned()));
        }
        let (path, value) = match text.split_once('=') {
            None => (text, None),
            Some((path, value)) => {
                let number = value.trim().parse::<f64>().ok().filter(|number| number.is_finite());
                (path.trim(), Some(number.ok_or_else(|| format!("`{value}` is not a number"))?))
            }
        };
        if path.is_empty() || path.split('.').any(str::is_empty) {
            return Err(format!("`{path}` is not a dotted path like systems.controller.kp, nor initial(STATE)"));
        }
        Ok(Named::Path(path.to_owned(), value))
    }
}

/// Reason why there are no derivatives of a file.
#[derive(thiserror::Error)]
pub enum FileGradientError {
    /// The faults of the file.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The file has no number at a path.
    #[error("the file has no number at `{path}`: give its value, as in {path}=1")]
    NoNumber {
        /// The path.
        path: String,
    },
    /// There is no gradient.
    #[error(transparent)]
    Gradient(#[from] GradientError),
}

kinegraph_core::debug_is_message!(FileGradientError);

/// Derivatives of the run of a file.
pub struct FileGradient {
    template: Arc<Template>,
    scenario: Scenario,
    by: Vec<(Named, By)>,
}

impl FileGradient {
    /// Reads the file of `template`, with the numbers by which is differentiated; `text` is its text.
    ///
    /// # Errors
    /// Faults of the file; a path without a number.
    pub fn new(template: Template, text: &str, by: &[Named]) -> Result<Self, FileGradientError> {
        let template = Arc::new(template);
        let scenario = template.scenario(&Variation::default())?;
        let state = scenario.diagram.initial_state();
        let mut all = Vec::new();
        for named in by {
            let by = match named {
                Named::Initial(name) => By::initial(&scenario.diagram, &state, name)?,
                Named::Path(path, value) => {
                    let value = value.or_else(|| template.number_at(text, path));
                    let value = value.ok_or_else(|| FileGradientError::NoNumber { path: path.clone() })?;
                    let (template, at) = (template.clone(), path.clone());
                    let make = move |value: f64| changed(&template, &at, value).map_err(|error| error.to_string());
                    By::parameter(path.clone(), "", value, make)
                }
            };
            all.push((named.clone(), by));
        }
        Ok(FileGradient { template, scenario, by: all })
    }

    /// The file at the values that it has.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// Derivatives of measures of the run to the time `until` \[s\].
    ///
    /// # Errors
    /// The run stops; the integrator has no derivatives; a name is unknown.
    pub fn gradient(&self, of: &[Of], until: f64, second_look: bool) -> Result<Gradient, FileGradientError> {
        let simulation = self.scenario.simulation().map_err(GradientError::from)?;
        let by = self.by.iter().map(|(_, by)| by.clone()).collect();
        Ok(simulation.gradient(&GradientRequest { of: of.to_vec(), by, until, at: Vec::new(), second_look })?)
    }

    /// Differences of whole runs at a hundredth of the accuracy, in the order of the derivatives of a gradient: a
    /// check, which costs two tight runs a number, and is wrong where something strikes.
    ///
    /// # Errors
    /// As [`gradient`](Self::gradient).
    pub fn differences(&self, of: &[Of], until: f64) -> Result<Vec<f64>, FileGradientError> {
        const TIGHTER: f64 = 1e-2;
        const STEP_RATIO: f64 = 1e-3;
        let mut columns = Vec::new();
        for (named, by) in &self.by {
            let size = if by.value == 0.0 { 1.0 } else { by.value.abs() };
            let step = STEP_RATIO * size;
            let end = |value: f64| -> Result<Vec<f64>, FileGradientError> {
                let (diagram, mut state) = match named {
                    Named::Path(path, _) => {
                        let diagram = changed(&self.template, path, value)?;
                        let state = diagram.initial_state();
                        (diagram, state)
                    }
                    Named::Initial(_) => (self.scenario.diagram.clone(), self.scenario.diagram.initial_state()),
                };
                if let Named::Initial(name) = named
                    && let Some(at) = diagram.state_names().iter().position(|known| known == name)
                {
                    state.continuous[at] = value;
                }
                let mut options = self.scenario.options;
                options.accuracy *= TIGHTER;
                let mut simulation = Simulation::new(&diagram, options).map_err(GradientError::from)?;
                simulation.set_state(state).map_err(GradientError::from)?;
                Ok(simulation.measure(of, until)?)
            };
            let (more, less) = (end(by.value + step)?, end(by.value - step)?);
            columns.push(more.iter().zip(&less).map(|(a, b)| (a - b) / (2.0 * step)).collect::<Vec<f64>>());
        }
        Ok((0..of.len()).flat_map(|of| columns.iter().map(move |column| column[of]).collect::<Vec<_>>()).collect())
    }
}

/// The diagram of `template` with another value at a path.
fn changed(template: &Template, path: &str, value: f64) -> Result<Diagram, LoadError> {
    changed_to(template, [(path.to_owned(), value)])
}

/// The diagram of `template` with other values at some paths.
pub(crate) fn changed_to(
    template: &Template,
    values: impl IntoIterator<Item = (String, f64)>,
) -> Result<Diagram, LoadError> {
    let overrides = values.into_iter().map(|(path, value)| (path, format!("{value:?}"))).collect();
    Ok(template.scenario(&Variation { overrides, ..Variation::default() })?.diagram)
}
