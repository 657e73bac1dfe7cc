//! Tests of the convex step from inside.

mod constraints;
mod same_minimum;
