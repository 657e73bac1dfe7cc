//! Options of the contact step.

use crate::integrators::rule::RuleSwitches;
use crate::integrators::tuning::CenicTuning;
use crate::integrators::{Discretization, ErrorWeights, FrictionPlace, Options, PositionIntegration};
use crate::linearize::Feedback;
use kinegraph_convex::contact::MAX_STEP;

/// Options of the contact step.
#[derive(Clone, Copy, Debug)]
pub struct StepOptions {
    /// Treatment of the rest of the diagram within a step.
    pub feedback: Feedback,
    /// True if contacts that the step may close take part in it.
    pub anticipate_contact: bool,
    /// Weights of the error norm; `None`: positions of plants, by component, as in the reference implementation.
    pub error_weights: Option<ErrorWeights>,
    /// True if a failed step can be retried with a shorter one. If not, feedback is simplified until the step can be
    /// taken.
    pub rejects: bool,
    /// Rules that are on, of those that act within a step.
    pub rules: RuleSwitches,
    /// True if the geometry of a contact turns within a step, where one point carries a body: for steps that are
    /// extrapolated.
    pub turns: bool,
    /// True if impacts of contacts and oscillations of springs bound steps that follow oscillations; those of compliant
    /// stops and of feedback with kinks always do.
    pub bounces: bool,
    /// Largest step \[s\], the time scale of a run; of fixed length, the step.
    pub max_step: f64,
    /// Numbers of the step.
    pub tuning: CenicTuning,
    /// Number of threads that compare shapes.
    pub threads: usize,
    /// Choices of discretization that differ from the convex step.
    pub discretization: Discretization,
}

impl Default for StepOptions {
    fn default() -> Self {
        StepOptions {
            feedback: Feedback::Full,
            anticipate_contact: true,
            error_weights: Some(ErrorWeights::default()),
            rejects: true,
            rules: RuleSwitches::ALL,
            turns: false,
            bounces: true,
            max_step: MAX_STEP,
            tuning: CenicTuning::DEFAULT,
            threads: 1,
            discretization: Discretization::default(),
        }
    }
}

impl From<&Options> for StepOptions {
    /// Options of contact steps from the options of an integrator.
    fn from(options: &Options) -> Self {
        let (positions, friction) = match options.reference {
            true => (PositionIntegration::Chord, FrictionPlace::AtPoints),
            false => (PositionIntegration::EndVelocity, FrictionPlace::default()),
        };
        StepOptions {
            feedback: options.feedback,
            anticipate_contact: !options.reference,
            error_weights: (!options.reference).then_some(options.error_weights),
            rejects: options.error_controlled(),
            rules: if options.error_controlled() { options.rules } else { RuleSwitches::ALL },
            turns: false,
            bounces: true,
            max_step: options.longest_step(),
            tuning: if options.error_controlled() { options.tuning } else { CenicTuning::DEFAULT },
            threads: options.threads,
            discretization: Discretization { positions, friction, ..Discretization::default() },
        }
    }
}

impl StepOptions {
    /// Options of a method in which bodies are rigid: contact points have no loads before it has solved for them.
    pub fn of_rigid(options: &Options) -> Self {
        let mut of_rigid = StepOptions::from(options);
        of_rigid.discretization.friction = FrictionPlace::AtPoints;
        of_rigid
    }
}
