//! Tests of the methods beside the convex step, in one program that is linked with the crate.

mod conformance;
mod sap;
mod theta_gamma;
mod volume;
