//! Interface of a scheme: attempts a step of a given length, and decides which end to keep.

use super::attempt::Doubling;
use super::prepared::Prepared;
use crate::integrators::contact::{ContactStep, StepPoint};
use crate::integrators::rule::RuleSwitches;
use crate::integrators::search::Estimate;
use crate::integrators::tuning::CenicTuning;
use crate::integrators::{Candidate, DenseStep, Statistics, StepFailure};
use kinegraph_convex::contact::ContactForces;
use kinegraph_core::step_record::StepRecord;
use kinegraph_diagram::State;

/// Aim of an attempt: accuracy, rules and numbers.
#[derive(Clone, Copy, Debug)]
pub struct Aim<'a> {
    /// Largest error.
    pub accuracy: f64,
    /// The rules that are on.
    pub on: RuleSwitches,
    /// The longest step that may cross a transition, where one is searched for \[s\].
    pub longest_crossing: Option<f64>,
    /// The numbers of the step.
    pub tuning: &'a CenicTuning,
    /// Contact forces of the last accepted step.
    pub forces: &'a ContactForces,
}

/// A scheme that attempts steps with an estimate of their error, over the contact step.
pub trait Scheme: Send + Sync {
    /// The contact step.
    fn method(&self) -> &ContactStep;

    /// The contact step, to be changed.
    fn method_mut(&mut self) -> &mut ContactStep;

    /// Attempts a step of length `h` from `state`, where `start` is to be prepared.
    ///
    /// # Errors
    /// The step has no solution, or none that is finite.
    fn attempt(
        &mut self,
        start: &mut Prepared,
        state: &State,
        h: f64,
        aim: &Aim<'_>,
        statistics: &mut Statistics,
    ) -> Result<Estimate, StepFailure>;

    /// End of the last attempt, as it is kept, with the contact forces from which the next solve starts.
    fn end(&self) -> &Candidate;

    /// Step doubling, if this is the scheme: what half steps alone have.
    fn doubling(&self) -> Option<&Doubling> {
        None
    }

    /// Step doubling, to be changed.
    fn doubling_mut(&mut self) -> Option<&mut Doubling> {
        None
    }

    /// Notes in `records` the forces of the last attempt, of length `h` from `start`, which is accepted. Reports of
    /// blocks about it go into `discrete`.
    fn record(
        &mut self,
        start: &mut StepPoint,
        h: f64,
        discrete: &mut [f64],
        records: &mut Vec<StepRecord>,
        statistics: &mut Statistics,
    );

    /// Bends the dense output of the accepted step from `start` through a point in its middle, for coordinates whose
    /// rates are not known (`rates` is not-a-number) and for those that miss the point by more than the error of the
    /// step and the `accuracy`.
    fn bend(&self, start: &[f64], rates: &[f64], accuracy: f64, dense: &mut DenseStep);
}
