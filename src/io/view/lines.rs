//! A run as lines of JSON, as the page reads them: what is run, its meshes, what is seen at an instant, attempts at
//! steps, and how it ended. One object a line.
//!
//! The types of this file are the schema of the stream: `viewer/src/stream/schema.generated.ts` is made from them, and
//! `tests/source/page_schema` keeps the two alike. Kinds and keys that a reader does not know are ignored.

use super::Packed;
use super::camera::{CameraFacts, Photo};
use super::commands::{Controls, GradientControl, NumberControl};
use super::scanners::{Scanned, Scanner};
use super::shape_use::MeshUse;
use super::textures::TextureImages;
use super::touching::Touching;
use crate::record::mcap::{RecordedAttempt, RunFacts};
use kinegraph_diagram::Drawing;
use kinegraph_engine::scene::Scene;
use kinegraph_engine::simulate::{Acted, HandForce, RequirementReport};
use kinegraph_scenario::RequirementFacts;
use serde::{Deserialize, Serialize, Serializer};

/// The format of the stream. The page reads this version only: it is built from the same sources.
pub const VERSION: u32 = 2;
/// In place of a number of contact points: they are those of the instant before.
pub const AS_BEFORE: u32 = u32::MAX;

/// One line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Line {
    /// The first: what is run.
    Begin(Box<Begin>),
    /// An image on surfaces.
    Texture(TextureImages),
    /// The triangles of a mesh.
    Mesh(Mesh),
    /// More is recorded from here on.
    Channels(Box<Channels>),
    /// Poses, channels and contact points at some instants.
    Frames(Box<Frames>),
    /// A picture of a camera.
    Photo(Photo),
    /// A scan of a lidar.
    Scan(Scanned),
    /// Attempts at steps.
    Steps(Steps),
    /// A live run: whether it goes on, and how fast.
    Desk(DeskState),
    /// An act of a person on a live run.
    Acted(Acted),
    /// An act that was refused, and why.
    Refused(Refused),
    /// Which bodies of a model touch from here on.
    Touching(Touching),
    /// The requirements of the run, as they stand.
    Judged(Judged),
    /// Derivatives of the run, which a page asked for.
    Sensitivity(Box<Sensitivity>),
    /// The force of the hand.
    Hand(HandForce),
    /// The last: how the run ended.
    End(End),
}

/// Facts of a run, at its beginning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Begin {
    /// Version of the format.
    pub version: u32,
    /// Scene to draw.
    pub scene: Scene,
    /// How it is run.
    pub run: RunFacts,
    /// Channels that are recorded.
    pub channels: Vec<ChannelFacts>,
    /// Where to look from, if the diagram file says.
    pub view: Option<kinegraph_engine::scene::View>,
    /// The block diagram.
    pub blocks: Option<Drawing>,
    /// Bodies that are drawn a second time, where they should be.
    pub ghosts: Vec<Ghost>,
    /// Indices of the channels that are to be plotted; empty: the page chooses.
    #[serde(default)]
    pub plotted: Vec<usize>,
    /// The cameras whose pictures are recorded.
    #[serde(default)]
    pub cameras: Vec<CameraFacts>,
    /// The lidars whose scans are recorded.
    #[serde(default)]
    pub scanners: Vec<Scanner>,
    /// Requirements of the diagram file.
    #[serde(default)]
    pub requirements: Vec<RequirementFacts>,
    /// Controls of a live run.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub controls: Option<Controls>,
    /// The numbers of the diagram file, where the run can be done again with others.
    #[serde(default)]
    pub numbers: Vec<NumberControl>,
    /// Measures and numbers of derivatives, where the program can find them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub gradient: Option<GradientControl>,
}

/// A recorded channel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChannelFacts {
    /// Its name.
    pub name: String,
    /// Its unit; may be empty.
    pub unit: String,
    /// True if it changes at sample times only.
    pub discrete: bool,
}

/// Channels of a live run that are recorded from here on: those that were recorded before, and more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Channels {
    /// All recorded channels.
    pub channels: Vec<ChannelFacts>,
    /// The block diagram, whose ports name them.
    pub blocks: Drawing,
}

/// The desired motion of some bodies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ghost {
    /// Name of the source: an input of a block, or another recording.
    pub name: String,
    /// Index of the plant in the scene.
    pub plant: usize,
    /// Indices of the bodies.
    pub bodies: Vec<usize>,
}

/// The triangles of a mesh, its scale applied.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mesh {
    /// Its number.
    pub id: usize,
    /// Three coordinates of each corner \[m\].
    pub positions: Packed,
    /// Three corners of each triangle.
    pub triangles: Packed,
    /// Where each corner is on an image: from its left edge and from its upper one, each in widths of the image.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub uv: Option<Packed>,
    /// Its colour, if the file has one.
    pub rgba: Option<[f32; 4]>,
    /// The number of the image on it, if the file has one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub texture: Option<usize>,
    /// The shapes that it is.
    pub uses: Vec<MeshUse>,
}

/// Poses, channels and contact points at some instants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Frames {
    /// The instants \[s\].
    pub times: Packed,
    /// At each, of every plant, of every body that moves: `x y z qw qx qy qz`.
    pub poses: Packed,
    /// At each, of every channel.
    pub values: Packed,
    /// Of every contact point: plant, where it is, and the force on the second body \[N\], in world axes.
    pub contacts: Packed,
    /// How many contact points there are at each instant, or [`AS_BEFORE`].
    pub contact_counts: Packed,
    /// At each, of every body of every ghost: `x y z qw qx qy qz`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ghosts: Option<Packed>,
}

impl Frames {
    /// How many instants there are.
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// True if there are no instants.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds those that follow.
    pub fn append(&mut self, more: &Frames) {
        let Frames { times, poses, values, contacts, contact_counts, ghosts } = self;
        times.append(&more.times);
        poses.append(&more.poses);
        values.append(&more.values);
        contacts.append(&more.contacts);
        contact_counts.append(&more.contact_counts);
        if let (Some(ghosts), Some(more)) = (ghosts, &more.ghosts) {
            ghosts.append(more);
        }
    }
}

/// Attempts at steps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Steps {
    /// Each is written as the list of its fields.
    #[serde(serialize_with = "as_rows")]
    pub rows: Vec<RecordedAttempt>,
}

fn as_rows<S: Serializer>(rows: &[RecordedAttempt], serializer: S) -> Result<S::Ok, S::Error> {
    let row = |a: &RecordedAttempt| {
        // Every field, in the order of the struct: so it is read.
        let RecordedAttempt { start, h, outcome, error, worst, iterations, contacts, rule } = a.clone();
        (start, h, outcome, error, worst, iterations, contacts, rule)
    };
    serializer.collect_seq(rows.iter().map(row))
}

/// The requirements of a run, as they stand.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// Each, in the order of the diagram file.
    pub requirements: Vec<RequirementReport>,
}

/// How a live run goes on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeskState {
    /// True if it stands still.
    pub paused: bool,
    /// Simulated time in a second of the clock; `None`: as fast as possible.
    pub pace: Option<f64>,
    /// True if it is at its end.
    pub ended: bool,
}

/// An act that was refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refused {
    /// Why.
    pub reason: String,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct End {
    /// Outcome of the run.
    pub status: EndStatus,
    /// Why, if it did not reach its end.
    pub message: String,
    /// Where it ended \[s\].
    pub time: f64,
    /// Summary that the command line prints.
    pub summary: String,
}

/// Outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndStatus {
    /// The run reached its end.
    Done,
    /// The run could not go on.
    Failed,
    /// The run was stopped.
    Stopped,
}

/// Derivatives of the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sensitivity {
    /// The measures.
    pub of: Vec<MeasuredNumber>,
    /// The numbers by which they are differentiated.
    pub by: Vec<ByNumber>,
    /// The derivatives, measure by measure.
    pub derivatives: Vec<Slope>,
    /// Where they are not what they seem.
    pub notes: Vec<String>,
    /// Times of the derivatives over time \[s\].
    pub times: Packed,
    /// Derivatives over time.
    pub over_time: Vec<SlopeOverTime>,
}

/// A measure of the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasuredNumber {
    /// Its name.
    pub name: String,
    /// Its value, if the run has one.
    pub value: Option<f64>,
}

/// A number by which is differentiated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ByNumber {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// Its smallest and its largest value, if the file states them.
    pub range: Option<[f64; 2]>,
}

/// A derivative; numbers that are not finite are left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Slope {
    /// The derivative.
    pub value: Option<f64>,
    /// Estimate of its error.
    pub error: Option<f64>,
    /// Smallest value of the number for which it describes the run.
    pub low: Option<f64>,
    /// Largest value of the number for which it describes the run.
    pub high: Option<f64>,
}

/// A derivative of a channel over time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SlopeOverTime {
    /// The channel.
    pub channel: String,
    /// The number by which it is differentiated.
    pub by: String,
    /// Unit of the derivative.
    pub unit: String,
    /// Its values at the times.
    pub values: Packed,
}
