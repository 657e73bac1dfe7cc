//! Diagrams: blocks wired into one system.
//!
//! A [`DiagramBuilder`] collects blocks and wires; [`DiagramBuilder::build`] checks everything at once and compiles an
//! immutable [`Diagram`]. A diagram holds structure only. Values live outside: the [`State`] (time and continuous
//! state) is what a simulation is at, [`Values`] is the workspace of an evaluation, one flat run of scalars in which
//! every output port and every fixed value has a range.
//!
//! Diagrams nest: one builder is a block of another ([`DiagramBuilder::add_diagram`]), with the ports it exports.
//! Compiling flattens them; blocks keep their full path (`cascade/pid`), and exported names stay as further names of
//! ports ([`Alias`]).
//!
//! An evaluation is one pass over a [`Schedule`]: calls of blocks in an order in which every output is computed after
//! the inputs that it depends on directly.

mod algebraic;
mod aliases;
mod builder;
mod channels;
mod compile;
mod dependencies;
mod ends;
mod evaluate;
mod fault;
mod graph;
mod interface;
mod lookup;
mod loops;
mod order;
mod replace;
mod schedule;
mod slice;
mod state;
mod structure;
mod tearing;
mod values;
mod wiring;

#[cfg(test)]
mod tests;

pub use algebraic::{LoopCause, LoopFault};
pub use aliases::Alias;
pub use builder::DiagramBuilder;
pub use channels::Channel;
pub use ends::{Drives, ExportedInput, ExportedOutput, InputEnd, OutputEnd, SubDiagram};
pub use fault::{BuildError, BuildErrors, Hop, Side};
pub use schedule::{Call, Loop, Schedule};
pub use slice::Slice;
pub use state::State;
pub use structure::{Block, Diagram, InputPath, OutputPath, Source};
pub use values::Values;
