//! Tests of `systems/geometry/hull/`.

mod clusters;
mod farthest;
mod simplify;
mod touches;
