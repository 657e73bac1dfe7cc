//! Facts about a recorded run as a whole.

use kinegraph_data::samples::RecordedChannel;
use kinegraph_diagram::Drawing;
use kinegraph_engine::scene::{Scene, View};
use kinegraph_engine::simulate::RunStart;
use serde::{Deserialize, Serialize};

/// Facts about the run: the message of `/kinegraph/run`.
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

/// Channels recorded in addition, from here on: the message of `/kinegraph/more`.
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
