//! Kinegraph.

pub mod diagram;
