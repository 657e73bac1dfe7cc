//! Files that are written during a run.

mod csv;
mod mcap;
