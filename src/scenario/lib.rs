//! From a diagram file to a simulation: its blocks built and wired, its integrator chosen, its channels found.
//!
//! [`files`](kinegraph_files) reads and checks the text, [`simulate`](kinegraph_engine::simulate) runs diagrams; this
//! crate depends on both, and neither of them on the other.

mod advice;
mod assemble;
mod example;
mod file_simulator;
mod fit;
mod from_file;
mod gradient;
mod live_workshop;
mod ports;
mod requirements;
mod simulator;
mod trim;
mod written_units;

pub use example::{BlockTypeError, ExamplePort, check_block_type, ports_of_example};
pub use file_simulator::FileSimulator;
pub use fit::{FitAsked, channel_unit};
pub use from_file::Scenario;
pub use from_file::also_recorded;
pub use gradient::GradientAsked;
pub use live_workshop::{LiveKeyframe, LiveOperator, LiveParameter, LiveWorkshop};
pub use ports::{actuators_of, ports_of_blocks};
pub use requirements::{LimitFacts, Monitor, Observed, RequirementFacts, Requirements};
pub use simulator::{Prepared, Simulator, Size};
