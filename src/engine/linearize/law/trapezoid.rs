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

use super::{Law, TooLong, gain};
use crate::linearize::effort_limits::{FREE_EFFORT, effort_limits};
use crate::linearize::{External, Feedback, Linearization};
use kinegraph_convex::contact::Problem;
use kinegraph_diagram::State;

/// The second solve of a step.
#[derive(Clone, Copy, Debug)]
pub struct SecondSolve<'a> {
    /// The state at the start of the step.
    pub start: &'a State,
    /// The continuous state that the first solve found.
    pub hat: &'a [f64],
    /// The same with the positions q~.
    pub ahead: &'a [f64],
    /// The length of the step \[s\].
    pub dt: f64,
}

impl Law {
    /// Evaluates the law for the second solve of a step and writes it into `problem`, whose start velocity is v^.
    ///
    /// # Errors
    /// As [`apply`](Self::apply).
    pub fn apply_trapezoid(
        &mut self,
        external: &mut External,
        linear: &Linearization,
        feedback: Feedback,
        step: SecondSolve<'_>,
        problem: &mut Problem,
    ) -> Result<(), TooLong> {
        let SecondSolve { start, hat, ahead, dt } = step;
        let half = 0.5 * dt;
        (self.dt, self.state_step, self.share, self.decoupled) = (dt, half, 0.5, false);
        let layout = external.shared_layout();
        let nz = layout.external.len();
        let explicit = feedback == Feedback::Explicit;
        self.start(linear, !explicit);
        let mut start_forces = std::mem::take(&mut self.start);
        external.evaluate(start.time, &start.continuous, &mut start_forces);
        external.evaluate(start.time + dt, ahead, &mut self.forces);
        if !explicit {
            self.predicted.clear();
            self.predicted.extend_from_slice(ahead);
            self.read_open_loop_at_the_middle(external, linear, &layout.driven, start.time + dt / 1.5);
            // Such that the mean with the start is the rule of Radau.
            let outward = |at: &mut f64, start: f64| *at = 1.5 * *at - 0.5 * start;
            for row in 0..layout.num_velocities {
                if !linear.force_reacts(row) {
                    outward(&mut self.forces.actuation[row], start_forces.actuation[row]);
                    outward(&mut self.forces.applied[row], start_forces.applied[row]);
                }
            }
            for row in 0..nz {
                if !linear.state_reacts(row) {
                    outward(&mut self.forces.derivatives[row], start_forces.derivatives[row]);
                }
            }
        }
        self.read_drift(nz);
        for (i, &at) in layout.external.iter().enumerate() {
            self.drift[i] += start_forces.derivatives[i] + (start.continuous[at] - hat[at]) / half;
        }
        if !explicit {
            self.eliminate_external_state(linear);
            for (k, part) in [(&mut self.k_actuation, &linear.actuation), (&mut self.k_applied, &linear.applied)] {
                linear.groups.all().iter().for_each(|group| gain(part, group, &self.response, half, k));
                k.scale(0.5);
            }
            self.add_drift(linear, half);
        }
        for (row, limit) in effort_limits(external, 1.0).enumerate() {
            let lagged = 0.5 * (start_forces.actuation[row].clamp(-limit, limit) + start_forces.applied[row]);
            self.forces.actuation[row] *= 0.5;
            self.forces.applied[row] = 0.5 * self.forces.applied[row] + lagged;
        }
        self.start = start_forces;
        if explicit {
            self.write_explicit(external, problem);
            return Ok(());
        }
        self.find_columns(linear, layout.num_velocities);
        // The problem starts at the velocities expected.
        self.clamped.clear();
        for (row, limit) in effort_limits(external, self.share).enumerate() {
            self.clamped.push(self.forces.actuation[row].abs() > FREE_EFFORT * limit);
        }
        self.write(external, feedback, problem)
    }
}
