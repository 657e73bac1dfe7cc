//! Random numbers by counting: each is a function of a seed, a channel and a number, so that no order of evaluation
//! changes them.

mod philox;
pub mod seed;

pub use philox::{normal, philox};
pub use seed::{derive_seed, derived_seed, is_seed};
