//! The contact problem of one step, and its solution: laws of contact, stops and constraints; the linear algebra of
//! mass and impulse; the convex solver.

pub mod choices;
pub mod contact;
pub mod linear_algebra;
pub mod profile;
pub mod solvers;
