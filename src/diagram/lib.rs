//! Diagrams: blocks wired into one system.
//!
//! A [`DiagramBuilder`] collects blocks and wires; [`DiagramBuilder::build`] checks everything at once and compiles an
//! immutable [`Diagram`]. A diagram holds structure only. Values are stored outside: [`State`] is the state of a
//! simulation (time, continuous and discrete state), [`Values`] is the workspace of an evaluation, one flat run of
//! scalars in which every output port and every fixed value has a range.
//!
//! Diagrams nest: one builder is a block of another ([`DiagramBuilder::add_diagram`]), with the ports it exports.
//! Compiling flattens them; blocks keep their full path (`cascade/pid`), and exported names stay as further names of
//! ports ([`Alias`]).
//!
//! An evaluation is one pass over a [`Schedule`]: calls of blocks in an order in which every output is computed after
//! the inputs that it depends on directly.

#[doc(hidden)]
pub mod algebraic;
mod alias;
mod builder;
mod call;
mod channels;
mod clockwork;
mod companions;
mod compile;
mod conditional;
pub mod copies;
mod dependencies;
mod ends;
mod evaluate;
mod exports;
mod fact;
#[doc(hidden)]
pub mod facts;
mod fault;
#[cfg(feature = "graph")]
#[doc(hidden)]
pub mod graph;
mod interface;
mod lookup;
mod loop_fault;
mod loops;
mod order;
mod replace;
mod schedule;
pub mod selection;
mod signals;
mod slice;
mod state;
mod stated_units;
mod structure;
mod tearing;
mod units;
mod values;
mod wiring;

pub use alias::Alias;
pub use builder::DiagramBuilder;
pub use call::{Call, Loop};
pub use channels::Channel;
pub use clockwork::Clockwork;
pub use conditional::{ConditionError, HeldAs, Obstacle, States, When};
pub use ends::{Drives, ExportedInput, ExportedOutput, InputEnd, OutputEnd, SubDiagram};
pub use fact::Fact;
pub use fact::{Digest, differences};
pub use fault::{BuildError, BuildErrors, Hop, Side, UnlikeUnits};
#[cfg(feature = "graph")]
pub use graph::{Drawing, DrawnBlock, DrawnPort, DrawnWire};
pub use loop_fault::{LoopCause, LoopFault};
pub use schedule::Schedule;
pub use slice::Slice;
pub use state::State;
pub use stated_units::StatedUnits;
pub use structure::{Block, Diagram, InputPath, OutputPath, Source};
pub use values::Values;
