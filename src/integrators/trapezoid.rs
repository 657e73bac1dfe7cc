//! The trapezoid scheme: the convex step, and a second convex solve that corrects it to the second order \[Kurtz &
//! Castro, CENIC, sec. V-B\].
//!
//! With (q^, v^) the convex step of length h from (q0, v0),
//!
//! ```text
//! M_ (v - v0) + h k_ = h/2 J0' f_c(q0, v0) + 1/2 J^' gamma^(v),   q = q0 + h N_ (v0 + v)/2
//! ```
//!
//! where the underlined are means of the start and (q^, v^); the parts are explained where they are made
//! (`icf/trapezoid.rs` for the convex problem, `linearize/law/trapezoid.rs` for forces and external state). The
//! difference of (q, v) to (q^, v^) is the error estimate, of second order; a difference of velocities counts by the
//! way it makes in a step. In contact the scheme conserves energy to second order; it does not damp what is fast
//! against the step (a contact that the step only just follows, stiff feedback), and error control takes shorter steps
//! there than step doubling needs.
//!
//! Joint stops keep the law of the first solve, near-rigid at the end of the step and at full weight: half of an
//! unbounded force has no meaning. Rigid constraints act along their rows at both ends (`icf/trapezoid.rs`), and take
//! the velocities at both ends to what they allow there (`contact/manifold/ends.rs`).
//!
//! Records (contact forces, forces of constraints, efforts) are those of the first solve.

use super::contact::{Correction, IcfStep, StepPoint};
use super::family::Family;
use super::icf::solver;
use super::integrator_type::{Build, IntegratorType};
use super::limit::{end_of_step, remaining};
use super::one_step::record_dense;
use super::prepared::Prepared;
use super::search::Accepted;
use super::{
    Candidate, DenseStep, ErrorNorm, Integrator, IntegratorError, OneStep, Options, Statistics, Step, StepControl,
    StepFailure, StepMemory,
};
use crate::contact::ContactForces;
use crate::diagram::{Diagram, State};
use crate::systems::step_record::StepRecord;

/// The solver is asked for this part of the error of a step: with an estimate of `e ~ h²` that is of the order of
/// e^(3/2).
const KAPPA: f64 = 1e-3;
/// The tightest relative tolerance that the solver keeps.
const MIN_TOLERANCE: f64 = 1e-11;

/// `cenic-trapezoid`.
pub(super) static TYPE: IntegratorType = IntegratorType {
    name: "cenic-trapezoid",
    family: Family::Convex,
    about: "convex contact step corrected to second order, conserves energy in contact; small steps where it is stiff",
    remarks: "It takes more steps than `cenic`. Where contacts are stiff against the step, and in joint stops, it is \
              of first order",
    options: &[
        "accuracy",
        "max_step",
        "min_step",
        "initial_step",
        "external",
        "feedback",
        "error_norm",
        "error_weights",
        "step_control",
        "solver",
    ],
    build: Build::Controlled(build),
};

fn build(options: &Options, diagram: &Diagram, control: StepControl) -> Result<Box<dyn Integrator>, IntegratorError> {
    let mut solver = solver(options);
    solver.options.min_tolerance = MIN_TOLERANCE;
    let step = IcfStep::new(diagram, options.into(), solver);
    Ok(Box::new(Trapezoid::new(diagram, step, control)))
}

impl Options {
    /// The trapezoid scheme with error control.
    pub fn cenic_trapezoid(accuracy: f64) -> Self {
        Options { accuracy, ..Options::of(&TYPE) }
    }
}

/// The convex step corrected to the second order, with error-controlled steps.
#[derive(Clone)]
pub struct Trapezoid {
    /// The step-size control.
    pub control: StepControl,
    diagram: Diagram,
    method: IcfStep,
    start: Prepared<StepPoint>,
    correction: Correction,
    hat: Candidate,
    end: Candidate,
    /// Contact forces of the last accepted step.
    forces: ContactForces,
    statistics: Statistics,
    dense: DenseStep,
    records: Vec<StepRecord>,
    rates: (Vec<f64>, Vec<f64>),
}

impl Trapezoid {
    /// The scheme over the convex step `method`, under `control`, for `diagram`.
    pub fn new(diagram: &Diagram, method: IcfStep, control: StepControl) -> Self {
        Trapezoid {
            control,
            diagram: diagram.clone(),
            method,
            start: Prepared::default(),
            correction: Correction::default(),
            hat: Candidate::default(),
            end: Candidate::default(),
            forces: ContactForces::default(),
            statistics: Statistics::default(),
            dense: DenseStep::default(),
            records: Vec::new(),
            rates: (Vec::new(), Vec::new()),
        }
    }

    /// Attempts a step of length `h` from `state`: leaves its end in `self.end` and returns the error and the worst
    /// coordinate.
    fn attempt(&mut self, state: &State, h: f64, statistics: &mut Statistics) -> Result<(f64, usize), StepFailure> {
        let tolerance = KAPPA * self.control.accuracy.min(h * h).powf(1.5);
        self.start.prepare(&mut self.method, state, h, statistics)?;
        self.hat.velocity.clear();
        self.hat.velocity.extend_from_slice(self.method.velocity_at(&self.start.point));
        self.hat.forces.clone_from(&self.forces);
        self.method.step(&mut self.start.point, h, tolerance, &mut self.hat, statistics)?;
        let Trapezoid { method, start, hat, correction, end, .. } = self;
        method.correct(&start.point, h, tolerance, hat, correction, end, statistics)?;
        Ok(method.correction_error(hat, correction, end, h))
    }
}

impl Integrator for Trapezoid {
    fn advance(&mut self, state: &mut State, limit: f64) -> Result<Step, IntegratorError> {
        let Some(remaining) = remaining(&self.diagram, state, limit)? else { return Ok(Step::nothing()) };
        let Trapezoid { start, method, control, statistics, .. } = self;
        let longest = start.longest_step(method, state, (control, remaining, f64::INFINITY), statistics);
        let (mut control, mut statistics) = (self.control, std::mem::take(&mut self.statistics));
        let attempt = |h, statistics: &mut Statistics| self.attempt(state, h, statistics);
        let found = control.take(state.time, longest, &mut statistics, attempt);
        (self.control, self.statistics) = (control, statistics);
        let Accepted { h, error, .. } = found.map_err(|stuck| stuck.error(self.method.norm()))?;
        let (end, reached) = end_of_step(state.time, h, remaining, limit);
        record_dense(&self.method, &mut self.dense, state, &self.end.continuous, end, &mut self.rates);
        // The first solve errs by x'' h²/2 where the motion is smooth, four times the deviation of a parabola from the
        // line in the middle of the step.
        for i in (0..self.end.continuous.len()).filter(|&i| self.rates.0[i].is_nan()) {
            let (x0, x, hat) = (state.continuous[i], self.end.continuous[i], self.hat.continuous[i]);
            self.dense.bend(i, 0.5 * (x0 + x) - 0.25 * (hat - x), (hat - x).abs());
        }
        state.continuous.copy_from_slice(&self.end.continuous);
        self.forces.clone_from(&self.hat.forces);
        let Trapezoid { method, start, hat, records, statistics, .. } = self;
        method.record(&mut start.point, h, hat, &mut state.discrete, records, statistics);
        state.time = end;
        Ok(if reached { Step::ReachedLimit { h, error } } else { Step::Accepted { h, error } })
    }

    // The next attempt finds that its state is not the one prepared; nothing else is remembered but the step length.
    fn interrupted(&mut self) {}

    fn memory(&self) -> StepMemory {
        StepMemory { forces: self.forces.clone(), ..self.control.memory().into() }
    }

    fn recall(&mut self, memory: &StepMemory) {
        self.control.recall(memory.control());
        self.forces.recall(&memory.forces);
    }

    fn restart(&mut self) {
        self.recall(&StepMemory::default());
        self.start.forget();
        self.statistics.restart();
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    fn statistics_mut(&mut self) -> &mut Statistics {
        &mut self.statistics
    }

    fn error_norm(&self) -> Option<&ErrorNorm> {
        Some(self.method.norm())
    }

    fn dense(&self) -> &DenseStep {
        &self.dense
    }

    fn records(&self) -> &[StepRecord] {
        // Those of steps before a restart are memory only.
        if self.statistics.steps == 0 { &[] } else { &self.records }
    }

    fn diagram(&self) -> &Diagram {
        &self.diagram
    }

    fn name(&self) -> &'static str {
        TYPE.name
    }
}
