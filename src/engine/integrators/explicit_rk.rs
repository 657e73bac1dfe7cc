//! Explicit Runge-Kutta methods with an embedded error estimate and dense output.
//!
//! A step of length h from (t, x):
//!
//! ```text
//! k_i = f(t + c_i h, x + h sum_j a_ij k_j),   x1 = x + h sum_i b_i k_i,
//! k_(s+1) = f(t + h, x1),   error = h sum_i e_i k_i
//! ```
//!
//! An embedded estimate is a sum of rates at a few places, and vanishes for some places of a kink of f within the step.
//! Where blocks have kinks without events, a method with dense output u(t) of fourth order takes the larger of its
//! estimate and of the defect `h (u'(t) - f(t, u(t)))` at three places \[W. H. Enright, A new error-control for initial
//! value solvers, Appl. Math. Comput. 31 (1989)\]: both shrink with the fifth power of the step where f is smooth, and
//! with the second at kinks.
//!
//! The derivative at the end, `k_(s+1)`, is the first one of the next step (first same as last): it costs nothing, and
//! serves the dense output of every method and the error estimate of some.

use super::ends::Ends;
use super::mean_weights::MeanWeights;
use super::ode_integrator::OdeIntegrator;
use super::ode_method::{Attempted, OdeMethod, RightHandSide};
use super::stages::Stages;
use super::{
    DenseStep, ErrorWeights, Integrator, IntegratorError, Options, StepFailure, StepLength, StepSpan, Tableau,
};
use kinegraph_diagram::Diagram;
use std::cell::RefCell;

/// An explicit Runge-Kutta method that advances a diagram.
pub type ExplicitRungeKutta = OdeIntegrator<ExplicitStages>;

/// An explicit Runge-Kutta method, with its stages.
#[derive(Clone)]
pub struct ExplicitStages {
    tableau: &'static Tableau,
    stages: Stages,
    /// Polynomials of the last attempt, with their values and rates at a place of it.
    dense: DenseStep,
    at: Vec<f64>,
    slopes: Vec<f64>,
    rates: Vec<f64>,
}

/// Places in a step at which the defect of its polynomials is evaluated.
const PLACES: [f64; 3] = [0.5, 0.25, 0.75]; // method

impl ExplicitRungeKutta {
    /// Remarks on the choice of such methods.
    pub(super) const REMARKS: &'static str = "With plants, contact and friction are followed as they are, and what is \
        rigid (constraints, joint stops, locks) is a spring with a period of 1 ms: short steps wherever anything \
        touches or is held, far shorter than those of `cenic`. For free motion, soft contact, and as a second opinion. \
        Impacts are followed better with `error_norm: state`. Resting friction trembles: every step is within the \
        accuracy, but what is pushed sideways creeps by many of them, where `cenic` and `sdirk2` hold it. With error \
        control nothing passes unseen through what is in its way; with a `step` nothing watches for that";
    /// Remarks on methods that follow `rk3` in the table.
    pub(super) const AS_RK3: &'static str = "With plants as `rk3`";

    /// Makes the method of these `options`.
    pub(super) fn make(
        tableau: &'static Tableau,
        options: &Options,
        diagram: &Diagram,
        step_length: StepLength,
    ) -> Result<Box<dyn Integrator>, IntegratorError> {
        Ok(Box::new(ExplicitRungeKutta::new(tableau, diagram, step_length, &options.error_weights)))
    }

    /// Method with the given coefficients, for `diagram`. With plants, errors count by `weights`; without any, those of
    /// all states count alike.
    pub fn new(tableau: &'static Tableau, diagram: &Diagram, step_length: StepLength, weights: &ErrorWeights) -> Self {
        let stages = Stages::new(tableau, diagram.state_width());
        let [at, slopes, rates] = std::array::from_fn(|_| Vec::new());
        let method = ExplicitStages { tableau, stages, dense: DenseStep::default(), at, slopes, rates };
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
        let rate = |stage: usize, time: f64, x: &[f64], k: &mut [f64]| {
            f.borrow_mut().evaluate(time, x, k)?;
            f.borrow_mut().note(stage);
            Ok(())
        };
        self.stages.attempt(self.tableau, start, StepSpan { h, end }, ends, rate, |x| f.borrow().complete(x))
    }

    fn defect(&mut self, step: Attempted, ends: &Ends, f: &mut RightHandSide) -> Result<(f64, usize), StepFailure> {
        let mut largest = (0.0, 0);
        if self.tableau.quartic.is_empty() {
            return Ok(largest);
        }
        let ExplicitStages { tableau, stages, dense, at, slopes, rates } = self;
        let Attempted { start, h, end, accuracy, .. } = step;
        stages.record(tableau, start, StepSpan { h, end }, ends, dense);
        rates.resize(ends.end.len(), 0.0);
        for part in PLACES {
            let time = start.time + part * (end - start.time);
            dense.evaluate(time, at);
            dense.slopes(part, slopes);
            f.evaluate(time, at, rates)?;
            slopes.iter_mut().zip(&*rates).for_each(|(slope, rate)| *slope -= h * rate);
            let found = f.rates.error(f.norm, h, &ends.end, slopes);
            if found.0 > largest.0 || found.0.is_nan() {
                largest = found;
            }
            // Not-a-number counts as too large.
            if largest.0.is_nan() || largest.0 > accuracy {
                break;
            }
        }
        // Forces are read where the rates were evaluated last.
        if f.rates.diagram_without_plants().is_none() {
            f.evaluate(end, &ends.end, rates)?;
        }
        Ok(largest)
    }

    fn mean_weights(&self) -> MeanWeights {
        MeanWeights { stages: self.tableau.weights, end: 0.0 }
    }

    fn record(&self, step: Attempted, ends: &Ends, dense: &mut DenseStep) {
        self.stages.record(self.tableau, step.start, StepSpan { h: step.h, end: step.end }, ends, dense);
    }
}
