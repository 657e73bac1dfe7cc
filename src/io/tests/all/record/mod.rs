//! Files that are written while a run goes on.

mod csv;
mod mcap;
