//! Tests of the convex step from inside.

mod constraints;
mod refined;
mod resolved;
mod sweeps;
