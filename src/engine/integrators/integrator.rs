//! What advances the state of a diagram.

use super::{DenseStep, ErrorNorm, IntegratorError, SolvedStep, Statistics, StepMemory};
use kinegraph_core::step_record::StepRecord;
use kinegraph_diagram::{Diagram, State};

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
    pub(super) fn nothing() -> Self {
        Step::ReachedLimit { h: 0.0, error: 0.0 }
    }
}

/// Advances the state of a diagram, one step per call.
///
/// It is made for one diagram ([`Options::build`](super::Options::build)). A copy goes on as the original does; what
/// depends on the diagram alone is shared by both.
pub trait Integrator: CloneIntegrator + Send + Sync {
    /// Takes one step that ends no later than `limit`; does nothing if that is the state's time. On an error `state` is
    /// what it was before the call.
    ///
    /// # Errors
    /// A state that is not one of the diagram; a limit behind it; no step could be taken.
    fn advance(&mut self, state: &mut State, limit: f64) -> Result<Step, IntegratorError>;
    /// An event changed the state at the current time: derivatives remembered from the last step no longer hold. The
    /// step length does.
    fn interrupted(&mut self);
    /// With the state, all that carries over from step to step.
    fn memory(&self) -> StepMemory {
        StepMemory::default()
    }
    /// Remembers what [`memory`](Self::memory) returned: a run goes on from a saved state bit for bit.
    fn recall(&mut self, _memory: &StepMemory) {}
    /// Forgets all that it remembers of earlier steps, and sets its counts to zero, as if it were made anew; keeps its
    /// memory.
    fn restart(&mut self);
    /// Counts since it was made or restarted.
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
    /// How the solves of the last step ended, of a method whose efforts are not those along the motion that it keeps.
    fn solved(&self) -> Option<&SolvedStep> {
        None
    }
    /// The longest step that [`advance`](Self::advance) would attempt next \[s\]; infinite where that is not known.
    fn reach(&self) -> f64 {
        f64::INFINITY
    }
    /// The name used in files and on the command line.
    fn name(&self) -> &'static str;
    /// The diagram that it is made for.
    fn diagram(&self) -> &Diagram;
}

/// Copies of integrators of any kind.
pub trait CloneIntegrator {
    /// A copy that goes on as the original does.
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
