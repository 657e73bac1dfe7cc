//! Counter-based random numbers: each is a function of a seed, a channel and a number, so that it does not depend on
//! the order of evaluation.

mod philox;
pub mod seed;

pub use philox::{normal, philox};
pub use seed::{derive_seed, derived_seed, is_seed};
