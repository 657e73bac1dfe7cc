//! Facts about a recorded run as a whole.

use kinegraph_diagram::Drawing;
use kinegraph_engine::scene::{Scene, View};
use kinegraph_engine::simulate::RunStart;
use serde::{Deserialize, Serialize};

/// Topics of fixed names.
pub mod topics {
    /// Facts about the run.
    pub const RUN: &str = "/kinegraph/run";
    /// Shapes.
    pub const SCENE: &str = "/scene";
    /// Poses.
    pub const TRANSFORMS: &str = "/tf";
    /// Contact points.
    pub const CONTACTS: &str = "/contacts";
    /// Attempts at steps.
    pub const STEPS: &str = "/kinegraph/steps";
    /// Channels recorded in addition, from there on.
    pub const MORE: &str = "/kinegraph/more";
    /// Acts on a live run.
    pub const JOURNAL: &str = "/kinegraph/journal";
    /// End of the run.
    pub const END: &str = "/kinegraph/end";
}

/// Facts about the run: the message of [`topics::RUN`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedRun {
    /// Version of the format.
    pub version: u32,
    /// Integrator and times.
    #[serde(flatten)]
    pub facts: RunFacts,
    /// The recorded channels.
    pub channels: Vec<RecordedChannel>,
    /// Scene to draw.
    pub scene: Scene,
    /// View of the camera, if the diagram file states it.
    pub view: Option<View>,
    /// The block diagram.
    pub blocks: Option<Drawing>,
}

/// Channels recorded in addition, from here on: the message of [`topics::MORE`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct More {
    /// The channels, appended to the existing ones.
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

/// A recorded channel, and the place of its numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedChannel {
    /// Its name.
    pub name: String,
    /// Its unit; may be empty.
    pub unit: String,
    /// True if it changes at sample times only.
    pub sampled: bool,
    /// The topic of its output.
    pub topic: String,
    /// Names that lead to it in the messages of the topic.
    pub path: Vec<String>,
}
