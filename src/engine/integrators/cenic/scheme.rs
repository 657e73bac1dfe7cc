//! Interface of a scheme: attempts a step of a given length, and decides which end to keep.

use super::prepared::Prepared;
use super::tuning::CenicTuning;
use crate::integrators::memory::ThirdMemory;
use crate::integrators::rule::RuleSwitches;
use crate::integrators::search::Estimate;
use crate::integrators::{Candidate, DenseStep, OneStep, SolvedStep, Statistics, StepControl, StepFailure};
use kinegraph_convex::contact::ContactForces;
use kinegraph_core::step_record::StepRecord;
use kinegraph_diagram::State;

/// The point of a scheme's method.
pub type Point<S> = <<S as Scheme>::Method as OneStep>::Point;

/// Aim of an attempt: accuracy, rules and numbers.
#[derive(Clone, Copy, Debug)]
pub struct Aim<'a> {
    /// Largest error.
    pub accuracy: f64,
    /// The largest step \[s\], the scale of time.
    pub max_step: f64,
    /// The rules that are on.
    pub on: RuleSwitches,
    /// The longest step that may cross a transition, where one is searched for \[s\].
    pub longest_crossing: Option<f64>,
    /// The numbers of the step.
    pub tuning: &'a CenicTuning,
    /// Contact forces of the last accepted step.
    pub forces: &'a ContactForces,
}

/// A scheme that attempts steps with an estimate of their error, over a one-step method.
pub trait Scheme: Clone + Send + Sync {
    /// The method.
    type Method: OneStep;

    /// The method.
    fn method(&self) -> &Self::Method;

    /// The method, to be changed.
    fn method_mut(&mut self) -> &mut Self::Method;

    /// Begins a step from another state: forgets earlier attempts.
    fn begin(&mut self) {}

    /// Attempts a step of length `h` from `state`, where `start` is to be prepared.
    ///
    /// # Errors
    /// The step has no solution, or none that is finite.
    fn attempt(
        &mut self,
        start: &mut Prepared<Point<Self>>,
        state: &State,
        h: f64,
        aim: &Aim<'_>,
        statistics: &mut Statistics,
    ) -> Result<Estimate, StepFailure>;

    /// End of the last attempt, as it is kept.
    fn end(&mut self) -> &mut Candidate;

    /// The contact forces of the last attempt, from which the next solve starts.
    fn forces(&self) -> &ContactForces;

    /// Memory of third solutions.
    fn third_memory(&self) -> ThirdMemory {
        ThirdMemory::default()
    }

    /// Restores the memory that [`third_memory`](Self::third_memory) returned.
    fn recall_third(&mut self, _memory: ThirdMemory) {}

    /// Notes that the last attempt is accepted, and changes the step wanted next.
    fn accepted(&mut self, _control: &mut StepControl) {}

    /// True if a contact, stop or effort began or ceased to act within the last attempt.
    fn crosses(&mut self) -> bool {
        false
    }

    /// True if the kept end of the last attempt differs from the one that its solves found.
    fn is_improved(&self) -> bool {
        false
    }

    /// Keeps the end of the last attempt as its solves found it.
    fn keep_plain(&mut self) {}

    /// The point in the middle of the last attempt, if it has one.
    fn middle(&self) -> Option<&Point<Self>> {
        None
    }

    /// Notes in `records` the forces of the last attempt, of length `h` from `start`, which is accepted. Reports of
    /// blocks about it go into `discrete`.
    fn record(
        &mut self,
        start: &mut Point<Self>,
        h: f64,
        discrete: &mut [f64],
        records: &mut Vec<StepRecord>,
        statistics: &mut Statistics,
    );

    /// Notes how the solves of the accepted step over `times` ended.
    fn note_solved(&self, _times: (f64, f64), solved: &mut SolvedStep) {
        solved.forget();
    }

    /// The value of coordinate `i` in the middle of the accepted step; `None` where no solve ends there.
    fn half_way(&self, _i: usize) -> Option<f64> {
        None
    }

    /// Bends the dense output of the accepted step from `start` through a point in its middle, for coordinates whose
    /// rates are not known (`rates` is not-a-number) and for those that miss the point by more than the error of the
    /// step and the `accuracy`.
    fn bend(&self, start: &[f64], rates: &[f64], accuracy: f64, dense: &mut DenseStep);
}
