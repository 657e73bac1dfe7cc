//! Running a diagram: what a run is asked, what it tells while it runs, what it reports at the end.

mod advice;
mod assemble;
mod bracket;
mod event_table;
mod events;
mod exact;
mod example;
pub mod file_simulator;
mod linearization;
mod observed;
pub mod observer;
mod plan;
mod profile;
pub mod report;
mod run_error;
mod sample;
mod scenario;
mod simulation;
pub mod snapshot;
mod world;

pub use example::{ExamplePort, ports_of_example};
pub use file_simulator::FileSimulator;
pub use linearization::{LinearizeError, LinearizeReport, LinearizeRequest, Pole};
pub use observed::ObservedRunError;
pub use observer::{Observer, RunStart, StepReport, Unobserved};
pub use plan::Plan;
pub use profile::Profile;
pub use report::{Channels, RunReport, Statistics, Status};
pub use run_error::RunError;
pub use sample::{Sample, Sampler};
pub use scenario::Scenario;
pub use simulation::{Simulation, SimulationError};
pub use snapshot::{Snapshot, SnapshotError};
pub use world::World;

use crate::files::{DiagramFile, FileFaults, Loader};

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

    /// Starts from `snapshot` instead of the initial state: time goes on from there, to the same end.
    ///
    /// # Errors
    /// A snapshot of another diagram, or one past the end of the run.
    fn resume(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError>;

    /// Measures where the time of the run goes, for its report. A simulator that cannot ignores this.
    fn profile(&mut self) {}

    /// Runs to the end. A run that fails on the way is no error: its report says so, and the observer
    /// has got every sample up to the failure.
    fn run(self: Box<Self>, observer: &mut dyn Observer) -> RunReport;

    /// Linearizes the diagram at a time or an equilibrium.
    ///
    /// # Errors
    /// What the request asks for and the diagram does not have; a run, search or operating point that fails.
    fn linearize(self: Box<Self>, request: &LinearizeRequest) -> Result<LinearizeReport, LinearizeError> {
        let _ = request;
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
    /// What a person should know about the model files: ignored, assumed, or suspicious.
    pub notes: Vec<String>,
}
