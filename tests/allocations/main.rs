//! Running does not allocate. A binary of its own: it counts with a global allocator.

#[path = "../common/mod.rs"]
mod common;

mod diagrams;
mod methods;
mod observers;
mod scenes;
mod worlds;
