//! What a recording says of its run as a whole.

use kinegraph_diagram::Drawing;
use kinegraph_engine::scene::{Scene, View};
use kinegraph_engine::simulate::RunStart;
use serde::{Deserialize, Serialize};

/// Topics of fixed names.
pub mod topics {
    /// What is run.
    pub const RUN: &str = "/kinegraph/run";
    /// Shapes.
    pub const SCENE: &str = "/scene";
    /// Poses.
    pub const TRANSFORMS: &str = "/tf";
    /// Contact points.
    pub const CONTACTS: &str = "/contacts";
    /// Attempts at steps.
    pub const STEPS: &str = "/kinegraph/steps";
    /// What is recorded from there on besides.
    pub const MORE: &str = "/kinegraph/more";
    /// What somebody did to a live run.
    pub const JOURNAL: &str = "/kinegraph/journal";
    /// How the run ended.
    pub const END: &str = "/kinegraph/end";
}

/// What is run: the message of [`topics::RUN`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedRun {
    /// Version of the format.
    pub version: u32,
    /// How it is run.
    #[serde(flatten)]
    pub facts: RunFacts,
    /// The recorded channels.
    pub channels: Vec<RecordedChannel>,
    /// What there is to draw.
    pub scene: Scene,
    /// Where to look from, if the diagram file says.
    pub view: Option<View>,
    /// The block diagram.
    pub blocks: Option<Drawing>,
}

/// What is recorded besides from here on: the message of [`topics::MORE`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct More {
    /// The channels, behind those that there are.
    pub channels: Vec<RecordedChannel>,
}

/// How a diagram is run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunFacts {
    /// Name of the diagram.
    pub diagram: String,
    /// Name of the integrator.
    pub integrator: String,
    /// Its accuracy, if it controls errors.
    pub accuracy: Option<f64>,
    /// Where the run begins \[s\].
    pub time: f64,
    /// Where it is to end \[s\].
    pub end: f64,
    /// Time between samples \[s\].
    pub every: f64,
}

impl From<&RunStart<'_>> for RunFacts {
    fn from(run: &RunStart<'_>) -> Self {
        RunFacts {
            diagram: run.diagram.name().to_owned(),
            integrator: run.integrator.into(),
            accuracy: run.accuracy,
            time: run.time,
            end: run.end,
            every: run.every,
        }
    }
}

/// A recorded channel, and where its numbers are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedChannel {
    /// Its name.
    pub name: String,
    /// Its unit; may be empty.
    pub unit: String,
    /// Whether it changes at sample times only.
    pub sampled: bool,
    /// The topic of its output.
    pub topic: String,
    /// The names that lead to it in the messages of the topic.
    pub path: Vec<String>,
}
