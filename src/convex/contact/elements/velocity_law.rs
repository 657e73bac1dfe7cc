//! The convex law of an element within one solve.

use super::element::{Element, LawContext};
use kinegraph_core::Scalar;
use std::fmt::Debug;

/// A convex law on one velocity within one solve.
pub trait VelocityLaw: Copy + Debug + Send + Sync + 'static {
    /// Element in the problem that has this law.
    type Data: Element;
    /// Number that distinguishes it from other kinds.
    const KIND: u64;
    /// True if it acts on one side only, as a stop does. If not, it acts always, within limits or at one.
    const ONE_SIDED: bool;
    /// For a one-sided law, true if it is as stiff as the step is short, so that steps of different lengths are
    /// different problems.
    const RIGID: bool = true;

    /// The law of `data`.
    fn new(data: &Self::Data, context: &LawContext) -> Self;
    /// The potential \[J\].
    fn cost<S: Scalar>(&self, v: S) -> S;
    /// The generalized impulse: minus the gradient of the cost.
    fn impulse<S: Scalar>(&self, v: S) -> S;
    /// Second derivative of the cost.
    fn hessian(&self, v: f64) -> f64;
    /// Smooth piece of the law that acts at `v`; 0 where a one-sided law does not act.
    fn piece(&self, v: f64) -> u8;
    /// For a rigid law that acts at `v`, true if it holds the joint all through the step. If not, the joint meets it
    /// within the step, or returns to it.
    fn holds(&self, _v: f64) -> bool {
        false
    }
    /// True if motion that the law limited at the velocity `v0`, at the start of the step, has ended or reversed at the
    /// velocity `v`.
    fn ends(&self, _v0: f64, _v: f64) -> bool {
        false
    }
    /// Piece that acts at the start of the step, of a law that reports it.
    fn piece_at_start(&self, v: f64) -> u8 {
        self.piece(v)
    }
}
