//! Integrators: they advance the state of a diagram.

use super::{Decisions, DenseStep, ErrorNorm, IntegratorError, SolvedStep, Statistics, StepMemory, StepSolutions};
use kinegraph_core::step_record::StepRecord;
use kinegraph_diagram::{Diagram, State};

/// Result of one call of [`Integrator::advance`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// A step of length `h` \[s\] was taken, with this estimate of its error (0 where the method has none).
    Accepted {
        /// Length of the step \[s\].
        h: f64,
        /// Error estimate in the integrator's norm.
        error: f64,
    },
    /// A step ended at an event, which has been handled.
    Event {
        /// Time of the event \[s\].
        time: f64,
    },
    /// A step was taken that ends exactly at the limit.
    ReachedLimit {
        /// Length of the step \[s\].
        h: f64,
        /// Error estimate in the integrator's norm.
        error: f64,
    },
}

impl Step {
    /// The limit was at the time of the state: no step was taken.
    pub(super) fn nothing() -> Self {
        Step::ReachedLimit { h: 0.0, error: 0.0 }
    }
}

/// Advances the state of a diagram, one step per call.
///
/// An integrator belongs to one diagram ([`Options::build`](super::Options::build)). A copy continues as the original
/// does; both share the data that depend on the diagram alone.
pub trait Integrator: CloneIntegrator + Send + Sync {
    /// Takes one step that ends no later than `limit`; does nothing if that is the state's time. On an error `state` is
    /// unchanged.
    ///
    /// # Errors
    /// The state does not belong to the diagram; the limit is behind it; no step could be taken.
    fn advance(&mut self, state: &mut State, limit: f64) -> Result<Step, IntegratorError>;
    /// Notes that an event changed the state at the current time: derivatives remembered from the last step no longer
    /// hold. The step length is kept.
    fn interrupted(&mut self);
    /// Memory that, with the state, carries over from step to step.
    fn memory(&self) -> StepMemory {
        StepMemory::default()
    }
    /// Restores the memory that [`memory`](Self::memory) returned: a run continues from a saved state bit for bit.
    fn recall(&mut self, _memory: &StepMemory) {}
    /// Forgets earlier steps and sets all counts to zero, as if newly made; keeps its allocations.
    fn restart(&mut self);
    /// Counts since it was made or restarted.
    fn statistics(&self) -> &Statistics;
    /// Counts, to have times measured and attempts kept.
    fn statistics_mut(&mut self) -> &mut Statistics;
    /// Norm of error estimates; `None` of a method without estimates.
    fn error_norm(&self) -> Option<&ErrorNorm> {
        None
    }
    /// Dense output of the last step.
    fn dense(&self) -> &DenseStep;
    /// Records of the last accepted step, one per plant in the order of the diagram; empty before the first step, and
    /// of a method that moves no plants.
    fn records(&self) -> &[StepRecord] {
        &[]
    }
    /// Ends of the solves of the last step, of a method whose efforts are not those along the motion that it keeps.
    fn solved(&self) -> Option<&SolvedStep> {
        None
    }
    /// Longest step that [`advance`](Self::advance) would attempt next \[s\]; infinite where that is not known.
    fn reach(&self) -> f64 {
        f64::INFINITY
    }
    /// Decisions of the last step, with which [`repeat`](Self::repeat) takes it again; `None` of a method whose steps
    /// cannot be differentiated.
    fn decisions(&self) -> Option<&Decisions> {
        None
    }
    /// Solutions of the solves of the last step, for [`Decisions::solutions`]; `None` where nothing was solved.
    fn solutions(&self) -> Option<StepSolutions> {
        None
    }
    /// The less accurate end of the last step, from which its error is estimated; `None` where there is none.
    fn embedded(&self) -> Option<&[f64]> {
        None
    }
    /// Takes a step from `state` to the time `end` with the `decisions` of another, from a state nearby, whatever its
    /// error. Solves are as tight as rounding allows: the end is a smooth function of the state, of the parameters of
    /// the diagram, and of `end`.
    ///
    /// # Errors
    /// No step could be taken; `state` is unchanged.
    fn repeat(&mut self, _state: &mut State, _end: f64, _decisions: &Decisions) -> Result<(), IntegratorError> {
        Err(IntegratorError::NoDerivative { integrator: self.name() })
    }
    /// Name in files and on the command line.
    fn name(&self) -> &'static str;
    /// Diagram of the integrator.
    fn diagram(&self) -> &Diagram;
}

/// Copies of integrators of any kind.
pub trait CloneIntegrator {
    /// Returns a copy that continues as the original does.
    fn clone_box(&self) -> Box<dyn Integrator>;
}

impl<I: Integrator + Clone + 'static> CloneIntegrator for I {
    fn clone_box(&self) -> Box<dyn Integrator> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Integrator> {
    fn clone(&self) -> Self {
        (**self).clone_box()
    }
}
