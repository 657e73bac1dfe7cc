//! Tests of `systems/multibody/fibre/`.

mod curve;
mod fade;
mod section;
