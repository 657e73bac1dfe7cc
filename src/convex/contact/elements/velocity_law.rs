//! The convex law of an element within one solve.

use super::element::{Element, LawContext};
use kinegraph_core::Scalar;
use std::fmt::Debug;

/// A convex law on one velocity within one solve.
pub trait VelocityLaw: Copy + Debug + Send + Sync + 'static {
    /// What a problem has of it.
    type Data: Element;
    /// Distinguishes it from other kinds.
    const KIND: u64;
    /// Whether it acts on one side only, as a stop does. If not, it acts always, within limits or at one.
    const ONE_SIDED: bool;
    /// Of a one-sided law: whether it is as stiff as the step is short, so that steps of different lengths are
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
    /// Which smooth piece of the law acts at `v`; of a one-sided law, 0 where nothing does.
    fn piece(&self, v: f64) -> u8;
    /// Of a rigid law that acts at `v`: whether it holds what it acts on all through the step. If not, that comes to it
    /// within the step, or returns to it.
    fn holds(&self, _v: f64) -> bool {
        false
    }
    /// True if motion that the law limited at the velocity `v0`, at the start of the step, has ended or turned round
    /// where the velocity is `v`.
    fn ends(&self, _v0: f64, _v: f64) -> bool {
        false
    }
    /// The piece that acts at the start of the step, of a law that reports it.
    fn piece_at_start(&self, v: f64) -> u8 {
        self.piece(v)
    }
}
