//! The explicit Runge-Kutta method of third order \[Kutta 1901\], with the midpoint rule as its embedded method.

use super::family::Family;
use super::integrator_type::{Build, IntegratorType};
use super::ode_integrator::OPTIONS;
use super::{ExplicitRungeKutta, Options, Tableau};

/// `rk3`.
pub(super) static TYPE: IntegratorType = IntegratorType {
    name: RK3.name,
    family: Family::EXPLICIT,
    about: "explicit Runge-Kutta method of third order",
    remarks: ExplicitRungeKutta::REMARKS,
    options: OPTIONS,
    build: Build::Either(|options, diagram, step_length| ExplicitRungeKutta::make(&RK3, options, diagram, step_length)),
};

impl Options {
    /// Options of the explicit method of third order with error control.
    pub fn rk3(accuracy: f64) -> Self {
        Options { accuracy, ..Options::of(&TYPE) }
    }
}

/// Order 3; the error estimate is the error of the midpoint rule and shrinks with the third power of the step.
pub static RK3: Tableau = Tableau {
    name: "rk3",
    order: 3,
    estimate_order: 3,
    stability: 2.51,
    nodes: &[0.0, 0.5, 1.0],
    stages: &[&[], &[0.5], &[-1.0, 2.0]],
    weights: &[1.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0],
    error: &[1.0 / 6.0, 4.0 / 6.0 - 1.0, 1.0 / 6.0, 0.0],
    quartic: &[],
};
