//! Explicit Runge-Kutta methods with an embedded error estimate and dense output.
//!
//! A step of length h from (t, x):
//!
//! ```text
//! k_i = f(t + c_i h, x + h sum_j a_ij k_j),   x1 = x + h sum_i b_i k_i,
//! k_(s+1) = f(t + h, x1),   error = h sum_i e_i k_i
//! ```
//!
//! The derivative at the end, `k_(s+1)`, is the first one of the next step (first same as last): it costs nothing, and
//! serves the dense output of every method and the error estimate of some.

use super::ends::Ends;
use super::ode_integrator::OdeIntegrator;
use super::ode_method::{Attempted, OdeMethod, RightHandSide};
use super::stages::Stages;
use super::{DenseStep, ErrorWeights, Integrator, IntegratorError, Options, StepFailure, StepLength, Tableau};
use crate::diagram::Diagram;
use std::cell::RefCell;

/// An explicit Runge-Kutta method that advances a diagram.
pub type ExplicitRungeKutta = OdeIntegrator<ExplicitStages>;

/// An explicit Runge-Kutta method, with its stages.
#[derive(Clone)]
pub struct ExplicitStages {
    tableau: &'static Tableau,
    stages: Stages,
}

impl ExplicitRungeKutta {
    /// When to take such methods.
    pub(super) const REMARKS: &'static str = "With plants, contact and friction are followed as they are, and what is \
        rigid (constraints, joint stops, locks) is a spring with a period of 1 ms: short steps wherever anything \
        touches or is held, far shorter than those of `cenic`. For free motion, soft contact, and as a second opinion. \
        Impacts are followed better with `error_norm: state`, and resting friction trembles within the accuracy. With \
        error control nothing passes unseen through what is in its way; with a `step` nothing watches for that";
    /// The same of those that follow `rk3` in the table.
    pub(super) const AS_RK3: &'static str = "With plants as `rk3`";

    /// The method that `options` describe.
    pub(super) fn make(
        tableau: &'static Tableau,
        options: &Options,
        diagram: &Diagram,
        step_length: StepLength,
    ) -> Result<Box<dyn Integrator>, IntegratorError> {
        Ok(Box::new(ExplicitRungeKutta::new(tableau, diagram, step_length, &options.error_weights)))
    }

    /// The method with the given coefficients, for `diagram`. With plants, errors count by `weights`; without any,
    /// those of all states count alike.
    pub fn new(tableau: &'static Tableau, diagram: &Diagram, step_length: StepLength, weights: &ErrorWeights) -> Self {
        let method = ExplicitStages { tableau, stages: Stages::new(tableau, diagram.state_width()) };
        OdeIntegrator::of(tableau.name, method, diagram, step_length, weights)
    }
}

impl OdeMethod for ExplicitStages {
    fn estimate_order(&self) -> Option<i32> {
        Some(self.tableau.estimate_order)
    }

    fn stability(&self) -> f64 {
        self.tableau.stability
    }

    fn attempt(&mut self, step: Attempted, ends: &mut Ends, f: &mut RightHandSide) -> Result<(), StepFailure> {
        let Attempted { start, h, end, .. } = step;
        let f = RefCell::new(f);
        let rate = |time: f64, x: &[f64], k: &mut [f64]| f.borrow_mut().evaluate(time, x, k);
        self.stages.attempt(self.tableau, start, (h, end), ends, rate, |x| f.borrow().complete(x))
    }

    fn record(&self, step: Attempted, ends: &Ends, dense: &mut DenseStep) {
        self.stages.record(self.tableau, step.start, (step.h, step.end), ends, dense);
    }
}
