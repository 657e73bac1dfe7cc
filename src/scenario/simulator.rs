//! Interface between the command line and the simulation of diagram files.

use super::RequirementFacts;
use kinegraph_engine::simulate::{
    Hands, LinearizeError, LinearizeReport, LinearizeRequest, Observer, RunReport, Snapshot, SnapshotError, Violation,
};
use kinegraph_files::{DiagramFile, FileFaults, FileNote, Loader};

/// Builds a diagram that is ready to run from its description. The command line takes this trait, so that it can be
/// tested without a simulation.
pub trait Simulator {
    /// Builds every block and wire without running them.
    ///
    /// # Errors
    /// All faults that the file alone does not show: model files that cannot be read, joints and links that do not
    /// exist, wires that do not fit, algebraic loops, channels that do not exist.
    fn build(&self, diagram: &DiagramFile, loader: &Loader) -> Result<Box<dyn Prepared>, FileFaults>;
}

/// A diagram that is built and ready to run.
pub trait Prepared {
    /// Size and contents of the diagram.
    fn size(&self) -> Size;

    /// Starts from `snapshot` instead of the initial state: time continues from there, to the same end. Returns the
    /// differences between the diagram of the snapshot and this one, where these are allowed.
    ///
    /// # Errors
    /// A snapshot of another diagram, or one past the end of the run; unless `changed`, a snapshot of this diagram
    /// before a change.
    fn resume(&mut self, snapshot: &Snapshot, changed: bool) -> Result<Vec<String>, SnapshotError>;

    /// Draws the noise that the run of a sweep with this number in its column `seed` has. A simulator that does not
    /// support this ignores the call.
    fn draw(&mut self, _seed: u64) {}

    /// Measures how the time of the run is spent, for its report. A simulator that does not support this ignores the
    /// call.
    fn profile(&mut self) {}

    /// Runs to the end. A run that fails before is no error: its report says so, and the observer has received every
    /// sample up to the failure.
    fn run(self: Box<Self>, observer: &mut dyn Observer) -> RunReport;

    /// Runs with changes made by hand: before every step the desk of `hands` returns what to do. A simulator that does
    /// not support this runs without them.
    fn run_live(self: Box<Self>, observer: &mut dyn Observer, _hands: &mut Hands<'_>) -> RunReport {
        self.run(observer)
    }

    /// Linearizes the diagram at a time or an equilibrium.
    ///
    /// # Errors
    /// Names in the request that the diagram does not have; a run, search or operating point that fails.
    fn linearize(self: Box<Self>, _request: &LinearizeRequest) -> Result<LinearizeReport, LinearizeError> {
        Err(LinearizeError::Failed("this simulator does not linearize".into()))
    }
}

/// Size and contents of a built diagram.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Size {
    /// Number of blocks, those of nested diagrams included.
    pub blocks: usize,
    /// Number of nested diagrams.
    pub nested: usize,
    /// Number of wires, those of nested diagrams included.
    pub wires: usize,
    /// Number of positions, velocities and other continuous states.
    pub states: usize,
    /// Every port with its width, and the sources of the inputs.
    pub ports: Vec<String>,
    /// Inputs that keep their default value, each with that default in words.
    pub defaults: Vec<String>,
    /// Inputs that the file exports and does not drive, each with its width, if the file is checked as a part of
    /// others.
    pub exported: Vec<String>,
    /// Notes about the model files: ignored, assumed, or suspicious contents.
    pub notes: Vec<FileNote>,
    /// Constraints and limits that are violated at the start, the largest violation first.
    pub starts_violated: Vec<Violation>,
    /// Outputs that are recorded as pictures or scans, where the recording has some.
    pub pictures: Vec<String>,
    /// Names of the recorded channels.
    #[serde(skip)]
    pub channels: Vec<String>,
    /// Requirements of a run.
    #[serde(skip)]
    pub requirements: Vec<RequirementFacts>,
}
