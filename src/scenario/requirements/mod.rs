//! Requirements of a diagram file: what is asked of a run, and whether it is met.
//!
//! Every requirement but a measure is a margin over time: the distance from being violated, positive where it is met.
//! A requirement that has to hold always has the smallest margin of its window, one of what has to happen once the
//! largest. Margins are read within steps by their dense output ([`monitor`]), their extremes and zeros are found there
//! ([`follow`]), and no step changes by it.

mod facts;
mod follow;
mod monitor;
mod observed;
mod resolve;
mod rows;
mod side;

pub use facts::{LimitFacts, RequirementFacts};
pub use monitor::Monitor;
pub use observed::Observed;

use kinegraph_diagram::{Channel, Diagram};
use kinegraph_engine::measures::Measure;
use side::Side;

/// Requirements of the runs of a diagram.
#[derive(Debug, Default)]
pub struct Requirements {
    all: Vec<Requirement>,
    facts: Vec<RequirementFacts>,
    /// Channels that they read.
    channels: Vec<Channel>,
}

/// A requirement over channels of a diagram.
#[derive(Debug)]
struct Requirement {
    name: String,
    /// Unit of its margin; empty if it is not known.
    unit: String,
    ask: Ask,
    /// Time from which it is asked, and until which \[s\].
    window: (f64, f64),
}

#[derive(Debug)]
enum Ask {
    /// No margin is negative at any time.
    Always(Vec<Side>),
    /// The margin is not negative at some time.
    Eventually(Side),
    /// A measure of a channel is at least and at most this.
    Measured { measure: Measure, channel: usize, low: Option<f64>, high: Option<f64> },
}

impl Requirements {
    /// True if nothing is asked.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Their names, in the order of the file.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(|one| one.name.as_str())
    }

    /// Facts for those who show the requirements.
    pub fn facts(&self) -> &[RequirementFacts] {
        &self.facts
    }

    /// An observer of a run of `diagram` that judges it.
    pub fn monitor(&self, diagram: &Diagram) -> Monitor<'_> {
        Monitor::new(self, diagram)
    }
}
