//! The explicit Runge-Kutta method 3(2) of Bogacki and Shampine \[P. Bogacki & L. F. Shampine, A 3(2) pair of
//! Runge-Kutta formulas, Appl. Math. Lett. 2 (1989)\].

use super::family::Family;
use super::integrator_type::{Build, IntegratorType};
use super::ode_integrator::OPTIONS;
use super::{ExplicitRungeKutta, Options, Tableau};

/// `bs23`.
pub(super) static TYPE: IntegratorType = IntegratorType {
    name: BOGACKI_SHAMPINE.name,
    family: Family::EXPLICIT,
    about: "explicit Runge-Kutta method of Bogacki and Shampine, of third order",
    remarks: ExplicitRungeKutta::AS_RK3,
    options: OPTIONS,
    build: Build::Either(|options, diagram, step_length| {
        ExplicitRungeKutta::make(&BOGACKI_SHAMPINE, options, diagram, step_length)
    }),
};

impl Options {
    /// Options of the method of Bogacki and Shampine with error control.
    pub fn bs23(accuracy: f64) -> Self {
        Options { accuracy, ..Options::of(&TYPE) }
    }
}

/// Order 3; the error estimate is the error of an embedded method of order 2 and shrinks with the third power of the
/// step.
pub static BOGACKI_SHAMPINE: Tableau = Tableau {
    name: "bs23",
    order: 3,
    estimate_order: 3,
    stability: 2.51,
    nodes: &[0.0, 0.5, 0.75],
    stages: &[&[], &[0.5], &[0.0, 0.75]],
    weights: &[2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0],
    error: &[-5.0 / 72.0, 1.0 / 12.0, 1.0 / 9.0, -1.0 / 8.0],
    quartic: &[],
};
