//! Tests of `systems/core/random/`.

mod philox;
mod seed;
