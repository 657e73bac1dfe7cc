//! Requirements for those who show them: in words, and as limits that can be drawn over the channel.

use super::side::{Bound, Side};
use super::{Ask, Requirement};
use kinegraph_core::sizes::show_rounded;
use kinegraph_diagram::Channel;
use kinegraph_files::{Asks, RequirementSpec, When};
use serde::{Deserialize, Serialize};

/// A recorded limit with more rows than this is thinned.
const MAX_ROWS: usize = 4000;

/// A requirement, as it is shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RequirementFacts {
    /// Its name.
    pub name: String,
    /// Demand in words.
    pub asks: String,
    /// Why it is asked; empty if the file does not say.
    pub about: String,
    /// Its channel; empty for a condition.
    pub channel: String,
    /// Unit of the channel; may be empty.
    pub unit: String,
    /// Time from which it is asked \[s\].
    pub from: f64,
    /// Time until which it is asked \[s\]; `None`: the end.
    pub until: Option<f64>,
    /// Limits that the channel stays above.
    pub above: Vec<LimitFacts>,
    /// Limits that the channel stays below.
    pub below: Vec<LimitFacts>,
    /// Level that the channel reaches once.
    pub reaches: Option<f64>,
    /// Target and largest part of the way there by which the channel goes beyond it.
    pub overshoot: Option<[f64; 2]>,
}

/// A limit of a channel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "limit", rename_all = "snake_case")]
pub enum LimitFacts {
    /// A number.
    Number {
        /// The number, in the unit of the channel.
        value: f64,
    },
    /// Another channel.
    Channel {
        /// Its name.
        name: String,
    },
    /// A recording: its rows, joined by straight lines; the first and the last hold outside.
    Rows {
        /// Times \[s\].
        times: Vec<f64>,
        /// Values, in the unit of the channel.
        values: Vec<f64>,
    },
}

impl RequirementFacts {
    /// Facts of a requirement that was found over `channels`.
    pub(super) fn of(spec: &RequirementSpec, found: &Requirement, channels: &[Channel]) -> Self {
        let mut facts = RequirementFacts {
            name: spec.name.clone(),
            asks: in_words(spec, found, channels),
            about: spec.about.clone(),
            channel: String::new(),
            unit: String::new(),
            from: spec.from,
            until: spec.until,
            above: Vec::new(),
            below: Vec::new(),
            reaches: None,
            overshoot: None,
        };
        let mut of_channel = |at: usize| {
            facts.channel.clone_from(&channels[at].name);
            facts.unit = channels[at].unit.to_string();
        };
        match &found.ask {
            Ask::Measured { channel, .. } => of_channel(*channel),
            Ask::Always(sides) => sides.iter().for_each(|side| match side {
                Side::Above(channel, bound) => {
                    of_channel(*channel);
                    facts.above.push(limit(bound, channels));
                }
                Side::Below(channel, bound) => {
                    of_channel(*channel);
                    facts.below.push(limit(bound, channels));
                }
                Side::NotBeyond { channel, to, most } => {
                    of_channel(*channel);
                    facts.overshoot = Some([*to, *most]);
                }
                Side::Reached(..) | Side::Holds { .. } => {}
            }),
            Ask::Eventually(Side::Reached(channel, level)) => {
                of_channel(*channel);
                facts.reaches = Some(*level);
            }
            Ask::Eventually(_) => {}
        }
        facts
    }
}

impl RequirementFacts {
    /// Channels that are needed to draw it.
    pub fn channels(&self) -> impl Iterator<Item = &str> {
        let limits = self.above.iter().chain(&self.below).filter_map(|limit| match limit {
            LimitFacts::Channel { name } => Some(name.as_str()),
            _ => None,
        });
        std::iter::once(self.channel.as_str()).filter(|name| !name.is_empty()).chain(limits)
    }
}

/// A number without the digits that rounding left.
fn shown(x: f64) -> String {
    const DIGITS: usize = 9;
    show_rounded(x, DIGITS)
}

fn limit(bound: &Bound, channels: &[Channel]) -> LimitFacts {
    match bound {
        Bound::Number(value) => LimitFacts::Number { value: *value },
        Bound::Channel(channel) => LimitFacts::Channel { name: channels[*channel].name.clone() },
        Bound::Rows(rows) => {
            let (times, values) = rows.thinned(MAX_ROWS);
            LimitFacts::Rows { times, values }
        }
    }
}

/// Text such as `at most 1.1 m, from 2 s`.
fn in_words(spec: &RequirementSpec, found: &Requirement, channels: &[Channel]) -> String {
    let unit = if found.unit == "1" { "" } else { &found.unit };
    let with_unit = |text: String| if unit.is_empty() { text } else { format!("{text} {unit}") };
    let number = |value: f64| with_unit(shown(value));
    let bounds = |low: Option<f64>, high: Option<f64>| match (low, high) {
        (Some(low), Some(high)) => with_unit(format!("within [{}, {}]", shown(low), shown(high))),
        (Some(low), None) => format!("at least {}", number(low)),
        (None, Some(high)) => format!("at most {}", number(high)),
        (None, None) => String::new(),
    };
    let is_once = matches!(found.ask, Ask::Eventually(_));
    let asked = match (&found.ask, &spec.asks) {
        (Ask::Always(sides), Asks::Between { .. }) => match &sides[..] {
            [Side::Above(_, Bound::Number(low)), Side::Below(_, Bound::Number(high))] => {
                bounds(Some(*low), Some(*high))
            }
            sides => {
                let parts = sides.iter().filter_map(|side| match side {
                    Side::Above(_, Bound::Number(low)) => Some(bounds(Some(*low), None)),
                    Side::Below(_, Bound::Number(high)) => Some(bounds(None, Some(*high))),
                    Side::Above(_, bound) => Some(format!("above {}", named(bound, channels))),
                    Side::Below(_, bound) => Some(format!("below {}", named(bound, channels))),
                    _ => None,
                });
                parts.collect::<Vec<_>>().join(", ")
            }
        },
        (_, Asks::Reaches { level, .. }) => format!("reaches {}", number(level.value)),
        (_, Asks::Overshoot { to, most, .. }) => {
            format!("overshoots {} by at most {} %", number(to.value), shown(100.0 * most))
        }
        (Ask::Measured { measure, low, high, .. }, _) => format!("{measure} {}", bounds(*low, *high)),
        (_, Asks::Holds { condition, when, .. }) => {
            let when = match when {
                When::Always => "always",
                When::Never => "never",
                When::Eventually => "once",
            };
            format!("{when}: {condition}")
        }
        _ => String::new(),
    };
    let from = (spec.from > 0.0).then(|| format!("from {} s", shown(spec.from)));
    let until = spec.until.map(|until| format!("{} {} s", if is_once { "before" } else { "until" }, shown(until)));
    let window: Vec<String> = from.into_iter().chain(until).collect();
    if window.is_empty() { asked } else { format!("{asked}, {}", window.join(" ")) }
}

/// A limit that is no number, in words.
fn named(bound: &Bound, channels: &[Channel]) -> String {
    match bound {
        Bound::Number(value) => shown(*value),
        Bound::Channel(channel) => channels[*channel].name.clone(),
        Bound::Rows(_) => "a recorded limit".to_owned(),
    }
}
