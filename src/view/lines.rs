//! A run as lines of JSON, as the page reads them: what is run, its meshes, what is seen at an instant, attempts at
//! steps, and how it ended. One object a line; who reads ignores kinds and keys that it does not know.

use super::Packed;
use crate::diagram::Drawing;
use crate::scene::Scene;
use serde::{Deserialize, Serialize};

/// The format this program writes.
pub const VERSION: u32 = 2;
/// In place of a number of contact points: they are those of the instant before.
pub const AS_BEFORE: u32 = u32::MAX;

/// One line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Line {
    /// The first: what is run.
    Begin(Box<Begin>),
    /// The triangles of a mesh.
    Mesh(Mesh),
    /// What was seen at some instants.
    Frames(Box<Frames>),
    /// Attempts at steps.
    Steps(Steps),
    /// The last: how the run ended.
    End(End),
}

/// What is run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Begin {
    /// Version of the format.
    pub version: u32,
    /// What there is to draw.
    pub scene: Scene,
    /// How it is run.
    pub run: RunFacts,
    /// What is recorded.
    pub channels: Vec<ChannelFacts>,
    /// Where to look from, if the diagram file says.
    pub view: Option<crate::scene::View>,
    /// The block diagram.
    pub blocks: Option<Drawing>,
    /// Bodies that are drawn a second time, where they should be.
    pub ghosts: Vec<Ghost>,
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

/// A recorded channel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChannelFacts {
    /// Its name.
    pub name: String,
    /// Its unit; may be empty.
    pub unit: String,
    /// Whether it changes at sample times only.
    pub discrete: bool,
}

/// The desired motion of some bodies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ghost {
    /// What desires it.
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
    /// Its colour, if the file has one.
    pub rgba: Option<[f32; 4]>,
    /// The shapes that it is.
    pub uses: Vec<MeshUse>,
}

/// A shape that is a mesh.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeshUse {
    /// Index of the plant in the scene.
    pub plant: usize,
    /// Index of the body.
    pub body: usize,
    /// Which of its lists of shapes.
    pub list: ShapeList,
    /// Index in the list.
    pub shape: usize,
}

/// A list of shapes of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShapeList {
    /// Shapes to look at.
    Visuals,
    /// Shapes that touch.
    Collisions,
}

/// What was seen at some instants.
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

    /// Whether there is none.
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

/// Where an attempt started \[s\], its length \[s\], what became of it, its error, the worst coordinate, iterations,
/// contact points.
pub type StepRow = (f64, f64, String, Option<f64>, String, usize, usize);

/// Attempts at steps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Steps {
    /// One each.
    pub rows: Vec<StepRow>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct End {
    /// `done`, `failed` or `stopped`.
    pub status: String,
    /// Why, if it did not come to its end.
    pub message: String,
    /// Where it ended \[s\].
    pub time: f64,
    /// What the command line prints of it.
    pub summary: String,
}
