//! Steps of free motion, without any convex problem.
//!
//! Where no contact, lock or compliant constraint acts anywhere in the diagram, its motion is an ordinary
//! differential equation `x' = f(t, x)`: the forward dynamics of the plants and the external system, on the manifold of
//! rigid constraints and of the stops that hold ([`Manifold`]). The method of Dormand and Prince follows it with an
//! error of the fifth order, at six evaluations a step, in steps many times longer than those of the convex step, whose
//! error is of the first.
//!
//! Long steps must not jump over obstacles: see [`Clearance`]; they end where joint stops are met. Nor may steps be
//! long against the rates of feedback, damping and springs, with which an explicit method fails: where the convex step
//! can be much longer it is kept.

use super::clearance::Clearance;
use super::manifold::Manifold;
use super::plan::StepPlan;
use super::point::StepPoint;
use super::record;
use super::scales::Scales;
use super::step::{ContactStep, Prediction, Scratch};
use crate::integrators::cenic::CenicTuning;
use crate::integrators::ends::Ends;
use crate::integrators::output_errors::larger;
use crate::integrators::stages::Stages;
use crate::integrators::{Candidate, DORMAND_PRINCE, DenseStep, Statistics, StepFailure, StepSpan};
use crate::linearize::{External, Feedback, Forces, LoopRate};
use kinegraph_convex::profile::Phase;
use kinegraph_core::step_record::StepRecord;
use kinegraph_diagram::State;
use std::cell::RefCell;
use std::sync::Arc;

/// Free motion from step to step; keeps its memory.
#[derive(Clone, Debug)]
pub(super) struct FreeMotion {
    stages: Stages,
    ends: Ends,
    clearance: Clearance,
    /// Constraints and stops.
    manifold: Manifold,
    /// End that the embedded method of fourth order finds.
    embedded: Vec<f64>,
    forces: Forces<f64>,
    loop_rate: LoopRate,
}

impl FreeMotion {
    /// Free motion of states of `width` numbers, with these numbers of the step and these scales of the run.
    pub fn new(width: usize, tuning: &CenicTuning, scales: &Arc<Scales>) -> Self {
        FreeMotion {
            stages: Stages::new(&DORMAND_PRINCE, width),
            ends: Ends::new(width),
            clearance: Clearance::new(tuning),
            manifold: Manifold::new(tuning, scales),
            embedded: Vec::new(),
            forces: Forces::default(),
            loop_rate: LoopRate::default(),
        }
    }

    /// Attempts a step over `span` from `point`. Leaves its end in `next` and returns the error and the worst
    /// coordinate. An error of a velocity counts by the distance that it makes in a step.
    fn attempt(
        &mut self,
        plan: &StepPlan,
        external: &mut External,
        point: &StepPoint,
        span: StepSpan,
        next: &mut Vec<f64>,
        statistics: &mut Statistics,
    ) -> Result<(f64, usize), StepFailure> {
        let h = span.h;
        let diagram = external.diagram().clone();
        let layout = external.shared_layout();
        let (bound, off) = (!self.manifold.is_idle(), self.manifold.is_off());
        let manifold = RefCell::new(&mut self.manifold);
        let mut projected = true;
        let reacts = external.reacts();
        let rate = |_, time: f64, x: &[f64], k: &mut [f64]| {
            let mut lap = statistics.watch.start();
            external.rates(time, x, k);
            statistics.watch.lap(Phase::External, &mut lap);
            statistics.derivative_evaluations += 1;
            if let Some(fault) = external.loop_fault() {
                return Err(Box::new(fault.clone()).into());
            }
            if bound && !manifold.borrow_mut().add(&diagram, &layout, x, k) {
                return Err(StepFailure::NotFree);
            }
            match k.iter().position(|k| !k.is_finite()) {
                // Where an effort reaches its limit the rates bend: steps are cut there.
                None if reacts && !external.keeps_from_limits(time, x) => Err(StepFailure::NotFree),
                None => Ok(()),
                Some(bad) => {
                    Err(StepFailure::NotFinite { what: format!("the derivative of {}", diagram.state_names()[bad]) })
                }
            }
        };
        let normalize = |x: &mut [f64]| layout.normalize_quaternions(&diagram, x);
        let start = &point.state.continuous;
        let complete = |x: &mut [f64]| {
            normalize(x);
            projected = !bound || off || manifold.borrow_mut().project(&diagram, &layout, h, start, x);
        };
        self.stages.attempt(&DORMAND_PRINCE, &point.state, span, &mut self.ends, rate, complete)?;
        if !projected {
            return Err(StepFailure::NotFree);
        }
        let Ends { end: x, error, .. } = &self.ends;
        self.embedded.clear();
        self.embedded.extend(x.iter().zip(error).map(|(x, e)| x - e));
        normalize(&mut self.embedded);
        let (mut estimate, worst) = plan.norm.distance(x, &self.embedded);
        let weighted = error.iter().zip(&plan.weights).zip(&plan.movers.is_velocity);
        for ((e, weight), _) in weighted.filter(|(_, is)| **is) {
            estimate = estimate.max(h * e.abs() * weight);
        }
        if !self.clearance.holds(external, point, h, x) {
            return Err(StepFailure::NotFree);
        }
        next.clone_from(x);
        Ok((estimate, worst))
    }

    /// Fills one record per plant with the forces at `state`, the end of a step of length `h`.
    ///
    /// No problem was solved that a record could report. The reports of plants on a step are the forces at its end, and
    /// the record is that of the motion that continues from there with the acceleration of that instant.
    fn record(&mut self, external: &mut External, state: &State, h: f64, records: &mut Vec<StepRecord>) {
        external.evaluate(state.time, &state.continuous, &mut self.forces);
        let (diagram, layout) = (external.diagram(), external.layout());
        let rates = &self.ends.rates.end;
        records.resize_with(layout.plants.len(), StepRecord::default);
        for (p, (slot, record)) in layout.plants.iter().zip(records.iter_mut()).enumerate() {
            let plant = layout.plant(diagram, slot);
            let structure = plant.structure();
            (record.end, record.length) = (state.time, h);
            let (q, v) = (&state.continuous[slot.positions.clone()], &state.continuous[slot.velocities.clone()]);
            refill(&mut record.q, q.iter().copied());
            refill(&mut record.v, v.iter().copied());
            refill(&mut record.velocity, v.iter().zip(&rates[slot.velocities.clone()]).map(|(v, a)| v + h * a));
            let efforts = self.forces.actuation[slot.global.clone()].iter().zip(&structure.effort_limits);
            refill(&mut record.actuation, efforts.map(|(effort, limit)| effort.clamp(-limit, *limit)));
            refill(&mut record.applied, self.forces.applied[slot.global.clone()].iter().copied());
            for zeros in [&mut record.passive, &mut record.constraints] {
                refill(zeros, v.iter().map(|_| 0.0));
            }
            refill(&mut record.stops, structure.limits.iter().map(|_| 0.0));
            refill(&mut record.multipliers, structure.constraints.iter().map(|_| [0.0; 6]));
            refill(&mut record.wrenches, structure.bodies.iter().map(|_| [0.0; 6]));
            plant.add_input_wrenches(&external.context(p, state.time, &state.continuous), &mut record.wrenches);
            record.contacts.clear();
        }
        self.manifold.record(external, h, records);
    }
}

impl ContactStep {
    /// True if rigid constraints or joint stops take part in motion from `point` that could be followed as free motion.
    pub(in crate::integrators) fn is_bound(&self, point: &StepPoint) -> bool {
        point.problem.is_free() && Manifold::binds(&self.plan.scales, &self.external, point)
    }

    /// Changes the velocities of `state`, where `point` is, to those that constraints and joint stops allow, and finds
    /// which stops hold there; `bound`: the result of [`is_bound`](Self::is_bound). Returns whether a velocity changed:
    /// then the point no longer belongs to the state.
    pub(in crate::integrators) fn settle(&mut self, point: &StepPoint, state: &mut State, bound: bool) -> bool {
        let FreeMotion { manifold, ends, .. } = &mut self.free;
        manifold.switch(&point.switches);
        if !bound {
            manifold.leave();
            return false;
        }
        let known = manifold.knows(state);
        let changed = manifold.settle(&mut self.external, state);
        if !known {
            ends.rates.forget();
        }
        changed
    }

    /// Time \[s\] within the last attempted step of free motion, of length `h` from `point` to `next`, at which a joint
    /// meets a stop or leaves one.
    pub(in crate::integrators) fn ends_early(&mut self, point: &StepPoint, h: f64, next: &Candidate) -> Option<f64> {
        let ContactStep { free, external, prediction: Prediction { kinks, .. }, .. } = self;
        let ends = [&*point.state.continuous, &*next.continuous];
        let early = free.manifold.ends_early(external, h, ends[0], ends[1]);
        if !external.has_kinks() {
            return early;
        }
        let bent = kinks.passed(external, [point.state.time, h], ends);
        early.into_iter().chain(bent).reduce(f64::min)
    }

    /// Bound on the rates of free motion at `point` \[1/s\], which is not made sharper below `enough`; infinite where
    /// the motion is not free.
    pub(in crate::integrators) fn fastest_rate(&mut self, point: &StepPoint, enough: f64) -> f64 {
        let ContactStep { plan, external, free: FreeMotion { forces, loop_rate, .. }, .. } = self;
        let explicit = external.reacts() && plan.options.feedback == Feedback::Explicit;
        if !point.problem.is_free() || external.is_switched() || explicit || Manifold::yields(external, point) {
            return f64::INFINITY;
        }
        let (time, continuous) = (point.state.time, &point.state.continuous);
        if external.reacts() {
            external.evaluate(time, continuous, forces);
            // The convex step names the fault.
            if external.loop_fault().is_some() || !external.keeps_from_limits(time, continuous) {
                return f64::INFINITY;
            }
        }
        loop_rate.bound(&point.problem, &point.linear, enough)
    }

    /// Distance between the end of the step of length `h` from `point` to `next` and the place to which the velocity of
    /// its start leads. Under constant acceleration the half steps of a convex step of the same length differ from the
    /// full one by half of it.
    pub(in crate::integrators) fn departure(&mut self, point: &StepPoint, h: f64, next: &Candidate) -> f64 {
        let ContactStep { plan, external, scratch: Scratch { ahead, rates, .. }, .. } = self;
        ahead.clone_from(&next.continuous);
        let (start, velocity) = (&point.state.continuous, point.problem.start_velocity());
        external.layout().advance_positions(external.diagram(), start, velocity, h, ahead, rates);
        plan.norm.distance(ahead, &next.continuous).0
    }

    /// Time \[s\], up to `h`, in which the motion from `point` touches nothing, as predicted before it is followed.
    pub(in crate::integrators) fn free_time(&mut self, point: &StepPoint, h: f64) -> f64 {
        let free = self.free.clearance.predict_approach(&self.external, point, h);
        if self.external.has_kinks() { free.min(point.bounds.bent) } else { free }
    }

    /// Attempts a step of free motion over `span` from `point`: writes its end to `next` and returns the error and the
    /// worst coordinate. The rates at the end of the step last accepted serve this one where it begins there.
    ///
    /// # Errors
    /// [`StepFailure::NotFree`]: bodies could touch.
    pub(in crate::integrators) fn step_freely(
        &mut self,
        point: &StepPoint,
        span: StepSpan,
        accuracy: f64,
        next: &mut Candidate,
        statistics: &mut Statistics,
    ) -> Result<(f64, usize), StepFailure> {
        let ContactStep { plan, external, free, outputs, .. } = self;
        let mut found = free.attempt(plan, external, point, span, &mut next.continuous, statistics)?;
        if let Some(outputs) = outputs {
            let ends = [&*next.continuous, &free.embedded];
            let error = outputs.of_ends(accuracy, span.end, ends, &point.state.discrete);
            found = larger(found, error, plan.norm.num_coordinates());
        }
        external.layout().gather_velocities(&next.continuous, &mut next.velocity);
        Ok(found)
    }

    /// Accepts the step of free motion over `span` from `state`, the last one attempted: advances `state`, records the
    /// step for dense output, and notes in `records` the forces. Reports of blocks about the step go into the discrete
    /// state.
    pub(in crate::integrators) fn accept_free_motion(
        &mut self,
        state: &mut State,
        span: StepSpan,
        dense: &mut DenseStep,
        records: &mut Vec<StepRecord>,
    ) {
        let ContactStep { plan, external, free, .. } = self;
        let StepSpan { h, end } = span;
        let last = &mut free.ends.end;
        if free.manifold.is_off() {
            // Back to constraints and stops that the start violated.
            free.manifold.project(external.diagram(), external.layout(), h, &state.continuous, last);
        }
        free.stages.record(&DORMAND_PRINCE, state, span, &free.ends, dense);
        state.continuous.copy_from_slice(&free.ends.end);
        state.time = end;
        let changed = free.manifold.settle_end(external, state);
        free.record(external, state, h, records);
        let ends = free.clearance.points_at(external, &state.continuous);
        record::read_out(external, records, ends, &mut state.discrete);
        free.ends.rates.accept(state);
        if plan.reads_records || changed {
            // Rates that depend on reports about the step are evaluated anew.
            free.ends.rates.forget();
        }
    }
}

fn refill<T>(list: &mut Vec<T>, items: impl Iterator<Item = T>) {
    list.clear();
    list.extend(items);
}
