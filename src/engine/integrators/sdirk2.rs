//! TR-BDF2, a singly diagonally implicit method of second order with an explicit first stage: the trapezoidal rule to
//! the part γ = 2 - sqrt(2) of a step, then the backward differentiation formula of second order to its end [R. E. Bank
//! et al., Transient simulation of silicon devices and circuits, IEEE Trans. CAD 4 (1985)]. It is L-stable. Both stages
//! are of second order, so that stiff equations with a moving right-hand side keep the order; with the two stages of
//! Alexander they do not. The estimate is that of an embedded method of third order, filtered by `(I - d h J)^-1` [M.
//! E. Hosea & L. F. Shampine, Analysis and implementation of TR-BDF2, Appl. Numer. Math. 20 (1996)]: it shrinks with
//! the third power of the step, that of Alexander's method with the second.

use super::ends::Ends;
use super::family::Family;
use super::implicit::{Newton, Stage};
use super::integrator_type::{Build, IntegratorType};
use super::mean_weights::MeanWeights;
use super::ode_integrator::{OPTIONS, OdeIntegrator};
use super::ode_method::{Attempted, Kept, OdeMethod, RightHandSide};
use super::{DenseStep, Options, StepFailure};
use kinegraph_diagram::State;
use std::f64::consts::SQRT_2;

/// `sdirk2`.
pub(super) static TYPE: IntegratorType = IntegratorType {
    name: "sdirk2",
    family: Family::IMPLICIT,
    about: "singly diagonally implicit Runge-Kutta method of second order (TR-BDF2)",
    remarks: "L-stable: what is faster than its steps is damped, not followed. Of the implicit methods the one to take. \
        With plants, contact and friction are followed as they are, and what is rigid (constraints, joint stops, \
        locks) is a spring with a period of 1 ms, which needs no short steps, nor do stiff controllers and bodies that rest. \
        Jacobians are made of differences but for the contacts of balls, and every change of contact or friction asks \
        for some: for few bodies, and as a second opinion; heaps take many times as long as with `cenic`. Impacts are \
        followed better with `error_norm: state`. With error control nothing passes unseen through what is in its way; \
        with a `step` nothing watches for that",
    options: OPTIONS,
    build: Build::Either(|options, diagram, step_length| {
        OdeIntegrator::build(TYPE.name, TrBdf2::default(), options, diagram, step_length)
    }),
};

impl Options {
    /// Options of the singly diagonally implicit method of second order with error control.
    pub fn sdirk2(accuracy: f64) -> Self {
        Options { accuracy, ..Options::of(&TYPE) }
    }
}

/// Part of the step at which the trapezoidal rule ends.
const GAMMA: f64 = 2.0 - SQRT_2;
/// Coefficient of the implicit rate in both stages.
const D: f64 = 0.5 * GAMMA;
/// Coefficient of the other two rates in the last stage.
const W: f64 = 0.25 * SQRT_2;
/// Weights of the embedded method of third order, less those of this one.
const ERROR: [f64; 3] = [(4.0 * W - 1.0) / 3.0, -1.0 / 3.0, 2.0 * D / 3.0];

#[derive(Clone, Default)]
struct TrBdf2 {
    newton: Newton,
    /// Known terms of a stage before it is solved.
    known: Vec<f64>,
    /// The end of the trapezoidal rule, and its rate.
    middle: Vec<f64>,
    middle_rate: Vec<f64>,
}

impl OdeMethod for TrBdf2 {
    fn estimate_order(&self) -> Option<i32> {
        Some(3)
    }

    fn prepare(&mut self, start: &State, _ends: &mut Ends, f: &mut RightHandSide) -> Result<(), StepFailure> {
        self.newton.prepare(start, f);
        Ok(())
    }

    fn growth_rate(&mut self, enough: f64) -> f64 {
        self.newton.jacobian.growth_rate(enough)
    }

    fn attempt(&mut self, step: Attempted, ends: &mut Ends, f: &mut RightHandSide) -> Result<(), StepFailure> {
        let TrBdf2 { newton, known, middle, middle_rate } = self;
        let Ends { rates, end, error } = ends;
        let Attempted { start, h, end: time, accuracy, .. } = step;
        let (x, s) = (&start.continuous, D * h);
        for scratch in [&mut *known, &mut *middle, &mut *middle_rate] {
            scratch.resize(x.len(), 0.0);
        }
        let last = Stage { time, s, h, which: 0, accuracy };
        let first = Stage { time: start.time + GAMMA * h, ..last };
        newton.step(start, rates, f, |newton, rates, f| {
            known.iter_mut().enumerate().for_each(|(i, known)| *known = x[i] + s * rates.start[i]);
            middle.copy_from_slice(x);
            newton.solve(first, known, middle, f)?;
            f.note_at(1, first.time, middle, error)?;
            // The rate that follows from the solution: evaluated there, it would err by the stiffness times the
            // remaining error.
            middle_rate.iter_mut().enumerate().for_each(|(i, rate)| *rate = (middle[i] - known[i]) / s);
            for (i, known) in known.iter_mut().enumerate() {
                *known = x[i] + W * h * (rates.start[i] + middle_rate[i]);
            }
            end.copy_from_slice(middle);
            newton.solve(last, known, end, f)?;
            for (i, error) in error.iter_mut().enumerate() {
                let end_rate = (end[i] - known[i]) / s;
                *error = h * (ERROR[0] * rates.start[i] + ERROR[1] * middle_rate[i] + ERROR[2] * end_rate);
            }
            newton.filter(s, 0, error, f.statistics);
            f.complete(end);
            f.evaluate(time, end, &mut rates.end)
        })
    }

    fn mean_weights(&self) -> MeanWeights {
        MeanWeights { stages: &[W, W], end: D }
    }

    /// Records a cubic with the rates at both ends, near the parabola through the end of the trapezoidal rule.
    fn record(&self, step: Attempted, ends: &Ends, dense: &mut DenseStep) {
        dense.record_parabola((step.start.time, step.end), &step.start.continuous, &ends.end, |i, x, change| {
            (self.middle[i] - x - GAMMA * change) / (GAMMA * (1.0 - GAMMA))
        });
        for (i, error) in ends.error.iter().enumerate() {
            let bend = dense.bend_through(i, GAMMA, self.middle[i]);
            dense.lead(i, (ends.rates.start[i], ends.rates.end[i]), Some(bend), error.abs());
        }
    }

    fn kept(&self) -> Option<&dyn Kept> {
        Some(&self.newton)
    }

    fn kept_mut(&mut self) -> Option<&mut dyn Kept> {
        Some(&mut self.newton)
    }
}
