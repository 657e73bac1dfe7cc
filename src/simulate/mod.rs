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
mod simulator;
pub mod snapshot;
mod world;

pub use example::{BlockTypeError, ExamplePort, check_block_type, ports_of_example};
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
pub use simulator::{Prepared, Simulator, Size};
pub use snapshot::{Snapshot, SnapshotError};
pub use world::World;
