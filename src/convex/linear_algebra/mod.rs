//! Factors of small and block-sparse matrices, without allocation after the first use of a size or pattern.
//!
//! * [`BlockCholesky`]: a sparse symmetric matrix in blocks, factored by a pattern that is analyzed once
//!   ([`Patterns`]).
//! * [`Cholesky`], [`Lu`]: dense matrices.
//! * `SparseLu`: a sparse matrix that is not symmetric.
//! * [`RealScalar`]: the number types of factors.
//! * [`DisjointSets`]: connected components.
//! * [`Eigenvalues`]: of small dense matrices.
//! * `quaternion`: rotations.

#[doc(hidden)]
pub mod block_cholesky;
mod disjoint_sets;
mod eigenvalues;
mod lu;
pub mod quaternion;
mod real;
mod small;
mod sparse_lu;

pub use block_cholesky::{Block, BlockCholesky, Cholesky, Pattern, Patterns, Places};
pub use disjoint_sets::DisjointSets;
pub use eigenvalues::Eigenvalues;
pub use lu::Lu;
pub use real::RealScalar;
pub use small::{factor_small, solve_lower_squared, subtract_columns};
pub use sparse_lu::SparseLu;
