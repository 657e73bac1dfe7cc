//! What a run has of its own in steps under error control.

use super::free_motion::FreeMotionSteps;
use super::prepared::Prepared;
use super::rules::Rules;
use super::scheme::{Point, Scheme};
use super::step::Controlled;
use crate::contact::ContactForces;
use crate::integrators::memory::ThirdMemory;
use crate::integrators::run_part::RunPart;
use crate::integrators::{DenseStep, SolvedStep, Statistics, StepControl};
use crate::systems::step_record::StepRecord;
use std::mem::swap;

/// What a run has of its own in [`Controlled`], with a point `P`.
#[derive(Clone)]
pub(super) struct Run<P> {
    control: StepControl,
    rules: Rules,
    free_motion: FreeMotionSteps,
    third: ThirdMemory,
    /// Prepared for the next step, where the last one did so.
    start: Prepared<P>,
    forces: ContactForces,
    statistics: Statistics,
    dense: DenseStep,
    records: Vec<StepRecord>,
    solved: SolvedStep,
}

impl<P: Clone + Send + Sync + 'static> RunPart for Run<P> {
    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

impl<S: Scheme> Controlled<S> {
    /// A copy of what the run has.
    pub(super) fn copy_run(&self) -> Run<Point<S>> {
        Run {
            control: self.control,
            rules: self.rules.clone(),
            free_motion: self.free_motion,
            third: self.scheme.third_memory(),
            start: self.start.clone(),
            forces: self.forces.clone(),
            statistics: self.statistics.clone(),
            dense: self.dense.clone(),
            records: self.records.clone(),
            solved: self.solved.clone(),
        }
    }

    /// Changes runs with `run`.
    pub(super) fn exchange_run(&mut self, run: &mut Run<Point<S>>) {
        swap(&mut self.control, &mut run.control);
        swap(&mut self.rules, &mut run.rules);
        swap(&mut self.free_motion, &mut run.free_motion);
        let third = self.scheme.third_memory();
        self.scheme.recall_third(std::mem::replace(&mut run.third, third));
        swap(&mut self.start, &mut run.start);
        swap(&mut self.forces, &mut run.forces);
        swap(&mut self.statistics, &mut run.statistics);
        swap(&mut self.dense, &mut run.dense);
        swap(&mut self.records, &mut run.records);
        swap(&mut self.solved, &mut run.solved);
        // What was tried, and prepared ahead, is of the other run.
        self.scheme.begin();
        self.ahead.forget();
        self.start.resume(self.scheme.method_mut());
    }
}
