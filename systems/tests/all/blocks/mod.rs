//! The blocks that ship with Kinegraph, each as a diagram uses it.

mod control;
mod dynamics;
mod grippers;
mod machines;
mod operators;
mod sensors;
mod sinks;
mod sources;
