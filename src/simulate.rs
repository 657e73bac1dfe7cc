//! Running a diagram: the run loop, the events and samples of a run, its observers and reports.

pub use kinegraph_engine::simulate::*;
// Programs name these here; they stand in `scenario`.
#[doc(no_inline)]
pub use kinegraph_scenario::{
    BlockTypeError, ExamplePort, FileSimulator, Prepared, Scenario, Simulator, Size, check_block_type, ports_of_example,
};
