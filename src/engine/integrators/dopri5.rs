//! The method of Dormand and Prince, with error-controlled or fixed steps.

use super::family::Family;
use super::integrator_type::{Build, IntegratorType};
use super::ode_integrator::OPTIONS;
use super::{DORMAND_PRINCE, ExplicitRungeKutta, Options};

/// `dopri5`.
pub(super) static TYPE: IntegratorType = IntegratorType {
    name: DORMAND_PRINCE.name,
    family: Family::EXPLICIT,
    about: "explicit Runge-Kutta method of Dormand and Prince, of fifth order",
    remarks: ExplicitRungeKutta::AS_RK3,
    options: OPTIONS,
    build: Build::Either(|options, diagram, step_length| {
        ExplicitRungeKutta::make(&DORMAND_PRINCE, options, diagram, step_length)
    }),
};

impl Options {
    /// Options of the explicit method of fifth order with error control.
    pub fn dopri5(accuracy: f64) -> Self {
        Options { accuracy, ..Options::of(&TYPE) }
    }
}
