//! Cholesky factors: dense ones for what is coupled throughout, and block-sparse ones for islands of many cliques.
//!
//! * [`Cholesky`]: one dense matrix.
//! * [`kernels`]: products, factors and triangular solves of single blocks, of fixed size for free bodies.
//! * [`ordering`]: in which order cliques are eliminated, and what fills in.
//! * [`Patterns`]: that analysis, remembered by pattern.
//! * [`BlockCholesky`]: the numbers.
//! * [`Places`]: where the blocks of a Hessian stand, for those who fill it.

#[doc(hidden)]
pub mod dense;
mod kernels;
mod numeric;
#[doc(hidden)]
pub mod ordering;
mod pattern;
mod places;

pub use dense::Cholesky;
pub use numeric::BlockCholesky;
pub use pattern::{Pattern, Patterns};
pub use places::{Block, Places};
