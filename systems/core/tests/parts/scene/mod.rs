//! Tests of `systems/core/scene/`.

mod geometry;
mod pose;
