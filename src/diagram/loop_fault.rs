//! Fault of an algebraic loop that cannot be solved.

use std::fmt;
use thiserror::Error;

/// An algebraic loop that could not be solved.
#[derive(Clone, PartialEq, Error)]
#[error(
    "at t = {time} s the algebraic loop of {} cannot be solved: {cause} after {iterations} iterations; {worst} misses its own value by {residual:.3e}. \
     Break the loop with a block whose output depends on its state only (an integrator, a filter), or start nearer to a solution",
    .ports.join(", ")
)]
pub struct LoopFault {
    /// Time \[s\].
    pub time: f64,
    /// The outputs of the loop, in the order in which they are computed.
    pub ports: Vec<String>,
    /// Cause of the failure.
    pub cause: LoopCause,
    /// Newton iterations spent.
    pub iterations: usize,
    /// Largest residual: difference between the value of an output that was assumed and the one computed from it.
    pub residual: f64,
    /// Name of the number with that residual.
    pub worst: String,
}

kinegraph_core::debug_is_message!(LoopFault);

/// Cause why an algebraic loop cannot be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopCause {
    /// No step brought the outputs closer to agreement: there may be no solution.
    NoProgress,
    /// Too many iterations.
    TooSlow,
    /// An output is not a finite number.
    NotFinite,
    /// The outputs agree, but do not determine their derivatives: the gain around the loop is one.
    Singular,
}

impl fmt::Display for LoopCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LoopCause::NoProgress => "no progress (there may be no solution)",
            LoopCause::TooSlow => "no convergence",
            LoopCause::NotFinite => "an output is not a finite number",
            LoopCause::Singular => "the solution has no derivative (the gain around the loop is one)",
        })
    }
}
