//! Kinegraph.
