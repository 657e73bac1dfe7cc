//! The semi-implicit (symplectic) Euler method: velocities by the accelerations at the start of a step, positions by
//! the velocities at its end,
//!
//! ```text
//! v1 = v + h a(q, v, z),   q1 = q + h N(q) v1,   z1 = z + h z'(q, v, z)
//! ```

use super::family::Family;
use super::integrator_type::{Build, IntegratorType};
use super::ode_integrator::OdeIntegrator;
use super::ode_method::{Attempted, EndRates, OdeMethod, RightHandSide};
use super::{DenseStep, Options, Pace, StepFailure};
use crate::diagram::State;

/// `semi-implicit-euler`.
pub(super) static TYPE: IntegratorType = IntegratorType {
    name: "semi-implicit-euler",
    family: Family::Explicit,
    about: "semi-implicit (symplectic) Euler method, steps of fixed length",
    remarks: "One evaluation for every step. What oscillates neither grows nor dies. With plants contact, \
        friction and controllers act by what they are at the start of a step, and what is rigid is a spring with a \
        period of 1 ms: unstable unless the step is short against all of them, and refused above 0.066 ms where \
        anything is rigid",
    options: &["step"],
    build: Build::Fixed(|options, diagram, step| {
        let method = SemiImplicitEuler::new(diagram.state_width());
        Ok(Box::new(OdeIntegrator::of(method, diagram, Pace::Fixed(step), &options.error_weights)))
    }),
};

impl Options {
    /// The semi-implicit Euler method with steps of length `step` \[s\].
    pub fn semi_implicit_euler(step: f64) -> Self {
        Options { step: Some(step), ..Options::of(&TYPE) }
    }
}

#[derive(Clone)]
struct SemiImplicitEuler {
    rates: EndRates,
    end: Vec<f64>,
}

impl SemiImplicitEuler {
    fn new(width: usize) -> Self {
        SemiImplicitEuler { rates: EndRates::new(width), end: vec![0.0; width] }
    }
}

impl OdeMethod for SemiImplicitEuler {
    fn name(&self) -> &'static str {
        TYPE.name
    }

    fn estimate_order(&self) -> Option<i32> {
        None
    }

    /// Of a critically damped spring, `(h ω)² + 4 h ω < 4`.
    fn stability(&self) -> f64 {
        8_f64.sqrt() - 2.0
    }

    fn attempt(&mut self, state: &State, step: Attempted, f: &mut RightHandSide) -> Result<(), StepFailure> {
        self.rates.at_start(state, f)?;
        f.follow(&state.continuous, &self.rates.start, step.h, &mut self.end);
        f.complete(&mut self.end);
        self.rates.at_end(step.end, &self.end, f)
    }

    fn end(&self) -> &[f64] {
        &self.end
    }

    fn error(&self) -> &[f64] {
        &[]
    }

    /// Straight lines: positions move by the velocity at the end.
    fn record(&self, state: &State, step: Attempted, dense: &mut DenseStep) {
        dense.record_parabola((state.time, step.end), &state.continuous, &self.end, |_, _, _| 0.0);
    }

    fn accept(&mut self, state: &State) {
        self.rates.accept(state);
    }

    fn forget(&mut self) {
        self.rates.forget();
    }
}
