//! The blocks that ship with Kinegraph, each by what a diagram sees of it.

mod control;
mod dynamics;
mod grippers;
mod machines;
mod operators;
mod sensors;
mod sinks;
mod sources;
