//! The trapezoid scheme: the convex step, and a second convex solve that corrects it to the second order \[Kurtz &
//! Castro, CENIC, sec. V-B\].
//!
//! With (q^, v^) the convex step of length h from (q0, v0),
//!
//! ```text
//! M_ (v - v0) + h k_ = h/2 J0' f_c(q0, v0) + 1/2 J^' gamma^(v),   q = q0 + h N (v0 + v)/2
//! ```
//!
//! where the underlined are means of the start and (q^, v^), and orientations turn by the mean angular velocity; the
//! parts are explained where they are made (`average.rs` for the convex problem, `linearize/law/trapezoid.rs` for
//! forces and external state). The difference of (q, v) to (q^, v^) is the error estimate, of second order; a
//! difference of velocities counts by the way it makes in a step. In contact the scheme conserves energy to second
//! order; it does not damp what is fast against the step (a contact that the step only just follows, stiff feedback),
//! and error control takes shorter steps there than step doubling needs.
//!
//! Joint stops keep the law of the first solve, near-rigid at the end of the step and at full weight: half of an
//! unbounded force has no meaning. Rigid constraints act along their rows at both ends (`average.rs`), and take
//! the velocities at both ends to what they allow there (`contact/manifold/ends.rs`).
//!
//! Records (contact forces, forces of constraints, efforts) are those of the first solve.

mod average;
mod compliant_rows;
mod correct;
mod end_moved;
mod followed;
mod second_law;
mod spins;
mod untouched;

use correct::{Correction, correct, correction_error};
use kinegraph_core::step_record::StepRecord;
use kinegraph_diagram::{Diagram, State};
use kinegraph_engine::integrators::Estimate;
use kinegraph_engine::integrators::Family;
use kinegraph_engine::integrators::ToSolve;
use kinegraph_engine::integrators::contact::{IcfStep, StepOptions, StepPoint};
use kinegraph_engine::integrators::icf::solver;
use kinegraph_engine::integrators::{Aim, Controlled, Prepared, Scheme};
use kinegraph_engine::integrators::{Build, IntegratorType};
use kinegraph_engine::integrators::{
    Candidate, DenseStep, Integrator, IntegratorError, OneStep, Options, Statistics, StepControl, StepFailure,
};
use kinegraph_engine::integrators::{Rule, RuleSwitches};

/// The tightest relative tolerance to which rounding lets problems be solved.
const ROUNDING: f64 = 4.5e4 * f64::EPSILON;

/// `cenic-trapezoid`.
pub static TYPE: IntegratorType = IntegratorType {
    name: "cenic-trapezoid",
    family: Family::CONVEX,
    about: "convex contact step corrected to second order, conserves energy in contact; small steps where it is stiff",
    remarks: "It takes more steps than `cenic`. Where contacts or compliant constraints are stiff against the step, and \
              in joint stops, it is of first order",
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
        "rules",
        "tuning",
    ],
    build: Build::Controlled(build),
};

fn build(options: &Options, diagram: &Diagram, control: StepControl) -> Result<Box<dyn Integrator>, IntegratorError> {
    let mut solver = solver(options);
    solver.options.min_tolerance = ROUNDING;
    let of_steps = StepOptions::from(options);
    let tuning = of_steps.tuning.for_second_order();
    let step = IcfStep::new(diagram, StepOptions { bounces: false, tuning, ..of_steps }, solver);
    let mut trapezoid = over(diagram, step, control);
    trapezoid.tune(&options.tuning);
    trapezoid.switch(RULES.and(options.rules));
    Ok(Box::new(trapezoid))
}

/// The convex step corrected to the second order, with error-controlled steps.
pub type Trapezoid = Controlled<CorrectedStep>;

/// The rules that apply: the scheme is of the second order by itself, and has no half steps. It keeps the energy of
/// contacts and springs; what is slack and then stiff it meets by the rule for oscillations.
const RULES: RuleSwitches = RuleSwitches::PLAIN.with(Rule::Oscillation);

/// The scheme over the convex step `method`, under `control`, for `diagram`.
pub fn over(diagram: &Diagram, method: IcfStep, control: StepControl) -> Trapezoid {
    let mut trapezoid = Controlled::over(TYPE.name, diagram, CorrectedStep::new(method), control);
    trapezoid.switch(RuleSwitches::PLAIN);
    trapezoid
}

/// The convex step corrected to the second order.
#[derive(Clone)]
pub struct CorrectedStep {
    method: IcfStep,
    correction: Correction,
    hat: Candidate,
    end: Candidate,
}

impl CorrectedStep {
    fn new(method: IcfStep) -> Self {
        let (hat, end) = (Candidate::default(), Candidate::default());
        CorrectedStep { method, correction: Correction::default(), hat, end }
    }
}

impl Scheme for CorrectedStep {
    fn method(&self) -> &IcfStep {
        &self.method
    }

    fn method_mut(&mut self) -> &mut IcfStep {
        &mut self.method
    }

    /// The error of a step is of the third order: problems are solved as well as rounding allows, which costs an
    /// iteration more here and there.
    fn attempt(
        &mut self,
        start: &mut Prepared,
        state: &State,
        h: f64,
        aim: &Aim<'_>,
        statistics: &mut Statistics,
    ) -> Result<Estimate, StepFailure> {
        let tolerance = ROUNDING;
        let CorrectedStep { method, correction, hat, end } = self;
        start.prepare(method, state, h, statistics)?;
        hat.velocity.clear();
        hat.velocity.extend_from_slice(method.velocity_at(&start.point));
        hat.forces.clone_from(aim.forces);
        method.step(&mut start.point, h, tolerance, hat, statistics)?;
        correct(method, &start.point, ToSolve { h, tolerance }, hat, correction, end, statistics)?;
        // The first solve of the next step starts from the forces of this one.
        end.forces.clone_from(&hat.forces);
        Ok(correction_error(method, hat, correction, end, h).into())
    }

    fn end(&self) -> &Candidate {
        &self.end
    }

    fn record(
        &mut self,
        start: &mut StepPoint,
        h: f64,
        discrete: &mut [f64],
        records: &mut Vec<StepRecord>,
        statistics: &mut Statistics,
    ) {
        let CorrectedStep { method, hat, .. } = self;
        method.record(start, h, hat, discrete, records, statistics);
    }

    /// The first solve errs by ẍ h²/2 where the motion is smooth, four times the deviation of a parabola from the line
    /// in the middle of the step.
    fn bend(&self, start: &[f64], rates: &[f64], accuracy: f64, dense: &mut DenseStep) {
        let (end, hat) = (&self.end.continuous, &self.hat.continuous);
        for i in 0..end.len() {
            let (x0, x, hat) = (start[i], end[i], hat[i]);
            let (middle, most) = (0.5 * (x0 + x) - 0.25 * (hat - x), (hat - x).abs()); // formula
            if rates[i].is_nan() {
                dense.bend(i, middle, most);
            } else {
                dense.bend_if_off(i, middle, most, || self.method.plan.norm.deviation(i, accuracy));
            }
        }
    }
}
