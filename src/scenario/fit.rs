//! The fit that a file asks for.

use kinegraph_diagram::Diagram;
use kinegraph_engine::simulate::gradient::By;
use kinegraph_files::fitted::{Fitted, Match, Noise, Unknown};
use kinegraph_files::names::unknown;
use kinegraph_files::recording::{Recording, RecordingError};
use kinegraph_files::{DiagramFile, FaultKind, FitSpec, GradientBy, Loader, Position, Written, words};
use std::path::PathBuf;

/// A fit: of which numbers, to which recordings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FitAsked {
    /// The recordings.
    pub data: Vec<PathBuf>,
    /// Channels that are compared, with their columns; none: all columns that are channels.
    pub matches: Vec<Match>,
    /// Numbers that are sought.
    pub numbers: Vec<Fitted>,
    /// Noise of channels.
    pub noise: Vec<Noise>,
    /// True if single samples that are far off count little.
    pub robust: Option<bool>,
    /// End of the runs \[s\], if it is another than that of the simulation.
    pub until: Option<f64>,
    /// The model whose inertias are fitted from torques, in place of numbers.
    pub torques: Option<String>,
    /// True if friction of its joints is fitted too.
    pub friction: Option<bool>,
    /// True if inertias of its rotors are fitted too.
    pub rotors: Option<bool>,
    /// Samples over which derivatives are taken that were not recorded.
    pub window: Option<usize>,
}

impl FitAsked {
    /// A key that is for a model's fit from torques alone, if one is there without a model.
    pub fn of_torques(&self) -> Option<&'static str> {
        let given = [("friction", self.friction), ("rotors", self.rotors), ("window", self.window.map(|_| true))];
        let is_alone = self.torques.is_none();
        given.into_iter().find(|(_, given)| is_alone && *given == Some(true)).map(|(key, _)| key)
    }

    /// This fit, with what `other` says where it says nothing. Numbers and a model stand in place of each other.
    #[must_use]
    pub fn or(self, other: FitAsked) -> Self {
        let is_open = self.numbers.is_empty() && self.torques.is_none();
        let (numbers, torques) = if is_open { (other.numbers, other.torques) } else { (self.numbers, self.torques) };
        FitAsked {
            data: if self.data.is_empty() { other.data } else { self.data },
            matches: if self.matches.is_empty() { other.matches } else { self.matches },
            numbers,
            noise: if self.noise.is_empty() { other.noise } else { self.noise },
            robust: self.robust.or(other.robust),
            until: self.until.or(other.until),
            torques,
            friction: self.friction.or(other.friction),
            rotors: self.rotors.or(other.rotors),
            window: self.window.or(other.window),
        }
    }
}

/// The fit that `file` asks for; names that `diagram` does not have are recorded, and the faults of recordings if these
/// are checked.
pub(super) fn asked(file: &DiagramFile, diagram: &Diagram, loader: &Loader) -> Option<FitAsked> {
    let spec = file.fit.as_ref()?;
    let units = units(spec, diagram, loader);
    check_names(spec, diagram, loader);
    if units.is_some() {
        check_compared(spec, diagram, loader);
    }
    if file.checks_recordings {
        spec.check_recordings(loader);
        let until = spec.until.unwrap_or(file.simulation.duration);
        units.into_iter().for_each(|units| check_columns(spec, &units, until, diagram, loader));
    }
    Some(FitAsked {
        data: spec.data.iter().map(|one| one.value.clone()).collect(),
        matches: spec.matches.iter().map(|one| one.value.clone()).collect(),
        numbers: spec.numbers.iter().map(|one| one.value.clone()).collect(),
        noise: spec.noise.iter().map(|one| one.value.clone()).collect(),
        robust: spec.robust,
        until: spec.until,
        torques: spec.torques.as_ref().map(|one| one.value.clone()),
        friction: spec.friction,
        rotors: spec.rotors,
        window: spec.window,
    })
}

/// Units of the channels that are compared; `None` after a fault of one was recorded.
fn units(spec: &FitSpec, diagram: &Diagram, loader: &Loader) -> Option<Vec<String>> {
    let unit = |(one, channel): (&Written<Match>, &str)| match diagram.find_channels(channel) {
        Ok(found) => match &*found {
            [channel] => Some(channel.unit.to_string()),
            all => {
                let names: Vec<String> = all.iter().take(MAX_SHOWN).map(|one| format!("`{}`", one.name)).collect();
                let names = words::listed(&names);
                one.fault(format!("`{channel}` is several channels, each with a column of its own: {names}"), loader);
                None
            }
        },
        Err(error) => {
            one.fault(error, loader);
            None
        }
    };
    let all: Vec<Option<String>> = spec.channels().into_iter().map(unit).collect();
    all.into_iter().collect()
}

/// Names that a message shows.
const MAX_SHOWN: usize = 12;

/// Records names of states and models that the diagram does not have.
fn check_names(spec: &FitSpec, diagram: &Diagram, loader: &Loader) {
    let state = diagram.initial_state();
    for one in &spec.numbers {
        if let Unknown::File(GradientBy::Initial(name)) = &one.value.number
            && let Err(error) = By::initial(diagram, &state, name)
        {
            one.fault(error, loader);
        }
    }
    if let Some(torques) = &spec.torques {
        let models = models(diagram);
        let is_it = |model: &String| *model == torques.value || model.split('.').nth(1) == Some(&torques.value);
        if !models.iter().any(is_it) {
            let names = models.iter().map(String::as_str);
            loader.report(torques.at, unknown(&torques.value, "model", torques.path.clone(), names, loader));
        }
    }
}

/// Records channels of delays, biases and noise that are not compared.
fn check_compared(spec: &FitSpec, diagram: &Diagram, loader: &Loader) {
    let check = |at: Position, path: &str, channel: &str| {
        let known = || spec.matches.iter().map(|one| &*one.value.channel);
        if !spec.matches.is_empty() && known().all(|known| known != channel) {
            loader.report(at, unknown(channel, "channel of `match`", path.to_owned(), known(), loader));
        } else if let Err(error) = diagram.find_channels(channel) {
            loader.report(at, FaultKind::Conflict { path: path.to_owned(), message: error.to_string() });
        }
    };
    for one in &spec.numbers {
        if let Unknown::Delay(channel) | Unknown::Bias(channel) = &one.value.number {
            check(one.at, &one.path, channel);
        }
    }
    for one in &spec.noise {
        one.value.channel.iter().for_each(|channel| check(one.at, &one.path, channel));
    }
}

/// Models with joints, `plant.arm`.
fn models(diagram: &Diagram) -> Vec<String> {
    let mut models = Vec::new();
    for (block, plant) in diagram.plants() {
        let own = |name: &String| format!("{}.{}", block.name, name.split('.').next().unwrap_or_default());
        models.extend(plant.structure().velocity_names.iter().map(own));
    }
    models.dedup();
    models
}

/// Records the faults of recordings.
fn check_columns(spec: &FitSpec, units: &[String], duration: f64, diagram: &Diagram, loader: &Loader) {
    let matches: Vec<Match> = spec.channels().into_iter().map(|(one, _)| one.value.clone()).collect();
    for one in spec.data.iter().filter(|one| one.value.is_file()) {
        if spec.torques.is_some() {
            if let Err(error) = kinegraph_files::recording::table(&one.value) {
                one.fault(error, loader);
            }
            continue;
        }
        let found = match matches.is_empty() {
            true => Recording::all_matches(&one.value, |name| channel_unit(diagram, name)),
            false => Ok((matches.clone(), units.to_vec())),
        };
        let read = found.and_then(|(matches, units)| Recording::read(&one.value, &matches, &units, duration));
        let Err(error) = read else { continue };
        let of_match = match &error {
            RecordingError::NoColumn { name, .. } => spec.matches.iter().find(|one| one.value.column == *name),
            _ => None,
        };
        match of_match {
            Some(of_match) => of_match.fault(error, loader),
            None => one.fault(error, loader),
        }
    }
}

/// Unit of the channel of this name, if it is one.
pub fn channel_unit(diagram: &Diagram, name: &str) -> Option<String> {
    let found = diagram.find_channels(name).ok()?;
    found.first().filter(|_| found.len() == 1).map(|channel| channel.unit.to_string())
}
