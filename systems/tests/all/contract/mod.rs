//! The contract of blocks: a bench for one block, and the sources of its derivatives.

mod bench;
mod real;
