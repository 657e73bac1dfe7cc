//! Tests of the crate `kinegraph-core`, linked with the library that all others use.

mod convex;
mod figures;
mod names;
mod random;
mod scalar;
mod scene;
mod sizes;
mod testing;
mod threads;
