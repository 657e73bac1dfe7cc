//! Tests of the convex step from inside.

mod constraints;
mod resolved;
mod same_minimum;
