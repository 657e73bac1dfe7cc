//! Options of the contact step.

use crate::integrators::{Discretization, ErrorWeights, Options};
use crate::linearize::Feedback;

/// Options of the contact step.
#[derive(Clone, Copy, Debug)]
pub struct StepOptions {
    /// How the rest of the diagram acts within a step.
    pub feedback: Feedback,
    /// Whether contacts that the step may close take part in it.
    pub anticipate_contact: bool,
    /// What counts in the error norm; `None`: positions of plants, by component, as in the reference implementation.
    pub error_weights: Option<ErrorWeights>,
    /// Whether a failed step can be retried with a shorter one. If not, feedback is simplified until the step can be
    /// taken.
    pub rejects: bool,
    /// What is done in other ways than by the convex step.
    pub discretization: Discretization,
}

impl Default for StepOptions {
    fn default() -> Self {
        StepOptions {
            feedback: Feedback::Full,
            anticipate_contact: true,
            error_weights: Some(ErrorWeights::default()),
            rejects: true,
            discretization: Discretization::default(),
        }
    }
}

impl From<&Options> for StepOptions {
    /// What the options of an integrator say of its contact steps.
    fn from(options: &Options) -> Self {
        StepOptions {
            feedback: options.feedback,
            anticipate_contact: !options.reference,
            error_weights: (!options.reference).then_some(options.error_weights),
            rejects: options.error_controlled(),
            discretization: Discretization::default(),
        }
    }
}
