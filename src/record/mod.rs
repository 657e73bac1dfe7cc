//! Recorded channels to files.

pub mod csv;
