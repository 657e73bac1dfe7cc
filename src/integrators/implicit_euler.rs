//! The implicit Euler method with step doubling: `x1 = x + h f(t + h, x1)`, the end by two steps of half the length,
//! the error by one of the whole.

use super::family::Family;
use super::implicit::{Newton, Stage};
use super::integrator_type::{Build, IntegratorType};
use super::ode_integrator::{OPTIONS, OdeIntegrator};
use super::ode_method::{Attempted, EndRates, OdeMethod, RightHandSide};
use super::{DenseStep, Options, StepFailure};
use crate::diagram::State;

/// `implicit-euler`.
pub(super) static TYPE: IntegratorType = IntegratorType {
    name: "implicit-euler",
    family: Family::Implicit,
    about: "implicit Euler method, of first order, error control by step doubling",
    remarks: "L-stable: what is faster than its steps is damped, not followed. With plants as `sdirk2`, in more and \
        shorter steps where they are accurate",
    options: OPTIONS,
    build: Build::Either(|options, diagram, pace| {
        let method = ImplicitEuler::new(diagram.state_width());
        Ok(Box::new(OdeIntegrator::of(method, diagram, pace, &options.error_weights)))
    }),
};

impl Options {
    /// The implicit Euler method with error control.
    pub fn implicit_euler(accuracy: f64) -> Self {
        Options { accuracy, ..Options::of(&TYPE) }
    }
}

#[derive(Clone)]
struct ImplicitEuler {
    newton: Newton,
    rates: EndRates,
    full: Vec<f64>,
    half: Vec<f64>,
    end: Vec<f64>,
    error: Vec<f64>,
}

impl ImplicitEuler {
    fn new(width: usize) -> Self {
        let [full, half, end, error] = std::array::from_fn(|_| vec![0.0; width]);
        ImplicitEuler { newton: Newton::default(), rates: EndRates::new(width), full, half, end, error }
    }
}

impl OdeMethod for ImplicitEuler {
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
        let ImplicitEuler { newton, rates, full, half, end, error } = self;
        let Attempted { h, end: time, accuracy } = step;
        let x = &state.continuous;
        let whole = Stage { time, s: h, h, which: 0, accuracy };
        let second = Stage { s: 0.5 * h, which: 1, ..whole };
        let first = Stage { time: state.time + 0.5 * h, ..second };
        newton.step(state, rates, f, |newton, rates, f| {
            full.copy_from_slice(x);
            newton.solve(whole, x, full, f)?;
            half.iter_mut().enumerate().for_each(|(i, half)| *half = 0.5 * (x[i] + full[i]));
            newton.solve(first, x, half, f)?;
            end.copy_from_slice(full);
            newton.solve(second, half, end, f)?;
            f.complete(end);
            rates.at_end(time, end, f)
        })?;
        error.iter_mut().enumerate().for_each(|(i, error)| *error = end[i] - full[i]);
        Ok(())
    }

    fn end(&self) -> &[f64] {
        &self.end
    }

    fn error(&self) -> &[f64] {
        &self.error
    }

    /// A parabola through the end of the first half.
    fn record(&self, state: &State, step: Attempted, dense: &mut DenseStep) {
        dense.record_parabola((state.time, step.end), &state.continuous, &self.end, |i, x, change| {
            // Where the motion is smooth, this is what the estimate says; what decays faster is not followed.
            let most = self.error[i].abs();
            4.0 * (self.half[i] - x - 0.5 * change).clamp(-most, most)
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
