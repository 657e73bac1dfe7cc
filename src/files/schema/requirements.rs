//! `requirements: {NAME: {channel, within, …}}`.

use super::limits::LimitOf;
use crate::decode::{Flag, Text};
use crate::fault::FaultKind;
use crate::item::{Decode, Item};
use crate::level::{Level, Time, WithUnit};
use crate::lists::{ListOf, MapOf};
use crate::node::{Position, Value, show_number};
use crate::parameter::{Key, Optional, optional};
use crate::reader::Reader;
use crate::section::Section;
use kinegraph_engine::measures::Measure;

pub use super::limits::{ChannelName, Limit, LimitRows};

/// A requirement of a run.
#[derive(Clone, Debug)]
pub struct RequirementSpec {
    /// Its name.
    pub name: String,
    /// Place of its name.
    pub at: Position,
    /// Why it is asked; empty if the file does not say.
    pub about: String,
    /// Demand.
    pub asks: Asks,
    /// Time from which it is asked \[s\].
    pub from: f64,
    /// Time until which it is asked \[s\]; `None`: the end.
    pub until: Option<f64>,
}

impl RequirementSpec {
    /// Channels that it names, but those of a condition or a measure.
    pub fn channels(&self) -> impl Iterator<Item = &ChannelName> {
        let (channel, limits) = match &self.asks {
            Asks::Between { channel, above, below } => (Some(channel), above.iter().chain(below).collect()),
            Asks::Reaches { channel, .. } | Asks::Overshoot { channel, .. } => (Some(channel), Vec::new()),
            Asks::Measured { .. } | Asks::Holds { .. } => (None, Vec::new()),
        };
        let named = limits.into_iter().filter_map(|limit: &Limit| match limit {
            Limit::Channel(name) => Some(name),
            _ => None,
        });
        channel.into_iter().chain(named)
    }
}

/// Demand of a requirement.
#[derive(Clone, Debug)]
pub enum Asks {
    /// A channel stays above each of these limits and below each of those.
    Between {
        /// The channel.
        channel: ChannelName,
        /// Lower limits.
        above: Vec<Limit>,
        /// Upper limits.
        below: Vec<Limit>,
    },
    /// A channel reaches a level.
    Reaches {
        /// The channel.
        channel: ChannelName,
        /// The level.
        level: Level,
    },
    /// A channel goes beyond its target by no more than a part of the way to it.
    Overshoot {
        /// The channel.
        channel: ChannelName,
        /// The target.
        to: Level,
        /// The largest part.
        most: f64,
    },
    /// A measure of the whole run is between two numbers.
    Measured {
        /// The measure.
        measure: Measure,
        /// Place and path of its text.
        place: (Position, String),
        /// The smallest number.
        low: Option<Level>,
        /// The largest number.
        high: Option<Level>,
    },
    /// A condition holds.
    Holds {
        /// The condition.
        condition: String,
        /// Place and path of its text.
        place: (Position, String),
        /// Time at which it holds.
        when: When,
    },
}

/// Time at which a condition holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// At all times.
    Always,
    /// At no time.
    Never,
    /// At some time.
    Eventually,
}

/// Value of `requirements`.
pub(super) const REQUIREMENTS: MapOf<Section<Asked>> = MapOf {
    each: Section { about: "what is asked, such as `{channel: plant.cart.x.q, max: 1.1}`", read },
    about: "requirements by name",
};

/// A requirement without its name.
#[derive(Debug)]
pub(super) struct Asked {
    about: String,
    asks: Asks,
    from: f64,
    until: Option<f64>,
}

impl Asked {
    /// The requirement `name`, which stands at `at`.
    pub fn named(self, name: String, at: Position) -> RequirementSpec {
        let Asked { about, asks, from, until } = self;
        RequirementSpec { name, at, about, asks, from, until }
    }
}

const NAME_OF_CHANNEL: Text = Text { about: "the name of a channel, such as `plant.cart.x.q`" };
const ABOUT: Optional<Text> =
    optional("about", Text { about: "a text" }, "none", "why it is asked, for people who read the file");
const CHANNEL: Optional<Text> = optional("channel", NAME_OF_CHANNEL, "none", "channel of which something is asked");
const MEASURE: Optional<MeasureOf> =
    optional("measure", MeasureOf, "none", "measure of the run of which something is asked, with `max` or `min`");
const IF: Optional<Text> = optional(
    "if",
    Text { about: "a condition, such as \"plant.box.z < 0\"" },
    "none",
    "condition over channels and the time `t`, with `never`, `always` or `eventually`",
);
const WITHIN: Optional<Range> = optional("within", Range, "none", "the smallest and the largest value");
const MAX: Optional<WithUnit> = optional("max", WithUnit, "none", "the largest value");
const MIN: Optional<WithUnit> = optional("min", WithUnit, "none", "the smallest value");
const ABOVE: Optional<LimitOf> =
    optional("above", LimitOf, "none", "lower limit: a channel, or a recording `{file: low.csv}`");
const BELOW: Optional<LimitOf> =
    optional("below", LimitOf, "none", "upper limit: a channel, or a recording `{file: high.csv}`");
const REACHES: Optional<WithUnit> =
    optional("reaches", WithUnit, "none", "value that the channel reaches `before` a time");
const SETTLES: Optional<Section<Band>> = optional(
    "settles",
    Section { about: "a target and a band, such as `{to: 1, band: 0.02}`", read: read_band },
    "none",
    "value near which the channel stays from the time `before` on",
);
const OVERSHOOT: Optional<WithUnit> = optional(
    "overshoot",
    WithUnit,
    "none",
    "by how much the channel goes beyond its target `to`, as a part of the way there: 0.1 or `10 %`",
);
const TO: Optional<WithUnit> = optional("to", WithUnit, "none", "target of `overshoot`");
const BEFORE: Optional<Time> = optional(
    "before",
    Time,
    "the end",
    "time before which a channel reaches a value, settles, or a condition holds [s]",
);
const FROM: Optional<Time> = optional("from", Time, "the start", "time from which it is asked [s]");
const UNTIL: Optional<Time> = optional("until", Time, "the end", "time until which it is asked [s]");
const NEVER: Optional<Yes> = optional("never", Yes, "none", "the condition holds at no time");
const ALWAYS: Optional<Yes> = optional("always", Yes, "none", "the condition holds at all times");
const EVENTUALLY: Optional<Yes> = optional("eventually", Yes, "none", "the condition holds at some time");

fn read(r: &mut Reader<'_>) -> Option<Asked> {
    let faults = r.loader().count();
    let about = r.get(&ABOUT).unwrap_or_default();
    let (channel, measure, condition) = (r.get(&CHANNEL), r.get(&MEASURE), r.get(&IF));
    let (within, max, min) = (r.get(&WITHIN), r.get(&MAX), r.get(&MIN));
    let (above, below) = (r.get(&ABOVE), r.get(&BELOW));
    let (reaches, settles, overshoot, to) = (r.get(&REACHES), r.get(&SETTLES), r.get(&OVERSHOOT), r.get(&TO));
    let (before, from, until) = (r.get(&BEFORE), r.get(&FROM), r.get(&UNTIL));
    let when = [(&NEVER, When::Never), (&ALWAYS, When::Always), (&EVENTUALLY, When::Eventually)];
    let when: Vec<When> = when.into_iter().filter_map(|(key, when)| r.get(key).map(|()| when)).collect();

    check_subject(r);
    check_kind(r);
    check_window(r, [before, from, until]);
    for (low, high, key) in
        [(&min, &max, "max"), (&within.as_ref().map(|w| w.0.clone()), &within.as_ref().map(|w| w.1.clone()), "within")]
    {
        if let (Some(low), Some(high)) = (low, high)
            && low.value > high.value
        {
            let (low, high) = (show_number(low.value), show_number(high.value));
            r.conflict(key, format!("{low} is above {high}: no value is between them"));
        }
    }
    if let Some(most) = &overshoot {
        let is_part = most.unit.as_ref().is_none_or(|unit| unit == "1");
        if most.value < 0.0 || !is_part {
            r.wrong(
                OVERSHOOT,
                "a part of the way to the target that is not negative, such as 0.1 or `10 %`",
                found(most),
            );
        }
    }
    let path = |key: &str| (r.at_key(key), r.path_of(key));
    let name = |name: String| ChannelName { name, at: r.at_key(CHANNEL), path: r.path_of(CHANNEL) };
    let is_clean = r.loader().count() == faults;
    let (mut from, mut until) = (from.unwrap_or(0.0), until);
    let asks = match (channel, measure, condition) {
        (Some(channel), ..) => match (reaches, settles, overshoot) {
            (Some(level), ..) => {
                until = before;
                Asks::Reaches { channel: name(channel), level }
            }
            (_, Some(Band { to, band }), _) => {
                from = before.unwrap_or(from);
                let limit = |value: f64| Limit::Level(Level { value, ..to.clone() });
                let (above, below) = (vec![limit(to.value - band)], vec![limit(to.value + band)]);
                Asks::Between { channel: name(channel), above, below }
            }
            (_, _, Some(most)) => Asks::Overshoot { channel: name(channel), to: to?, most: most.value },
            _ => {
                let (low, high) = within.unzip();
                let above = [low, min].into_iter().flatten().map(Limit::Level).chain(above).collect();
                let below = [high, max].into_iter().flatten().map(Limit::Level).chain(below).collect();
                Asks::Between { channel: name(channel), above, below }
            }
        },
        (_, Some(measure), _) => Asks::Measured { measure, place: path("measure"), low: min, high: max },
        (_, _, Some(condition)) => {
            let when = *when.first()?;
            until = before.or(until);
            Asks::Holds { condition, place: path("if"), when }
        }
        _ => return None,
    };
    is_clean.then_some(Asked { about, asks, from, until })
}

/// A number as a message shows it.
fn found(level: &Level) -> String {
    let unit = level.unit.as_ref().map_or_else(String::new, |unit| format!(" {unit}"));
    format!("{}{unit}", show_number(level.value))
}

/// Checks that one thing is asked about.
fn check_subject(r: &Reader<'_>) {
    let subjects: [&dyn Key; 3] = [&CHANNEL, &MEASURE, &IF];
    let given: Vec<&dyn Key> = subjects.into_iter().filter(|key| r.has(*key)).collect();
    match given[..] {
        [] => {
            let (path, expected) = (path_of_all(r), "a channel; or `measure`, or a condition `if`".into());
            r.report(r.at(), FaultKind::MissingKey { path, key: "channel".into(), expected });
        }
        [_] => {}
        [first, second, ..] => r.conflict(
            second,
            format!("a requirement is about one thing, and `{}` is there already: write two requirements", first.key()),
        ),
    }
}

/// Keys of which one is needed with each subject, and the others that go with it.
const KINDS: [(&str, &[&str], &[&str]); 3] = [
    (
        "channel",
        &["within", "max", "min", "above", "below", "reaches", "settles", "overshoot"],
        &["to", "before", "from", "until"],
    ),
    ("measure", &["max", "min"], &[]),
    ("if", &["never", "always", "eventually"], &["before", "from", "until"]),
];
/// Keys with which a channel can be asked for one thing only.
const ALONE: [&str; 3] = ["reaches", "settles", "overshoot"];

/// Checks that the keys fit what is asked about.
fn check_kind(r: &Reader<'_>) {
    if KINDS.iter().filter(|(subject, ..)| r.has(*subject)).count() != 1 {
        return;
    }
    let Some((subject, kinds, others)) = KINDS.into_iter().find(|(subject, ..)| r.has(*subject)) else { return };
    let all = KINDS.iter().flat_map(|(_, kinds, others)| kinds.iter().chain(*others));
    let mut strange: Vec<&str> =
        all.copied().filter(|key| r.has(*key) && !kinds.contains(key) && !others.contains(key)).collect();
    strange.dedup();
    for key in &strange {
        let of: Vec<String> = KINDS
            .iter()
            .filter(|(_, kinds, others)| kinds.contains(key) || others.contains(key))
            .map(|(subject, ..)| format!("`{subject}`"))
            .collect();
        r.conflict(*key, format!("goes with {}, not with `{subject}`", of.join(" or ")));
    }
    let given: Vec<&str> = kinds.iter().copied().filter(|key| r.has(*key)).collect();
    let alone: Vec<&str> = given.iter().copied().filter(|key| ALONE.contains(key)).collect();
    // A key that is misspelt is one fault, not two.
    if given.is_empty() && strange.is_empty() && !r.has_strangers() {
        let kinds: Vec<String> = kinds.iter().map(|kind| format!("`{kind}`")).collect();
        r.conflict(subject, format!("nothing is asked of it: add {}", crate::words::listed(&kinds)));
    }
    if given.len() > 1 && (subject == "if" || !alone.is_empty()) {
        let (first, second) = (given[0], given[1]);
        r.conflict(second, format!("`{first}` is asked already: write two requirements"));
    }
    let missing = |key: &str, expected: &str| {
        let (path, key, expected) = (path_of_all(r), key.to_owned(), expected.to_owned());
        r.report(r.at(), FaultKind::MissingKey { path, key, expected });
    };
    if r.has(SETTLES) && !r.has(BEFORE) {
        missing("before", "the time from which the channel is settled, such as `1.5 s`");
    }
    if r.has(OVERSHOOT) && !r.has(TO) {
        missing("to", "the target, of which the overshoot is measured");
    }
    if r.has(TO) && !r.has(OVERSHOOT) && subject == "channel" {
        r.conflict(TO, "goes with `overshoot`; `settles: {to: 1, band: 0.02}` has its own");
    }
    let deadline = ["reaches", "settles", "eventually"].iter().any(|key| r.has(*key));
    if r.has(BEFORE) && !deadline && !strange.contains(&"before") && !given.is_empty() {
        r.conflict(BEFORE, "goes with `reaches`, `settles` or `eventually`; others are asked `until` a time");
    }
    for key in ["from", "until"] {
        if r.has(key) && (r.has(SETTLES) || key == "until" && r.has(BEFORE) && deadline) {
            r.conflict(key, "`before` says the time already");
        }
    }
}

/// Checks that the times leave some time.
fn check_window(r: &Reader<'_>, [before, from, until]: [Option<f64>; 3]) {
    for (key, end) in [("until", until), ("before", before)] {
        if let (Some(from), Some(end)) = (from, end)
            && end <= from
        {
            let (from, end) = (show_number(from), show_number(end));
            r.conflict(key, format!("{end} s is not after `from`, {from} s: no time is left"));
        }
    }
}

/// Path of the requirement.
fn path_of_all(r: &Reader<'_>) -> String {
    r.path_of("").trim_end_matches('.').to_owned()
}

/// Target and band.
#[derive(Debug)]
struct Band {
    to: Level,
    band: f64,
}

const TARGET: crate::parameter::Needs<WithUnit> = crate::parameter::needs("to", WithUnit, "the target");
const BAND: crate::parameter::Needs<WithUnit> =
    crate::parameter::needs("band", WithUnit, "largest distance from the target");

fn read_band(r: &mut Reader<'_>) -> Option<Band> {
    let (to, band) = (r.get(&TARGET), r.get(&BAND));
    let (to, band) = (to?, band?);
    if band.value <= 0.0 {
        r.wrong(BAND, "a distance above 0", show_number(band.value));
        return None;
    }
    if let (Some(target), Some(width)) = (&to.unit, &band.unit)
        && target != width
    {
        r.conflict(BAND, format!("it is in {width}, and the target in {target}"));
        return None;
    }
    let unit = to.unit.clone().or(band.unit);
    Some(Band { to: Level { unit, ..to }, band: band.value })
}

/// Decoder of `[low, high]`.
struct Range;

impl Decode for Range {
    type Output = (Level, Level);
    fn expects(&self) -> String {
        "the smallest and the largest value, such as `[0.98, 1.02]`".into()
    }
    fn decode(&self, item: Item<'_>) -> Option<(Level, Level)> {
        match &item.node.value {
            Value::List(nodes) if nodes.len() == 2 => {
                let [low, high] = ListOf { each: WithUnit, about: "" }.decode(item)?.try_into().ok()?;
                Some((low, high))
            }
            _ => {
                item.wrong(self.expects());
                None
            }
        }
    }
}

/// Decoder of a measure.
struct MeasureOf;

impl Decode for MeasureOf {
    type Output = Measure;
    fn expects(&self) -> String {
        "a measure, such as `rms(controller.effort)`".into()
    }
    fn decode(&self, item: Item<'_>) -> Option<Measure> {
        let text = Text { about: "a measure, such as `rms(controller.effort)`" }.decode(item)?;
        match text.parse() {
            Ok(measure) => Some(measure),
            Err(error) => {
                let message = error.to_string();
                item.report(FaultKind::Conflict { path: item.path.to_string(), message });
                None
            }
        }
    }
}

/// Decoder of `true`: the contrary is another requirement.
struct Yes;

impl Decode for Yes {
    type Output = ();
    fn expects(&self) -> String {
        "true".into()
    }
    fn decode(&self, item: Item<'_>) -> Option<()> {
        match item.node.value {
            Value::Bool(true) => Some(()),
            Value::Bool(false) => {
                item.wrong("true (without the key, it is not asked)");
                None
            }
            _ => Flag.decode(item).map(drop),
        }
    }
}
