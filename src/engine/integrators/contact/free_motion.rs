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
use super::scales::Scales;
use crate::integrators::ends::Ends;
use crate::integrators::stages::Stages;
use crate::integrators::tuning::CenicTuning;
use crate::integrators::{DORMAND_PRINCE, Statistics, StepFailure, StepSpan};
use crate::linearize::{External, Forces, LoopRate};
use kinegraph_convex::profile::Phase;
use kinegraph_core::step_record::StepRecord;
use kinegraph_diagram::State;
use std::cell::RefCell;
use std::sync::Arc;

/// Free motion from step to step; keeps its memory.
#[derive(Clone, Debug)]
pub(super) struct FreeMotion {
    pub(super) stages: Stages,
    pub(super) ends: Ends,
    pub(super) clearance: Clearance,
    /// Constraints and stops.
    pub(super) manifold: Manifold,
    /// End that the embedded method of fourth order finds.
    pub(super) embedded: Vec<f64>,
    pub(super) forces: Forces<f64>,
    pub(super) loop_rate: LoopRate,
    /// True if a step is taken again, whatever comes near.
    pub(super) is_repeated: bool,
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
            is_repeated: false,
        }
    }

    /// Attempts a step over `span` from `point`. Leaves its end in `next` and returns the error and the worst
    /// coordinate. An error of a velocity counts by the distance that it makes in a step.
    pub(super) fn attempt(
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
        if !self.clearance.holds(external, point, h, x) && !self.is_repeated {
            return Err(StepFailure::NotFree);
        }
        next.clone_from(x);
        Ok((estimate, worst))
    }

    /// Fills one record per plant with the forces at `state`, the end of a step of length `h`.
    ///
    /// No problem was solved that a record could report. The reports of plants on a step are the forces at its end, and
    /// the record is that of the motion that continues from there with the acceleration of that instant.
    pub(super) fn record(&mut self, external: &mut External, state: &State, h: f64, records: &mut Vec<StepRecord>) {
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

fn refill<T>(list: &mut Vec<T>, items: impl Iterator<Item = T>) {
    list.clear();
    list.extend(items);
}
