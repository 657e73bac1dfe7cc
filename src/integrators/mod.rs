//! Integrators: how a diagram's state is advanced in time.
//!
//! An [`Integrator`] takes a diagram and its state and says what happened. A one-step method ([`OneStep`]) knows how to
//! take a step of a given length; [`FixedStep`] and [`StepDoubling`] (with a [`StepControl`]) are wrappers that turn
//! one into an integrator. `icf` is [`FixedStep`] over the convex step, `cenic` is [`StepDoubling`] over it (and an
//! explicit method while motion is free), `cenic-trapezoid` corrects it by a second solve ([`Trapezoid`]). Methods with
//! an error estimate of their own ([`ExplicitRungeKutta`]: `rk3`, `dopri5`) need no wrapper; they take diagrams without
//! plants.

mod attempts;
mod coasting;
pub mod contact;
mod dense;
mod dopri5;
mod error_norm;
mod explicit_rk;
mod fixed_step;
mod one_step;
mod options;
mod rates;
mod rk3;
mod stages;
mod statistics;
mod step_control;
mod step_doubling;
mod transitions;
mod trapezoid;

pub use attempts::{Attempt, Attempts, Outcome};
pub use coasting::CoastingMemory;
pub use contact::IcfStep;
pub use dense::DenseStep;
pub use dopri5::DOPRI5;
pub use error_norm::{ErrorNorm, ErrorWeights};
pub use explicit_rk::{ExplicitRungeKutta, Pace, Tableau};
pub use fixed_step::FixedStep;
pub use one_step::{Candidate, OneStep};
pub use options::{OptionError, Options, Scheme};
pub use rk3::RK3;
pub use statistics::Statistics;
pub use step_control::{Controller, StepControl, StepMemory, Verdict};
pub use step_doubling::StepDoubling;
pub use transitions::Transitions;
pub use trapezoid::Trapezoid;

use crate::diagram::{Diagram, LoopFault, State};
use crate::solvers::icf::SolveFailure;
use crate::systems::port::simultaneous;
use crate::systems::step_record::StepRecord;

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

impl Step {
    /// The limit was where the state is: nothing was done.
    fn nothing() -> Self {
        Step::ReachedLimit { h: 0.0, error: 0.0 }
    }
}

/// Why an attempt at a step failed. The step is rejected and retried with a shorter one.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StepFailure {
    /// The convex problem did not solve.
    #[error("{failure}; its first coordinate is {near}")]
    Solve {
        /// The first coordinate of what hangs together and did not solve.
        near: String,
        /// Why.
        failure: Box<SolveFailure>,
    },
    /// A signal, force or derivative is not a finite number.
    #[error("{what} is not a finite number")]
    NotFinite {
        /// What it was, with the name of the block or coordinate.
        what: String,
    },
    /// Feedback on a plant drives it away from rest with a pole near the inverse of the step.
    #[error(
        "the feedback on plant `{plant}` is unstable, too fast to follow with steps of {step:.3e} s: its linearization has a real pole near 1/step; take shorter steps, or check the signs of its gains"
    )]
    Runaway {
        /// Full name of the plant.
        plant: String,
        /// The step \[s\].
        step: f64,
    },
    /// An algebraic loop did not close.
    #[error(transparent)]
    AlgebraicLoop(#[from] Box<LoopFault>),
    /// A step of free motion would meet a contact or a joint stop.
    #[error("free motion ends at a contact or a joint stop")]
    NotFree,
}

/// Why an integrator cannot go on.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum IntegratorError {
    /// The step fell below the smallest one allowed.
    #[error(
        "at t = {time} s the step fell to {step:.3e} s, below the smallest allowed step {minimum:.3e} s{}",
        last.as_ref().map(|l| format!("; the last attempt failed: {l}. Look at the blocks that drive it")).unwrap_or_else(|| format!(
            "; the largest error is in {worst}. Ask for a looser accuracy or allow smaller steps (`min_step`), or look there for a jump or a stiff gain"
        ))
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
    #[error(
        "at t = {time} s the step of {step} s failed: {failure}. Take shorter steps, or an integrator with error control (`cenic`)"
    )]
    FixedStepFailed {
        /// Time \[s\].
        time: f64,
        /// The step \[s\].
        step: f64,
        /// Why.
        failure: StepFailure,
    },
    /// The limit is before the state's time, or not a number.
    #[error("cannot step from t = {time} s to {limit} s: time runs forward only")]
    LimitBehind {
        /// Time \[s\].
        time: f64,
        /// The limit \[s\].
        limit: f64,
    },
    /// The method needs the derivative of every state, but a plant's velocity is found together with its contacts.
    #[error(
        "integrator `{integrator}` cannot move plant `{plant}`: it needs the derivative of every state, but the motion of a plant is found together with its contacts. Use `cenic`, or `icf` for steps of fixed length"
    )]
    NeedsDerivatives {
        /// The integrator.
        integrator: &'static str,
        /// Full name of the (first) plant.
        plant: String,
    },
    /// A state that is not one of the diagram.
    #[error(
        "the state has {continuous} continuous and {discrete} discrete values; the diagram has {continuous_width} and {discrete_width}: \
         take a state of this diagram (`Diagram::initial_state`, `Simulation::restore`)"
    )]
    ForeignState {
        /// Continuous values of the state.
        continuous: usize,
        /// Discrete values of the state.
        discrete: usize,
        /// Continuous state of the diagram.
        continuous_width: usize,
        /// Discrete state of the diagram.
        discrete_width: usize,
    },
}

/// Whether `state` is one of `diagram`.
fn check_state(diagram: &Diagram, state: &State) -> Result<(), IntegratorError> {
    let (continuous, discrete) = (state.continuous.len(), state.discrete.len());
    let (continuous_width, discrete_width) = (diagram.state_width(), diagram.discrete_width());
    if (continuous, discrete) == (continuous_width, discrete_width) {
        return Ok(());
    }
    Err(IntegratorError::ForeignState { continuous, discrete, continuous_width, discrete_width })
}

/// Time left to `limit`; `None` at the limit.
fn room(state: &State, limit: f64) -> Result<Option<f64>, IntegratorError> {
    let room = limit - state.time;
    if room > 0.0 {
        Ok(Some(room))
    } else if room == 0.0 {
        Ok(None)
    } else {
        Err(IntegratorError::LimitBehind { time: state.time, limit })
    }
}

/// Where a step of length `h` from `time` ends, and whether that is the limit, `room` away. An end that only rounding
/// keeps from the limit is the limit: what happens there must not be passed over.
fn end_of_step(time: f64, h: f64, room: f64, limit: f64) -> (f64, bool) {
    let end = time + h;
    if h >= room || limit - end <= simultaneous(limit) { (limit, true) } else { (end, false) }
}

/// Advances the state of a diagram, one step per call.
pub trait Integrator: Send {
    /// Prepares for a run from `state`: forgets everything remembered from earlier runs, keeps options.
    fn initialize(&mut self, diagram: &Diagram, state: &State) -> Result<(), IntegratorError>;
    /// Takes one step that ends no later than `limit`; does nothing if that is the state's time. On an error `state` is
    /// what it was before the call.
    fn advance(&mut self, state: &mut State, limit: f64) -> Result<Step, IntegratorError>;
    /// An event changed the state at the current time: derivatives remembered from the last step no longer hold. The
    /// step length does.
    fn interrupted(&mut self);
    /// With the state, all that carries over from step to step.
    fn memory(&self) -> StepMemory {
        StepMemory::default()
    }
    /// Remembers what [`memory`](Self::memory) told: a run goes on from a saved state bit for bit.
    fn recall(&mut self, _memory: &StepMemory) {}
    /// Counts since [`initialize`](Self::initialize).
    fn statistics(&self) -> &Statistics;
    /// The same, to have times measured and attempts kept.
    fn statistics_mut(&mut self) -> &mut Statistics;
    /// The norm of error estimates; `None` of a method without any.
    fn error_norm(&self) -> Option<&ErrorNorm> {
        None
    }
    /// The last step, to be evaluated anywhere inside.
    fn dense(&self) -> &DenseStep;
    /// What acted in the last accepted step, one record per plant in the order of the diagram; empty before the first
    /// step, and of a method that moves no plants.
    fn records(&self) -> &[StepRecord] {
        &[]
    }
    /// The name used in files and on the command line.
    fn name(&self) -> &'static str;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_that_ends_at_the_limit_but_for_rounding_has_reached_it() {
        let limit = 0.30000000000000004;
        // 0.2 + 0.1 is the limit, though 0.1 is less than the room; 0.7 + 0.1 falls short of 0.8 by one bit.
        assert_eq!(end_of_step(0.2, 0.1, limit - 0.2, limit), (limit, true));
        assert_eq!(end_of_step(0.7000000000000001, 0.09999999999999987, 0.8 - 0.7000000000000001, 0.8), (0.8, true));
        assert_eq!(end_of_step(0.2, 0.0999, limit - 0.2, limit), (0.2 + 0.0999, false));
    }
}
