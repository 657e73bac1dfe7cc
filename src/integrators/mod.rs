//! Integrators: how a diagram's state is advanced in time.
//!
//! An [`Integrator`] takes a diagram and its state and says what happened. A one-step method ([`OneStep`]) knows how to take a step
//! of a given length; [`FixedStep`] and [`StepDoubling`] (with a [`StepControl`]) are wrappers that turn one into an integrator.
//! `icf` is [`FixedStep`] over the convex step, `cenic` is [`StepDoubling`] over it.

mod dense;
mod error_norm;
mod fixed_step;
pub mod icf;
mod memory;
mod one_step;
mod options;
mod statistics;
mod step_control;
mod step_doubling;

pub use dense::DenseStep;
pub use error_norm::ErrorNorm;
pub use fixed_step::FixedStep;
pub use icf::IcfStep;
pub use memory::Memory;
pub use one_step::{Candidate, OneStep};
pub use options::{OptionError, Options, Scheme};
pub use statistics::Statistics;
pub use step_control::{StepControl, Verdict};
pub use step_doubling::StepDoubling;

use crate::diagram::{Diagram, State};
use crate::icf::SolveFailure;

/// What one call of [`Integrator::advance`] did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// A step of length `h` \[s\] was taken, with this estimate of its error (0 where the method has none).
    Accepted {
        /// Length of the step.
        h: f64,
        /// Error estimate in the integrator's norm.
        error: f64,
    },
    /// A step ended at an event, which has been handled.
    Event {
        /// When \[s\].
        time: f64,
    },
    /// A step was taken that ends exactly at the limit.
    ReachedLimit {
        /// Length of the step.
        h: f64,
        /// Error estimate in the integrator's norm.
        error: f64,
    },
}

/// Why an attempt at a step failed. The step is rejected and retried with a shorter one.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StepFailure {
    /// The convex problem did not solve.
    #[error(transparent)]
    Solve(#[from] SolveFailure),
    /// A signal, force or derivative is not a finite number.
    #[error("{what} is not a finite number")]
    NotFinite {
        /// What it was, with the name of the block or coordinate.
        what: String,
    },
}

/// Why an integrator cannot go on.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum IntegratorError {
    /// The step fell below the smallest one allowed.
    #[error(
        "at t = {time} s the step fell to {step:.3e} s, below the smallest allowed step {minimum:.3e} s{}",
        last.as_ref().map(|l| format!("; the last attempt failed: {l}")).unwrap_or_else(|| format!("; the largest error is in {worst}"))
    )]
    StepTooSmall {
        /// Time \[s\].
        time: f64,
        /// The step asked for \[s\].
        step: f64,
        /// The smallest one allowed \[s\].
        minimum: f64,
        /// Name of the coordinate with the largest error.
        worst: String,
        /// The last failure, if attempts failed rather than being inaccurate.
        last: Option<StepFailure>,
    },
    /// A fixed step failed.
    #[error("at t = {time} s the step of {step} s failed: {failure}")]
    FixedStepFailed {
        /// Time \[s\].
        time: f64,
        /// The step \[s\].
        step: f64,
        /// Why.
        failure: StepFailure,
    },
    /// The diagram has nothing this integrator can advance.
    #[error("{0}")]
    Unsuitable(String),
}

/// Advances the state of a diagram, one step per call.
pub trait Integrator: Send {
    /// Prepares for a run from `state`: forgets everything remembered from earlier runs, keeps options.
    fn initialize(&mut self, diagram: &Diagram, state: &State) -> Result<(), IntegratorError>;
    /// Takes one step that ends no later than `limit`. On an error `state` is what it was before the call.
    fn advance(&mut self, state: &mut State, limit: f64) -> Result<Step, IntegratorError>;
    /// An event changed the state at the current time: derivatives remembered from the last step no longer hold. The step length does.
    fn interrupted(&mut self);
    /// Counts since [`initialize`](Self::initialize).
    fn statistics(&self) -> &Statistics;
    /// The last step, to be evaluated anywhere inside.
    fn dense(&self) -> &DenseStep;
    /// What the next steps depend on besides the state. Nothing, for a method without memory.
    fn memory(&self) -> Memory {
        Memory::default()
    }
    /// Takes back what [`memory`](Self::memory) of an integrator of the same kind said; called after [`initialize`](Self::initialize). The steps
    /// that follow are then those that the other one would have taken, to the last bit.
    fn recall(&mut self, _memory: &Memory) {}
    /// The name used in files and on the command line.
    fn name(&self) -> &'static str;
}
