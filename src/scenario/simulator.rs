//! What runs diagram files: the interface between the command line and simulation.

use kinegraph_engine::simulate::{
    Hands, LinearizeError, LinearizeReport, LinearizeRequest, Observer, RunReport, Snapshot, SnapshotError, Violation,
};
use kinegraph_files::{DiagramFile, FileFaults, FileNote, Loader};

/// Turns a description into a diagram that is ready to run. The command line takes this trait, so that it
/// can be tested without a simulation.
pub trait Simulator {
    /// Builds every block and wire without running them.
    ///
    /// # Errors
    /// Everything that is wrong with the description beyond what its file alone shows: model files that do
    /// not read, joints and links that do not exist, wires that do not fit, algebraic loops, channels nobody gives.
    fn build(&self, diagram: &DiagramFile, loader: &Loader) -> Result<Box<dyn Prepared>, FileFaults>;
}

/// A diagram that is built and ready to run.
pub trait Prepared {
    /// What the diagram consists of.
    fn size(&self) -> Size;

    /// Starts from `snapshot` instead of the initial state: time goes on from there, to the same end. Returns what
    /// differs between the diagram that it was taken of and this one, where that is allowed.
    ///
    /// # Errors
    /// A snapshot of another diagram, or one past the end of the run; unless `changed`, one of this diagram before a
    /// change.
    fn resume(&mut self, snapshot: &Snapshot, changed: bool) -> Result<Vec<String>, SnapshotError>;

    /// Has noise draw what it drew in the run of a sweep with this number in its column `seed`. A simulator that cannot
    /// ignores this.
    fn draw(&mut self, _seed: u64) {}

    /// Measures where the time of the run goes, for its report. A simulator that cannot ignores this.
    fn profile(&mut self) {}

    /// Runs to the end. A run that fails on the way is no error: its report says so, and the observer
    /// has got every sample up to the failure.
    fn run(self: Box<Self>, observer: &mut dyn Observer) -> RunReport;

    /// The same, with hands on it: before every step the desk of `hands` says what to do. A simulator that cannot runs
    /// as it does without.
    fn run_live(self: Box<Self>, observer: &mut dyn Observer, _hands: &mut Hands<'_>) -> RunReport {
        self.run(observer)
    }

    /// Linearizes the diagram at a time or an equilibrium.
    ///
    /// # Errors
    /// What the request asks for and the diagram does not have; a run, search or operating point that fails.
    fn linearize(self: Box<Self>, _request: &LinearizeRequest) -> Result<LinearizeReport, LinearizeError> {
        Err(LinearizeError::Failed("this simulator does not linearize".into()))
    }
}

/// What a built diagram consists of.
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
    /// Every port with its width, and what drives the inputs.
    pub ports: Vec<String>,
    /// Inputs that stay at their default value, each with that default in words.
    pub defaults: Vec<String>,
    /// Inputs that the file exports and leaves to others, each with its width; of a file that is looked at as a part.
    pub exported: Vec<String>,
    /// What a person should know about the model files: ignored, assumed, or suspicious.
    pub notes: Vec<FileNote>,
    /// What starts violated, the largest amount first.
    pub starts_violated: Vec<Violation>,
    /// Outputs that are recorded as pictures or scans, where the recording has some.
    pub pictures: Vec<String>,
    /// Names of the recorded channels.
    #[serde(skip)]
    pub channels: Vec<String>,
}
