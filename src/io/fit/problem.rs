//! A fit: the file, the recordings, and the numbers that are sought.

use super::report::FitReport;
use crate::gradient::{FileGradientError, Named};
use crate::template::{Template, Variation};
use kinegraph_core::names::{did_you_mean, nearest};
use kinegraph_engine::simulate::gradient::{By, GradientError};
use kinegraph_files::fitted::{Fitted, Match, Noise, Unknown};
use kinegraph_files::recording::{Recording, RecordingError};
use kinegraph_files::{NoNumber, with_numbers};
use kinegraph_scenario::{FitAsked, Scenario, channel_unit};
use std::path::PathBuf;
use std::sync::Arc;

/// Names that a message shows.
const MAX_SHOWN: usize = 12;

/// Reason why there is no fit.
#[derive(thiserror::Error)]
pub enum FitError {
    /// The file, its run or its derivatives.
    #[error(transparent)]
    File(#[from] FileGradientError),
    /// A recording.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// Nothing says which recordings, or which numbers.
    #[error("nothing says {what}: {option}, or a section `fit: {{data: [run.csv], by: [PATH=LOW:HIGH]}}` of the file")]
    Nothing {
        /// The thing that is not said.
        what: &'static str,
        /// The option, with an example.
        option: &'static str,
    },
    /// An option names a channel that is not compared.
    #[error("{option} {channel}: no such channel is compared{}; compared: {}", did_you_mean(near), compared.join(", "))]
    NotCompared {
        /// The option.
        option: &'static str,
        /// The channel.
        channel: String,
        /// The nearest name.
        near: Option<String>,
        /// The channels that are compared.
        compared: Vec<String>,
    },
    /// A name is that of several channels.
    #[error("--match {name}: these are several channels, each with a column of its own: {}", channels.join(", "))]
    Several {
        /// The name.
        name: String,
        /// The first channels.
        channels: Vec<String>,
    },
    /// A channel is compared twice.
    #[error("--match {channel}: the channel is compared twice")]
    MatchedTwice {
        /// The channel.
        channel: String,
    },
    /// A number is sought twice.
    #[error("--by {name}: the number is named twice")]
    Twice {
        /// Its name.
        name: String,
    },
    /// The file has no number at a path.
    #[error("--by {}: {}{}", _0.path, _0.reason, given(_0))]
    NoStart(NoNumber),
    /// A name that is none of a state, and like none.
    #[error("there is no state `{name}`; states: {}", states.join(", "))]
    NoState {
        /// The name.
        name: String,
        /// The first states.
        states: Vec<String>,
    },
    /// The value of the file is outside of the bounds.
    #[error(
        "--by {name}: {start:?}, the value of the file, is not between {low:?} and {high:?}: give a start, as in \
         {name}={low:?}:START:{high:?}"
    )]
    StartOutside {
        /// The number.
        name: String,
        /// Its value at the start.
        start: f64,
        /// Lower bound.
        low: f64,
        /// Upper bound.
        high: f64,
    },
    /// Only delays and biases are sought.
    #[error("name a value of the file or of the initial state with --by, besides delays and biases")]
    NothingOfTheRun,
    /// The run at the start has no number at a sample.
    #[error(
        "the run at the start has no number at {time} s, where a recording has one: it ends before, or is not finite"
    )]
    EndsBefore {
        /// The time \[s\].
        time: f64,
    },
    /// There are more numbers than samples.
    #[error("{numbers} numbers cannot be found from {samples} samples")]
    TooFew {
        /// Number of numbers.
        numbers: usize,
        /// Number of samples.
        samples: usize,
    },
    /// A state that is saved is of another fit.
    #[error("{file}: {reason}")]
    Saved {
        /// The file.
        file: String,
        /// The reason.
        reason: String,
    },
    /// A plan needs the noise of each channel.
    #[error("--plan needs the noise of {channel}: --noise DEVIATION, or --noise {channel}=DEVIATION")]
    PlanWithoutNoise {
        /// The channel.
        channel: String,
    },
    /// A plan has no experiment.
    #[error("there is no experiment: name a diagram file, and values of each parameter that is varied")]
    NoExperiment,
    /// An end was asked for before the first run ended.
    #[error("stopped before the first run ended")]
    Stopped,
}

kinegraph_core::debug_is_message!(FitError);

impl FitError {
    /// Nothing says which recordings.
    pub const NO_DATA: FitError = FitError::Nothing { what: "which recordings", option: "--data run.csv" };
}

/// Words on a number that the file does not state.
fn given(none: &NoNumber) -> String {
    let example = |words: &String| format!("{words}give bounds and a start, as in {}=0.1:1:10", none.path);
    none.given.as_ref().map_or_else(String::new, example)
}

/// A place of the search: a number of all recordings, or of one of them.
pub(super) struct Place {
    /// Index of its [`Fitted`].
    pub fitted: usize,
    /// The only recording for which it counts.
    pub recording: Option<usize>,
    /// Its value at the start.
    pub start: f64,
}

/// A fit of the numbers of a diagram file.
pub struct Fit {
    pub(super) template: Arc<Template>,
    pub(super) scenario: Scenario,
    pub(super) numbers: Vec<Fitted>,
    pub(super) places: Vec<Place>,
    pub(super) matches: Vec<Match>,
    /// Units of the channels.
    pub(super) units: Vec<String>,
    pub(super) recordings: Vec<Recording>,
    /// Standard deviation of each channel, where it is given.
    pub(super) noise: Vec<Option<f64>>,
    pub(super) robust: bool,
}

impl Fit {
    /// The fit that is `asked` of the file of `template`, with that of its section `fit` where `asked` says nothing.
    ///
    /// # Errors
    /// Faults of the file and of the recordings; unknown names; a start outside of the bounds; nothing asked.
    pub fn new(template: Template, asked: &FitAsked) -> Result<Self, FitError> {
        let asked = in_full(&template, asked)?;
        if asked.data.is_empty() {
            return Err(FitError::NO_DATA);
        }
        let mut fit = Fit::without_data(template, &asked)?;
        let until = asked.until.unwrap_or(fit.scenario.duration);
        let read = |file: &PathBuf| Recording::read(file, &fit.matches, &fit.units, until);
        fit.recordings = asked.data.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        fit.start()?;
        let samples = fit.recordings.iter().flat_map(|one| &one.columns).flatten().filter(|x| !x.is_nan()).count();
        if samples < fit.places.len() {
            return Err(FitError::TooFew { numbers: fit.places.len(), samples });
        }
        fit.robust = asked.robust.unwrap_or(false);
        fit.with_noise(&asked.noise)
    }

    /// A fit without recordings: a plan of an experiment whose samples are those of the file, of the channels that it
    /// records where there are no matches.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn planned(template: Template, asked: &FitAsked) -> Result<Self, FitError> {
        let mut asked = in_full(&template, asked)?;
        asked.data.clear();
        let scenario = template.scenario(&Variation::default()).map_err(FileGradientError::from)?;
        if asked.matches.is_empty() {
            let own = |name: &str| Match { channel: name.to_owned(), column: name.to_owned() };
            asked.matches = scenario.channels.iter().map(|channel| own(&channel.name)).collect();
        }
        let mut fit = Fit::without_data(template, &asked)?;
        let (every, slack) = (scenario.every, 1.0 + 1e-9);
        let count = (asked.until.unwrap_or(scenario.duration) / every * slack).floor() as usize;
        let times = (0..=count).map(|i| i as f64 * every).collect();
        fit.recordings = vec![Recording::planned(times, fit.matches.len())];
        fit.start()?;
        fit.with_noise(&asked.noise)
    }

    fn without_data(template: Template, asked: &FitAsked) -> Result<Self, FitError> {
        let template = Arc::new(template);
        let scenario = template.scenario(&Variation::default()).map_err(FileGradientError::from)?;
        let numbers = asked.numbers.clone();
        if numbers.is_empty() {
            return Err(FitError::Nothing { what: "what is fitted", option: "--by PATH=LOW:HIGH" });
        }
        let matches = match (asked.data.first(), asked.matches.is_empty()) {
            (Some(first), true) => Recording::all_matches(first, |name| channel_unit(&scenario.diagram, name))?.0,
            _ => asked.matches.clone(),
        };
        for (at, one) in matches.iter().enumerate() {
            if matches[..at].iter().any(|other| other.channel == one.channel) {
                return Err(FitError::MatchedTwice { channel: one.channel.clone() });
            }
        }
        let mut units = Vec::new();
        for one in &matches {
            let found = scenario.diagram.find_channels(&one.channel);
            let found = found.map_err(|error| FileGradientError::from(GradientError::Channel(Box::new(error))))?;
            let [channel] = &*found else {
                let channels = found.iter().take(MAX_SHOWN).map(|channel| channel.name.clone()).collect();
                return Err(FitError::Several { name: one.channel.clone(), channels });
            };
            units.push(channel.unit.to_string());
        }
        if !numbers.iter().any(|one| matches!(one.number, Unknown::File(_))) {
            return Err(FitError::NothingOfTheRun);
        }
        let noise = vec![None; matches.len()];
        let (places, recordings) = (Vec::new(), Vec::new());
        let fit = Fit { template, scenario, numbers, places, matches, units, recordings, noise, robust: false };
        for (at, one) in fit.numbers.iter().enumerate() {
            if let Unknown::Delay(channel) | Unknown::Bias(channel) = &one.number {
                fit.channel("--by", channel)?;
            }
            if fit.numbers[..at].iter().any(|other| other.number == one.number) {
                return Err(FitError::Twice { name: one.number.to_string() });
            }
        }
        Ok(fit)
    }

    /// Index of a channel that is compared.
    pub(super) fn channel(&self, option: &'static str, name: &str) -> Result<usize, FitError> {
        let compared: Vec<String> = self.matches.iter().map(|one| one.channel.clone()).collect();
        compared.iter().position(|one| one == name).ok_or_else(|| {
            let near = nearest(name, &compared);
            FitError::NotCompared { option, channel: name.to_owned(), near, compared }
        })
    }

    /// Makes the places of the search.
    fn start(&mut self) -> Result<(), FitError> {
        let state = self.scenario.diagram.initial_state();
        for (at, fitted) in self.numbers.iter().enumerate() {
            let start = match &fitted.number {
                Unknown::File(Named::Initial(name)) => {
                    let by = By::initial(&self.scenario.diagram, &state, name);
                    let by = by.map_err(|error| no_state(error, &self.scenario.diagram.state_names()))?;
                    fitted.start.unwrap_or(by.value)
                }
                Unknown::File(Named::Path(path, value)) => fitted.start.or(*value).map_or_else(
                    || self.template.number_at(&Variation::default(), path).map_err(FitError::NoStart),
                    Ok,
                )?,
                Unknown::Delay(_) | Unknown::Bias(_) => fitted.start.unwrap_or(0.0),
            };
            let (low, high) = fitted.bounds;
            if start < low || start > high {
                return Err(FitError::StartOutside { name: fitted.number.to_string(), start, low, high });
            }
            match fitted.each {
                true => (0..self.recordings.len())
                    .for_each(|r| self.places.push(Place { fitted: at, recording: Some(r), start })),
                false => self.places.push(Place { fitted: at, recording: None, start }),
            }
        }
        Ok(())
    }

    /// Sets the standard deviations of channels, in place of those of their residuals.
    ///
    /// # Errors
    /// A channel that is not compared.
    fn with_noise(mut self, noise: &[Noise]) -> Result<Self, FitError> {
        for one in noise.iter().filter(|one| one.channel.is_none()) {
            self.noise.fill(Some(one.deviation));
        }
        for one in noise {
            if let Some(channel) = &one.channel {
                let at = self.channel("--noise", channel)?;
                self.noise[at] = Some(one.deviation);
            }
        }
        Ok(self)
    }

    /// Names of the places.
    pub(super) fn names(&self) -> Vec<String> {
        let stem = |at: usize| {
            let of = |one: &Recording| one.path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
            let name = of(&self.recordings[at]).unwrap_or_default();
            let is_alone = self.recordings.iter().filter(|one| of(one).as_ref() == Some(&name)).count() == 1;
            if is_alone { name } else { format!("{name} {}", at + 1) }
        };
        let name = |place: &Place| {
            let name = self.numbers[place.fitted].number.to_string();
            place.recording.map_or_else(|| name.clone(), |at| format!("{name} [{}]", stem(at)))
        };
        self.places.iter().map(name).collect()
    }

    /// Name of the diagram.
    pub fn name(&self) -> &str {
        self.scenario.diagram.name()
    }

    /// Values that `--set` takes, at the places `x`: paths of the file that all recordings share.
    fn paths(&self, values: &[f64]) -> Vec<(String, f64)> {
        let path = |(place, value): (&Place, &f64)| match &self.numbers[place.fitted].number {
            Unknown::File(Named::Path(path, _)) if place.recording.is_none() => Some((path.clone(), *value)),
            _ => None,
        };
        self.places.iter().zip(values).filter_map(path).collect()
    }

    /// The text of a diagram file with the values that were found, and those for which it has no number.
    pub fn written(&self, text: &str, found: &FitReport) -> (String, Vec<(String, f64)>) {
        let values: Vec<f64> = found.parameters.iter().map(|one| one.value).collect();
        with_numbers(text, &self.paths(&values))
    }

    /// Size of the number at each place, where it is `x`: a change of this size counts as large.
    pub(super) fn sizes(&self, x: &[f64]) -> Vec<f64> {
        const OF_WIDTH: f64 = 1e-3;
        let size = |(place, x): (&Place, &f64)| {
            let (low, high) = self.numbers[place.fitted].bounds;
            let width = if (high - low).is_finite() { OF_WIDTH * (high - low) } else { 0.0 };
            let size = x.abs().max(place.start.abs()).max(width);
            if size > 0.0 { size } else { 1.0 }
        };
        self.places.iter().zip(x).map(size).collect()
    }
}

fn no_state(error: GradientError, states: &[String]) -> FitError {
    match error {
        GradientError::NoState { name, near: None } => {
            FitError::NoState { name, states: states.iter().take(MAX_SHOWN).cloned().collect() }
        }
        error => FileGradientError::from(error).into(),
    }
}

/// The fit that is `asked` of the file of `template`, with that of its section `fit` where `asked` says nothing.
///
/// # Errors
/// Faults of the file.
pub fn in_full(template: &Template, asked: &FitAsked) -> Result<FitAsked, FitError> {
    let of_file = template.scenario(&Variation::default()).map_err(FileGradientError::from)?.fit;
    Ok(asked.clone().or(of_file.unwrap_or_default()))
}
