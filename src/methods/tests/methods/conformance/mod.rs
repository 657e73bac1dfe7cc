//! What every contact solver and every element of the contact problem have to keep.

mod elements;
mod solvers;
