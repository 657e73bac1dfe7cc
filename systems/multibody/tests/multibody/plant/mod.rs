//! Tests of `systems/multibody/plant/`.

mod bushing;
mod fluid;
mod material;
mod muscle;
mod narrow_phase;
