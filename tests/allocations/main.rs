//! Running does not allocate. This is a separate binary, since it counts with a global allocator.

#[path = "../common/mod.rs"]
mod common;

mod diagrams;
mod methods;
mod observers;
mod scenes;
mod worlds;
