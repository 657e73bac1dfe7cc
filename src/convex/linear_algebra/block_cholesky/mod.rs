//! Cholesky factors: dense ones for fully coupled velocities, and block-sparse ones for islands of many cliques.
//!
//! * [`Cholesky`]: one dense matrix.
//! * [`kernels`]: products, factors and triangular solves of single blocks, of fixed size for free bodies.
//! * [`ordering`]: elimination order of cliques, and the fill.
//! * [`Patterns`]: store of these analyses by pattern.
//! * [`BlockCholesky`]: the numbers.
//! * [`Places`]: places of the blocks of a Hessian, for code that fills it.

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
