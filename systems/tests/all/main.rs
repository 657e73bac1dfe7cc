//! Tests of blocks, plants and model files through their public interface.
#![allow(non_snake_case)] // quantity and frames, as the field writes them

mod blocks;
mod contract;
mod hostile;
mod multibody;
mod no_allocation;
mod sdf;
mod urdf;
