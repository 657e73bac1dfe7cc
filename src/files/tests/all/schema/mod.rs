//! The parts of a diagram file outside the blocks.

mod wiring;
