//! ROS2, a linearly implicit (Rosenbrock) method of second order
//! [J. G. Verwer, E. J. Spee, J. G. Blom & W. Hundsdorfer, A second-order Rosenbrock method applied to photochemical
//! dispersion problems, SIAM J. Sci. Comput. 20 (1999)]:
//!
//! ```text
//! (I - γ h J) k1 = f(t, x) + γ h f_t
//! (I - γ h J) k2 = f(t + h, x + h k1) - 2 k1 - γ h f_t
//! x1 = x + h (3 k1 + k2)/2,   error = x1 - (x + h k1)
//! ```
//!
//! It is of second order with any matrix in the place of J, so that differences do no harm, but a Jacobian of long ago
//! would hold, without a trace in the estimate, what has come loose: every step begins with one of its own. Of the two
//! values for which it is L-stable, `γ = 1 - 1/sqrt(2)` errs 34 times less than `γ = 1 + 1/sqrt(2)`.

use super::family::Family;
use super::implicit::{CHANGE, Jacobian};
use super::integrator_type::{Build, IntegratorType};
use super::ode_integrator::{OPTIONS, OdeIntegrator};
use super::ode_method::{Attempted, EndRates, OdeMethod, RightHandSide};
use super::{DenseStep, Options, StepFailure};
use crate::diagram::State;
use std::f64::consts::FRAC_1_SQRT_2;

/// `ros2`.
pub(super) static TYPE: IntegratorType = IntegratorType {
    name: "ros2",
    family: Family::Implicit,
    about: "linearly implicit Rosenbrock method of second order",
    remarks: "L-stable, without iterations: two evaluations and one Jacobian for every step. Pays without plants, where \
        Jacobians are exact and cheap; with plants see `sdirk2`",
    options: OPTIONS,
    build: Build::Either(|options, diagram, pace| {
        let method = Ros2::new(diagram.state_width());
        Ok(Box::new(OdeIntegrator::of(method, diagram, pace, &options.error_weights)))
    }),
};

impl Options {
    /// The Rosenbrock method of second order with error control.
    pub fn ros2(accuracy: f64) -> Self {
        Options { accuracy, ..Options::of(&TYPE) }
    }
}

const GAMMA: f64 = 1.0 - FRAC_1_SQRT_2;

#[derive(Clone)]
struct Ros2 {
    jacobian: Jacobian,
    rates: EndRates,
    /// f_t, and the state at which it is.
    time_derivative: Vec<f64>,
    k: [Vec<f64>; 2],
    end: Vec<f64>,
    error: Vec<f64>,
}

impl Ros2 {
    fn new(width: usize) -> Self {
        let [time_derivative, k1, k2, end, error] = std::array::from_fn(|_| vec![0.0; width]);
        let (jacobian, rates) = (Jacobian::default(), EndRates::new(width));
        Ros2 { jacobian, rates, time_derivative, k: [k1, k2], end, error }
    }
}

impl OdeMethod for Ros2 {
    fn name(&self) -> &'static str {
        TYPE.name
    }

    fn estimate_order(&self) -> Option<i32> {
        Some(2)
    }

    fn stability(&self) -> f64 {
        f64::INFINITY
    }

    fn attempt(&mut self, state: &State, step: Attempted, f: &mut RightHandSide) -> Result<(), StepFailure> {
        let Ros2 { jacobian, rates, time_derivative, k: [k1, k2], end, error } = self;
        let Attempted { h, end: time, .. } = step;
        let (x, s) = (&state.continuous, GAMMA * h);
        rates.at_start(state, f)?;
        jacobian.evaluate(state, &rates.start, f)?;
        // Within the step, beyond which the rates may be others.
        let ahead = state.time + (CHANGE * (state.time.abs() + h)).min(h);
        f.evaluate(ahead, x, time_derivative)?;
        let ahead = ahead - state.time;
        for (i, change) in time_derivative.iter_mut().enumerate() {
            *change = if ahead > 0.0 { (*change - rates.start[i]) / ahead } else { 0.0 };
            k1[i] = rates.start[i] + s * *change;
        }
        jacobian.solve(0, s, k1, f.statistics);
        end.iter_mut().enumerate().for_each(|(i, end)| *end = x[i] + h * k1[i]);
        f.evaluate(time, end, k2)?;
        k2.iter_mut().enumerate().for_each(|(i, k2)| *k2 -= 2.0 * k1[i] + s * time_derivative[i]);
        jacobian.solve(0, s, k2, f.statistics);
        for (i, error) in error.iter_mut().enumerate() {
            *error = 0.5 * h * (k1[i] + k2[i]);
            end[i] = x[i] + h * (1.5 * k1[i] + 0.5 * k2[i]);
        }
        f.complete(end);
        rates.at_end(time, end, f)
    }

    fn end(&self) -> &[f64] {
        &self.end
    }

    fn error(&self) -> &[f64] {
        &self.error
    }

    /// A parabola: `k1 + k2 = (1 - 2 γ) h x'' + …`
    fn record(&self, state: &State, step: Attempted, dense: &mut DenseStep) {
        dense.record_parabola((state.time, step.end), &state.continuous, &self.end, |i, _, _| {
            -self.error[i] / (1.0 - 2.0 * GAMMA)
        });
    }

    fn accept(&mut self, state: &State) {
        self.rates.accept(state);
    }

    fn forget(&mut self) {
        self.rates.forget();
    }
}
