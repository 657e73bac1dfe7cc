//! Shapes and where they touch.

pub mod shape;

pub use shape::Shape;
