//! `gradient: {of, by, over_time, until}`.

use super::written::{TextOf, Written, twice};
use crate::fault::FaultKind;
use crate::gradient_by::GradientBy;
use crate::level::Time;
use crate::lists::ListOf;
use crate::loader::Loader;
use crate::names::Names;
use crate::node::{Node, Position};
use crate::parameter::{Needs, Optional, needs, optional};
use crate::reader::Reader;
use crate::section::Section;
use kinegraph_engine::measures::Of;

/// Derivatives of a run: of which measures, and by which numbers.
#[derive(Clone, Debug)]
pub struct GradientSpec {
    /// Measures that are differentiated.
    pub of: Vec<Written<Of>>,
    /// Numbers by which they are.
    pub by: Vec<Written<GradientBy>>,
    /// Channels that are differentiated over time.
    pub over_time: Vec<Written<String>>,
    /// End of the run \[s\], if it is another than that of the simulation.
    pub until: Option<f64>,
}

/// `gradient: {…}`.
pub(super) const SECTION: Section<GradientSpec> = Section {
    about: "what is differentiated, such as `{of: [end(plant.arm.joint1.q)], by: [systems.controller.kp]}`",
    read,
};

const OF: Optional<ListOf<TextOf<Of>>> = optional(
    "of",
    ListOf {
        each: TextOf::new("a measure, such as `end(plant.arm.joint1.q)`, or `time(EVENT)`"),
        about: "a list of measures, such as `[end(plant.arm.joint1.q), time(touch box ground)]`",
    },
    "none",
    "measures of the run that are differentiated, and times of events",
);
const BY: Needs<ListOf<TextOf<GradientBy>>> = needs(
    "by",
    ListOf {
        each: TextOf::new("a path, such as `systems.controller.kp`, or `initial(STATE)`"),
        about: "a list of paths, such as `[systems.controller.kp, initial(plant.box.x)]`",
    },
    "numbers by which is differentiated: values of the file as of `--set`, with the value where the file has none \
     (`PATH=VALUE`), or `initial(STATE)`",
);
const OVER_TIME: Optional<ListOf<TextOf<String>>> = optional(
    "over_time",
    ListOf { each: TextOf::new("the name of a channel, such as `plant.arm.joint1.q`"), about: "a list of channels" },
    "none",
    "channels that are differentiated at the times of samples",
);
const UNTIL: Optional<Time> = optional("until", Time, "the end of the simulation", "end of the run [s]");

fn read(r: &mut Reader<'_>) -> Option<GradientSpec> {
    let (of, by, over_time, until) = (r.get(&OF), r.get(&BY), r.get(&OVER_TIME), r.get(&UNTIL));
    twice(of.as_deref().unwrap_or_default(), r);
    twice(by.as_deref().unwrap_or_default(), r);
    twice(over_time.as_deref().unwrap_or_default(), r);
    if !r.has(OF) && !r.has(OVER_TIME) && !r.has_strangers() {
        let (key, expected) = ("of".to_owned(), "measures; or `over_time`, channels".to_owned());
        r.report(r.at(), FaultKind::MissingKey { path: "gradient".into(), key, expected });
    }
    for key in ["of", "by", "over_time"] {
        let list = match key {
            "of" => of.as_ref().map(Vec::len),
            "by" => by.as_ref().map(Vec::len),
            _ => over_time.as_ref().map(Vec::len),
        };
        if list == Some(0) {
            r.wrong(key, "at least one", "an empty list");
        }
    }
    if until == Some(0.0) {
        r.wrong(UNTIL, "a time above 0", "0");
    }
    Some(GradientSpec { of: of.unwrap_or_default(), by: by?, over_time: over_time.unwrap_or_default(), until })
}

impl GradientSpec {
    /// The channels that it names, each with its place and path.
    pub fn channels(&self) -> impl Iterator<Item = (Position, &str, &str)> {
        let of = self.of.iter().filter_map(|one| match &one.value {
            Of::Measure(measure) => Some((one.at.column_of(&one.text, 1), &*one.path, &*measure.channel)),
            Of::Time(_) => None,
        });
        of.chain(self.over_time.iter().map(|one| (one.at, &*one.path, &*one.value)))
    }

    /// Checks that the blocks of channels and states exist, and that paths lead to numbers.
    pub(super) fn check(&self, root: &Node, blocks: &Names<'_>, loader: &Loader) {
        for (at, path, channel) in self.channels() {
            let block = channel.split(['.', '/']).next().unwrap_or(channel);
            blocks.check(block, "block", || path.to_owned(), at, loader);
        }
        for by in &self.by {
            by.check_number(&by.value, root, blocks, loader);
        }
    }
}
