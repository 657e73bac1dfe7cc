//! Tests of the contact problem, its solvers and their linear algebra, in one program that is linked with the crate.

mod contact;
mod icf;
mod linear_algebra;
mod profile;
