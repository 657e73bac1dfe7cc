//! Rust source: what a file declares and names, and where the thing stands that a path names.

mod declarations;
mod modules;

pub use modules::{CRATES, File, Place, Program};
