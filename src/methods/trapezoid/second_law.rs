//! The law of the second solve of the trapezoid scheme.
//!
//! From (q0, v0, z0), with the convex step (q^, v^, z^) of length h and the positions `q~ = q0 + h N (v0 + v^)/2`,
//! forces and rates are means of those at the start and those at the end, which are linearized about x~ = (q~, v^) and
//! z^. With `e = h/2`,
//!
//! ```text
//! F~ = e F_q N + F_v,   W = (I - e F_z)^-1,   z' = z^ + e W (f(x0, z0) + f(x~, z^) + (z0 - z^)/e + F~ (v - v^))
//! tau(v) = 1/2 clamp(g(x0, z0)) + 1/2 clamp(g(x~, z^) + G_z (z'(v^) - z^) - K (v - v^)),   K as in a step of length e
//! ```
//!
//! For linear feedback that is the trapezoid rule itself, stable whatever the step, but without damping of what is fast
//! against it. Rows that react to nothing are integrated over the step by the rule of Radau,
//! `1/4 g(t0) + 3/4 g(t0 + 2 h/3)`, which does not look at the end of the step, where the input may jump.

use kinegraph_convex::contact::Problem;
use kinegraph_diagram::State;
use kinegraph_engine::linearize::{External, Feedback, Forces, Law, LawSpan, Linearization, TooLong};

/// Law of second solves.
#[derive(Clone, Debug)]
pub(super) struct SecondLaw {
    /// The law about the end of the step.
    pub law: Law,
    /// Forces at the start of the step.
    start: Forces<f64>,
}

/// The second solve of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct SecondSolve<'a> {
    /// The state at the start of the step.
    pub start: &'a State,
    /// Continuous state at the end of the first solve.
    pub hat: &'a [f64],
    /// The continuous state `hat` with the positions q~.
    pub ahead: &'a [f64],
    /// The length of the step \[s\].
    pub dt: f64,
}

impl SecondLaw {
    /// Creates the law, for steps that can or cannot be rejected.
    pub fn new(rejects: bool) -> Self {
        SecondLaw { law: Law::new(rejects), start: Forces::default() }
    }

    /// Evaluates the law for the second solve of a step and writes it into `problem`, whose start velocity is v^.
    ///
    /// # Errors
    /// The step is too long for feedback that destabilizes; `problem` is not complete.
    pub fn apply(
        &mut self,
        external: &mut External,
        linear: &Linearization,
        feedback: Feedback,
        step: SecondSolve<'_>,
        problem: &mut Problem,
    ) -> Result<(), TooLong> {
        let SecondSolve { start, hat, ahead, dt } = step;
        let SecondLaw { law, start: at_start } = self;
        let half = 0.5 * dt;
        law.begin(linear, feedback, LawSpan { dt, state_step: half, share: 0.5 });
        let layout = external.shared_layout();
        external.evaluate(start.time, &start.continuous, at_start);
        external.evaluate(start.time + dt, ahead, law.forces_mut());
        let explicit = feedback == Feedback::Explicit;
        if !explicit {
            law.read_open_loop(external, linear, start.time + dt / 1.5, ahead); // method
            radau(law.forces_mut(), at_start, linear);
        }
        for ((drift, rate), &at) in law.drift_mut().iter_mut().zip(&at_start.derivatives).zip(&layout.external) {
            *drift += rate + (start.continuous[at] - hat[at]) / half;
        }
        if !explicit {
            law.eliminate(linear);
        }
        let forces = law.forces_mut();
        for (row, limit) in external.effort_limits().enumerate() {
            let lagged = 0.5 * (at_start.actuation[row].clamp(-limit, limit) + at_start.applied[row]);
            forces.actuation[row] *= 0.5;
            forces.applied[row] = 0.5 * forces.applied[row] + lagged;
        }
        law.complete(external, linear, feedback, problem)
    }
}

/// Extrapolates rows without reaction from two thirds of the step, such that their mean with the start is the rule of
/// Radau.
fn radau(forces: &mut Forces<f64>, start: &Forces<f64>, linear: &Linearization) {
    let outward = |at: &mut f64, start: f64| *at = 1.5 * *at - 0.5 * start; // method
    for row in 0..forces.actuation.len() {
        if !linear.force_reacts(row) {
            outward(&mut forces.actuation[row], start.actuation[row]);
            outward(&mut forces.applied[row], start.applied[row]);
        }
    }
    for row in 0..forces.derivatives.len() {
        if !linear.state_reacts(row) {
            outward(&mut forces.derivatives[row], start.derivatives[row]);
        }
    }
}
