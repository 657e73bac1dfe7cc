//! `fit: {data, match, by, each, noise, robust, until, torques, friction, rotors, window}`.

use super::written::{TextOf, Written, twice};
use crate::decode::{Count, Flag, POSITIVE, Text};
use crate::fault::FaultKind;
use crate::fitted::{Fitted, Match, Noise, Unknown};
use crate::gradient_by::GradientBy;
use crate::item::{Decode, Item};
use crate::level::Time;
use crate::lists::ListOf;
use crate::loader::Loader;
use crate::names::Names;
use crate::node::{Node, Value};
use crate::parameter::{Optional, optional};
use crate::reader::Reader;
use crate::section::Section;
use std::path::PathBuf;

/// A fit: of which numbers, to which recordings.
#[derive(Clone, Debug)]
pub struct FitSpec {
    /// The recordings. They need not exist until there is a fit.
    pub data: Vec<Written<PathBuf>>,
    /// Channels that are compared, with their columns.
    pub matches: Vec<Written<Match>>,
    /// Numbers that are sought.
    pub numbers: Vec<Written<Fitted>>,
    /// Noise of channels.
    pub noise: Vec<Written<Noise>>,
    /// True if single samples that are far off count little.
    pub robust: Option<bool>,
    /// End of the runs \[s\], if it is another than that of the simulation.
    pub until: Option<f64>,
    /// The model whose inertias are fitted from torques, in place of numbers.
    pub torques: Option<Written<String>>,
    /// True if friction of its joints is fitted too.
    pub friction: Option<bool>,
    /// True if inertias of its rotors are fitted too.
    pub rotors: Option<bool>,
    /// Samples over which derivatives are taken that were not recorded.
    pub window: Option<usize>,
}

/// `fit: {…}`.
pub(super) const SECTION: Section<FitSpec> = Section {
    about: "what is fitted to which recordings, such as `{data: [run.csv], by: [systems.controller.kp=1:100]}`",
    read,
};

const DATA: Optional<ListOf<RecordingName>> = optional(
    "data",
    ListOf { each: RecordingName, about: "a list of recordings, such as `[run.csv]`" },
    "none",
    "recordings (.csv, .jsonl, .mcap) with a column of times, relative to the diagram file; several are fitted together",
);
const MATCH: Optional<ListOf<TextOf<Match>>> = optional(
    "match",
    ListOf {
        each: TextOf::new("a channel, or CHANNEL=COLUMN, such as `plant.arm.joint1.q=angle`"),
        about: "a list of channels with their columns, such as `[plant.arm.joint1.q=angle]`",
    },
    "all columns that are channels",
    "channels that are compared, each with its column where that has another name",
);
const BY: Optional<ListOf<TextOf<Fitted>>> = optional(
    "by",
    ListOf {
        each: TextOf::new("a path with bounds, such as `systems.controller.kp=1:100`"),
        about: "a list of paths, such as `[systems.controller.kp=1:100, delay(plant.arm.joint1.q)=0:0.1]`",
    },
    "none",
    "numbers that are sought: values of the file as of `--set`, `initial(STATE)`, `delay(CHANNEL)` or `bias(CHANNEL)`, \
     with bounds (`PATH=LOW:HIGH`), a start (`PATH=LOW:START:HIGH`) and `:log` behind them for a logarithmic scale",
);
const EACH: Optional<ListOf<TextOf<Fitted>>> = optional(
    "each",
    ListOf {
        each: TextOf::new("a path with bounds, such as `initial(plant.box.x)=-1:1`"),
        about: "a list of paths, such as `[initial(plant.box.x)]`",
    },
    "none",
    "numbers of which each recording has its own, as of `by`",
);
const NOISE: Optional<Noises> = optional(
    "noise",
    Noises,
    "that of the residuals of each channel",
    "standard deviation of the noise in all channels, or of some (`[CHANNEL=DEVIATION]`), in their units",
);
const ROBUST: Optional<Flag> =
    optional("robust", Flag, "false", "whether single samples that are far off count little");
const UNTIL: Optional<Time> =
    optional("until", Time, "the end of the simulation", "end of the runs [s]; later samples are left out");
const TORQUES: Optional<TextOf<String>> = optional(
    "torques",
    TextOf::new("the name of a model, such as `plant.arm`"),
    "none",
    "model whose inertias are fitted from torques of its joints, in place of `by`",
);
const FRICTION: Optional<Flag> =
    optional("friction", Flag, "false", "with `torques`: whether friction of the joints is fitted too");
const ROTORS: Optional<Flag> =
    optional("rotors", Flag, "false", "with `torques`: whether inertias of rotors are fitted too");
const WINDOW: Optional<Count> = optional(
    "window",
    Count { limit: 999 },
    "those with the smallest differences",
    "with `torques`: samples over which derivatives are taken that were not recorded",
);

fn read(r: &mut Reader<'_>) -> Option<FitSpec> {
    let (data, matches, by, each) = (r.get(&DATA), r.get(&MATCH), r.get(&BY), r.get(&EACH));
    let (noise, robust, until, torques) = (r.get(&NOISE), r.get(&ROBUST), r.get(&UNTIL), r.get(&TORQUES));
    let (friction, rotors, window) = (r.get(&FRICTION), r.get(&ROTORS), r.get(&WINDOW));
    let of_each = |one: Written<Fitted>| Written { value: one.value.of_each(), ..one };
    let each = each.unwrap_or_default().into_iter().map(of_each);
    let numbers: Vec<Written<Fitted>> = by.unwrap_or_default().into_iter().chain(each).collect();
    twice(data.as_deref().unwrap_or_default(), r);
    one_each(&numbers, |one| one.number.to_string(), r);
    one_each(matches.as_deref().unwrap_or_default(), |one| one.channel.clone(), r);
    one_each(noise.as_deref().unwrap_or_default(), |one| one.channel.clone().unwrap_or_default(), r);
    if !r.has(BY) && !r.has(EACH) && !r.has(TORQUES) && !r.has_strangers() {
        let (key, expected) = ("by".to_owned(), "numbers that are sought; or `torques`, a model".to_owned());
        r.report(r.at(), FaultKind::MissingKey { path: "fit".into(), key, expected });
    }
    if r.has(TORQUES) {
        for key in ["by", "each", "noise", "robust", "until"].into_iter().filter(|key| r.has(*key)) {
            r.conflict(key, "it does not go with `torques`, whose fit makes no runs");
        }
    } else {
        for key in ["friction", "rotors", "window"].into_iter().filter(|key| r.has(*key)) {
            r.conflict(key, "it is for the fit of an arm: `torques: MODEL`");
        }
    }
    if window.is_some_and(|window| window < 5 || window % 2 == 0) {
        r.wrong(WINDOW, "an odd number of samples from 5", "another");
    }
    if until == Some(0.0) {
        r.wrong(UNTIL, "a time above 0", "0");
    }
    let (data, matches, noise) = (data.unwrap_or_default(), matches.unwrap_or_default(), noise.unwrap_or_default());
    Some(FitSpec { data, matches, numbers, noise, robust, until, torques, friction, rotors, window })
}

/// Records a fault for each thing whose name is there twice.
fn one_each<T>(all: &[Written<T>], name: impl Fn(&T) -> String, r: &Reader<'_>) {
    for (i, one) in all.iter().enumerate() {
        if let Some(first) = all[..i].iter().find(|first| name(&first.value) == name(&one.value)) {
            one.fault(format!("`{}` is there already (line {})", one.text.trim(), first.at.line), r.loader());
        }
    }
}

impl FitSpec {
    /// Channels that it names, each with what names it.
    pub fn channels(&self) -> Vec<(&Written<Match>, &str)> {
        let is_of_runs = self.torques.is_none();
        self.matches.iter().filter(|_| is_of_runs).map(|one| (one, &*one.value.channel)).collect()
    }

    /// Checks that blocks exist, and that paths lead to numbers between their bounds.
    pub(super) fn check(&self, root: &Node, blocks: &Names<'_>, loader: &Loader) {
        for (one, channel) in self.channels() {
            one.check_block(channel, blocks, loader);
        }
        for one in &self.numbers {
            match &one.value.number {
                Unknown::Delay(channel) | Unknown::Bias(channel) => one.check_block(channel, blocks, loader),
                Unknown::File(by) => {
                    let by = match by {
                        GradientBy::Path(path, None) => GradientBy::Path(path.clone(), one.value.start),
                        by => by.clone(),
                    };
                    let start = one.check_number(&by, root, blocks, loader);
                    check_start(one, start, loader);
                }
            }
        }
        for one in &self.noise {
            if let Some(channel) = &one.value.channel {
                one.check_block(channel, blocks, loader);
            }
        }
        if let Some(first) = self.numbers.first()
            && !self.numbers.iter().any(|one| matches!(one.value.number, Unknown::File(_)))
        {
            first.fault("name a value of the file or of the initial state, besides delays and biases", loader);
        }
    }

    /// Records a fault for each recording that is not there.
    pub fn check_recordings(&self, loader: &Loader) {
        for one in &self.data {
            if !one.value.is_file() {
                let file = one.value.display().to_string();
                loader.report(one.at, FaultKind::NoFile { path: one.path.clone(), file });
            }
        }
    }
}

/// Checks that the value of the file is between the bounds.
fn check_start(one: &Written<Fitted>, start: Option<f64>, loader: &Loader) {
    let (low, high) = one.value.bounds;
    let Some(start) = start.filter(|start| *start < low || *start > high) else { return };
    let name = &one.value.number;
    let message = format!(
        "{start:?}, the value of the file, is not between {low:?} and {high:?}: give a start, as in \
         {name}={low:?}:START:{high:?}"
    );
    one.fault(message, loader);
}

/// Decoder of the name of a recording in the diagram file's folder, or below it. It need not exist yet.
struct RecordingName;

impl Decode for RecordingName {
    type Output = Written<PathBuf>;
    fn expects(&self) -> String {
        "the name of a recording (.csv, .jsonl, .mcap)".into()
    }
    fn decode(&self, item: Item<'_>) -> Option<Written<PathBuf>> {
        let text = Text { about: "the name of a recording (.csv, .jsonl, .mcap)" }.decode(item)?;
        let (at, path) = (item.node.at, item.path.to_string());
        let value = match item.loader.resolve(&text, at, &path) {
            Ok(value) => value,
            Err(FaultKind::NoFile { file, .. }) => PathBuf::from(file),
            Err(kind) => {
                item.report(kind);
                return None;
            }
        };
        Some(Written { value, text, at, path })
    }
}

/// Decoder of a standard deviation, or of a list of them.
struct Noises;

impl Noises {
    fn one(item: Item<'_>) -> Option<Written<Noise>> {
        match &item.node.value {
            Value::Number(_) => {
                let deviation = POSITIVE.decode(item)?;
                let text = deviation.to_string();
                let value = Noise { channel: None, deviation };
                Some(Written { value, text, at: item.node.at, path: item.path.to_string() })
            }
            _ => TextOf::new("a standard deviation, such as `0.01` or `plant.arm.joint1.q=0.01`").decode(item),
        }
    }
}

impl Decode for Noises {
    type Output = Vec<Written<Noise>>;
    fn expects(&self) -> String {
        "a standard deviation, such as `0.01`, or a list such as `[plant.arm.joint1.q=0.01]`".into()
    }
    fn decode(&self, item: Item<'_>) -> Option<Vec<Written<Noise>>> {
        match &item.node.value {
            Value::List(_) => ListOf { each: OneNoise, about: "a list of standard deviations" }.decode(item),
            _ => Some(vec![Noises::one(item)?]),
        }
    }
}

/// Decoder of an item of a list of standard deviations.
struct OneNoise;

impl Decode for OneNoise {
    type Output = Written<Noise>;
    fn expects(&self) -> String {
        "a standard deviation, such as `0.01` or `plant.arm.joint1.q=0.01`".into()
    }
    fn decode(&self, item: Item<'_>) -> Option<Written<Noise>> {
        Noises::one(item)
    }
}
