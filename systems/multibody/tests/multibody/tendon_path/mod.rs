//! Tests of `systems/multibody/tendon_path/`.

mod wrap;
