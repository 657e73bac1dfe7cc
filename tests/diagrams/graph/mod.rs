//! Pictures of a diagram.

mod hierarchy;
mod pictures;
mod text;
