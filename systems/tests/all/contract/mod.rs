//! The contract of blocks: a bench for one, and the ways to its derivatives.

mod bench;
mod real;
