//! The semi-implicit (symplectic) Euler method: velocities by the accelerations at the start of a step, positions by
//! the velocities at its end,
//!
//! ```text
//! v1 = v + h a(q, v, z),   q1 = q + h N(q) v1,   z1 = z + h z'(q, v, z)
//! ```

use super::ends::Ends;
use super::family::Family;
use super::integrator_type::{Build, IntegratorType};
use super::mean_weights::MeanWeights;
use super::ode_integrator::OdeIntegrator;
use super::ode_method::{Attempted, OdeMethod, RightHandSide};
use super::{DenseStep, Options, StepFailure, StepLength};

/// `semi-implicit-euler`.
pub(super) static TYPE: IntegratorType = IntegratorType {
    name: "semi-implicit-euler",
    family: Family::EXPLICIT,
    about: "semi-implicit (symplectic) Euler method, steps of fixed length",
    remarks: "One evaluation for every step. What oscillates neither grows nor dies. With plants contact, \
        friction and controllers act by what they are at the start of a step, and what is rigid is a spring with a \
        period of 1 ms: unstable unless the step is short against all of them, and refused above 0.066 ms where \
        anything is rigid",
    options: &["step"],
    build: Build::Fixed(|options, diagram, step| {
        OdeIntegrator::build(TYPE.name, SemiImplicitEuler, options, diagram, StepLength::Fixed(step))
    }),
};

impl Options {
    /// Options of the semi-implicit Euler method with steps of length `step` \[s\].
    pub fn semi_implicit_euler(step: f64) -> Self {
        Options { step: Some(step), ..Options::of(&TYPE) }
    }
}

#[derive(Clone)]
struct SemiImplicitEuler;

impl OdeMethod for SemiImplicitEuler {
    fn estimate_order(&self) -> Option<i32> {
        None
    }

    /// Stability limit of a critically damped spring, `(h ω)² + 4 h ω < 4`.
    fn stability(&self) -> f64 {
        8_f64.sqrt() - 2.0 // method
    }

    fn attempt(&mut self, step: Attempted, ends: &mut Ends, f: &mut RightHandSide) -> Result<(), StepFailure> {
        let Ends { rates, end, .. } = ends;
        f.start(step.start, rates)?;
        f.follow(&step.start.continuous, &rates.start, step.h, end);
        f.complete(end);
        f.evaluate(step.end, end, &mut rates.end)
    }

    fn mean_weights(&self) -> MeanWeights {
        MeanWeights { stages: &[1.0], end: 0.0 }
    }

    /// Records straight lines: positions move by the velocity at the end.
    fn record(&self, step: Attempted, ends: &Ends, dense: &mut DenseStep) {
        dense.record_parabola((step.start.time, step.end), &step.start.continuous, &ends.end, |_, _, _| 0.0);
    }
}
