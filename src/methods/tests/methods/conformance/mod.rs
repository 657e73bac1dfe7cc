//! Properties that every contact solver and every element of the contact problem must have.

mod elements;
mod solvers;
