//! Running a diagram: the run loop, the events and samples of a run, its observers and reports.
//!
//! Nothing here knows of diagram files: the crate `kinegraph-scenario` makes a simulation of one.

mod acting;
mod acts;
mod batch;
#[doc(hidden)]
pub mod bracket;
mod channel_condition;
mod clockwork;
mod clockwork_table;
mod diverging_loop;
#[doc(hidden)]
pub mod energies;
#[doc(hidden)]
pub mod envelope;
mod event_table;
mod events;
mod exact;
pub mod gradient;
mod held_read_outs;
pub mod linear_analysis;
pub mod linearization;
mod live;
mod lost;
pub mod measured_response;
mod non_finite;
mod observed;
pub mod observer;
mod open_inputs;
#[doc(hidden)]
pub mod pace;
mod panic;
mod plan;
#[doc(hidden)]
pub mod plausibility;
mod profile;
mod readings;
mod redundant;
pub mod report;
mod requirement;
mod run_error;
mod sample;
#[doc(hidden)]
pub mod sample_times;
mod sampling;
mod simulation;
mod sliding;
pub mod snapshot;
mod step_motion;
mod stop_when;
mod uncut;
mod undefined_outputs;
mod violation;
mod world;

pub use crate::linearize::state_space::Margins;
pub use acting::StepSeen;
pub use acts::{Act, ActNumber, Acted, HandForce};
pub use batch::{WorldFault, Worlds, WorldsError};
pub use channel_condition::ChannelCondition;
pub use clockwork_table::sources_too_fast;
pub use diverging_loop::DivergingLoop;
pub use held_read_outs::{HeldReadOut, held_read_outs};
pub use kinegraph_convex::profile::Interrupt;
pub use linearization::{
    ChosenInput, EquilibriumFound, FrequencyResponse, LinearizeError, LinearizeReport, LinearizeRequest,
    MeasureRequest, MeasuredPoint, MeasuredResponse, Pole, Reduction, RemovedStates, ResponsePoint, ResponseRequest,
    StepRequest, StepResponse, WrittenUnit,
};
pub use live::{ActError, Desk, Hands, Moment, NamedBlocks, Turn, Workshop};
pub use lost::Lost;
pub use observed::ObservedRunError;
pub use observer::{Observer, RunStart, StepReport, Unobserved};
pub use open_inputs::{InputHandle, OpenInputError, OpenInputs, open_inputs};
pub use panic::panic_message;
pub use plan::Plan;
pub use profile::Profile;
pub use readings::Reading;
pub use redundant::RedundantRows;
pub use report::{Channels, RunReport, Statistics, Status};
pub use requirement::{RequirementReport, Verdict, all_met};
pub use run_error::RunError;
pub use sample::{Sample, Sampler};
pub use simulation::{Simulation, SimulationError};
pub use snapshot::{Snapshot, SnapshotError};
pub use step_motion::StepMotion;
pub use stop_when::{StopCondition, StopConditionError, stopping_when};
pub use violation::{Violated, Violation, listed as listed_violations};
pub use world::World;
