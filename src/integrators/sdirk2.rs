//! TR-BDF2, a singly diagonally implicit method of second order with an explicit first stage: the trapezoidal rule to
//! the part γ = 2 - sqrt(2) of a step, then the backward differentiation formula of second order to its end
//! [R. E. Bank et al., Transient simulation of silicon devices and circuits, IEEE Trans. CAD 4 (1985)]. L-stable, and
//! both stages are of second order, so that stiff equations with a right-hand side that moves keep the order, which
//! they do not with the two stages of Alexander. The estimate is that of an embedded method of third order, filtered by
//! `(I - d h J)^-1` [M. E. Hosea & L. F. Shampine, Analysis and implementation of TR-BDF2, Appl. Numer. Math. 20
//! (1996)]: it shrinks with the third power of the step, where that of Alexander's method shrinks with the second.

use super::family::Family;
use super::implicit::{Newton, Stage};
use super::integrator_type::{Build, IntegratorType};
use super::ode_integrator::{OPTIONS, OdeIntegrator};
use super::ode_method::{Attempted, EndRates, OdeMethod, RightHandSide};
use super::{DenseStep, Options, StepFailure};
use crate::diagram::State;
use std::f64::consts::SQRT_2;

/// `sdirk2`.
pub(super) static TYPE: IntegratorType = IntegratorType {
    name: "sdirk2",
    family: Family::Implicit,
    about: "singly diagonally implicit Runge-Kutta method of second order (TR-BDF2)",
    remarks: "L-stable: what is faster than its steps is damped, not followed. Of the implicit methods the one to take. \
        With plants, contact and friction are followed as they are, and what is rigid (constraints, joint stops, \
        locks) is a spring with a period of 1 ms, which needs no short steps, nor do stiff controllers and bodies that rest. \
        Jacobians are made of differences, and every change of contact or friction asks for some: for few bodies, and \
        as a second opinion; heaps of hard bodies take a hundred times as long as with `cenic`. Blows are followed \
        better with `error_norm: state`. Nothing watches for what thin bodies pass through within a step: see \
        `max_step`",
    options: OPTIONS,
    build: Build::Either(|options, diagram, pace| {
        let method = TrBdf2::new(diagram.state_width());
        Ok(Box::new(OdeIntegrator::of(method, diagram, pace, &options.error_weights)))
    }),
};

impl Options {
    /// The singly diagonally implicit method of second order with error control.
    pub fn sdirk2(accuracy: f64) -> Self {
        Options { accuracy, ..Options::of(&TYPE) }
    }
}

/// Where the trapezoidal rule ends.
const GAMMA: f64 = 2.0 - SQRT_2;
/// The coefficient of the implicit rate in both stages.
const D: f64 = 0.5 * GAMMA;
/// That of the other two rates in the last stage.
const W: f64 = 0.25 * SQRT_2;
/// The embedded method of third order, less this one.
const ERROR: [f64; 3] = [(4.0 * W - 1.0) / 3.0, -1.0 / 3.0, 2.0 * D / 3.0];

#[derive(Clone)]
struct TrBdf2 {
    newton: Newton,
    rates: EndRates,
    /// What is known of a stage before it is solved.
    known: Vec<f64>,
    /// The end of the trapezoidal rule, and its rate.
    middle: Vec<f64>,
    middle_rate: Vec<f64>,
    end: Vec<f64>,
    error: Vec<f64>,
}

impl TrBdf2 {
    fn new(width: usize) -> Self {
        let [known, middle, middle_rate, end, error] = std::array::from_fn(|_| vec![0.0; width]);
        let (newton, rates) = (Newton::default(), EndRates::new(width));
        TrBdf2 { newton, rates, known, middle, middle_rate, end, error }
    }
}

impl OdeMethod for TrBdf2 {
    fn name(&self) -> &'static str {
        TYPE.name
    }

    fn estimate_order(&self) -> Option<i32> {
        Some(3)
    }

    fn stability(&self) -> f64 {
        f64::INFINITY
    }

    fn attempt(&mut self, state: &State, step: Attempted, f: &mut RightHandSide) -> Result<(), StepFailure> {
        let TrBdf2 { newton, rates, known, middle, middle_rate, end, error } = self;
        let Attempted { h, end: time, accuracy } = step;
        let (x, s) = (&state.continuous, D * h);
        let last = Stage { time, s, h, which: 0, accuracy };
        let first = Stage { time: state.time + GAMMA * h, ..last };
        newton.step(state, rates, f, |newton, rates, f| {
            known.iter_mut().enumerate().for_each(|(i, known)| *known = x[i] + s * rates.start[i]);
            middle.copy_from_slice(x);
            newton.solve(first, known, middle, f)?;
            // The rate that the solution says: evaluated there it would be wrong by what is stiff times what is left.
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
            rates.at_end(time, end, f)
        })
    }

    fn end(&self) -> &[f64] {
        &self.end
    }

    fn error(&self) -> &[f64] {
        &self.error
    }

    /// A parabola through the end of the trapezoidal rule.
    fn record(&self, state: &State, step: Attempted, dense: &mut DenseStep) {
        dense.record_parabola((state.time, step.end), &state.continuous, &self.end, |i, x, change| {
            (self.middle[i] - x - GAMMA * change) / (GAMMA * (1.0 - GAMMA))
        });
    }

    fn accept(&mut self, state: &State) {
        self.rates.accept(state);
        self.newton.accept();
    }

    fn forget(&mut self) {
        self.rates.forget();
    }

    fn linearized_at(&self) -> Option<&State> {
        self.newton.linearized_at()
    }

    fn recall(&mut self, at: Option<&State>) {
        self.newton.recall(at);
    }
}
