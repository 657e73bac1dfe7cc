//! Tests of `systems/geometry/shapes/`.

mod cone;
