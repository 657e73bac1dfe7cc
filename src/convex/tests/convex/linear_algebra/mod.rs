//! Factors and what else is computed with matrices.

mod block_cholesky;
mod dense;
mod eigenvalues;
mod lu;
mod quaternion;
mod small;
mod sparse_lu;
