//! Options of the convex step.

use crate::integrators::{ErrorWeights, Options};
use crate::linearize::Feedback;
use crate::solvers::icf::{SolverOptions, ToleranceScale};

/// Options of the convex step.
#[derive(Clone, Copy, Debug)]
pub struct IcfOptions {
    /// How the rest of the diagram acts within a step.
    pub feedback: Feedback,
    /// Whether contacts that the step may close take part in it.
    pub anticipate_contact: bool,
    /// What counts in the error norm; `None`: positions of plants, by component, as in the reference implementation.
    pub error_weights: Option<ErrorWeights>,
    /// Whether a failed step can be retried with a shorter one. If not, feedback is simplified until the step can be
    /// taken.
    pub rejects: bool,
    /// Options of the solver.
    pub solver: SolverOptions,
}

impl Default for IcfOptions {
    fn default() -> Self {
        IcfOptions {
            feedback: Feedback::Full,
            anticipate_contact: true,
            error_weights: Some(ErrorWeights::default()),
            rejects: true,
            solver: SolverOptions::default(),
        }
    }
}

impl From<&Options> for IcfOptions {
    /// What the options of an integrator say of its convex steps.
    fn from(options: &Options) -> Self {
        IcfOptions {
            feedback: options.feedback,
            anticipate_contact: !options.reference,
            error_weights: (!options.reference).then_some(options.error_weights),
            rejects: options.error_controlled(),
            solver: SolverOptions {
                method: options.solver,
                scale: if options.reference { ToleranceScale::Reference } else { ToleranceScale::Island },
                ..SolverOptions::default()
            },
        }
    }
}
