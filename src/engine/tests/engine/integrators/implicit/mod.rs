//! Matrices of implicit methods.

mod block_matrix;
mod grouping;
