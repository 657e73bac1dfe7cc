//! `simulation: {integrator, accuracy, …}`.

use crate::files::decode::{Choice, FRACTION, NON_NEGATIVE, POSITIVE, Section};
use crate::files::node::{Position, show_number};
use crate::files::reader::Reader;
use crate::linearize::Feedback;

/// How the diagram is simulated. One file serves every integrator: each uses what it needs.
#[derive(Clone, Debug)]
pub struct SimulationSpec {
    /// The method.
    pub integrator: &'static IntegratorName,
    /// Where the method is named.
    pub integrator_at: Position,
    /// Largest local error per step, relative to the scale of the state; for methods with error control.
    pub accuracy: f64,
    /// Step \[s\] of methods without error control.
    pub step: Option<f64>,
    /// Largest step \[s\] of methods with error control.
    pub max_step: f64,
    /// Smallest step \[s\] of methods with error control: a run that needs a smaller one fails.
    pub min_step: f64,
    /// First step \[s\] tried by methods with error control; `None`: a tenth of the largest.
    pub initial_step: Option<f64>,
    /// How much of the controllers' feedback a convex step takes implicitly.
    pub feedback: Feedback,
    /// Local extrapolation of smooth motion (methods that double steps).
    pub extrapolate: bool,
    /// Simulated time \[s\].
    pub duration: f64,
}

/// An integration method as files and the command line name it.
#[derive(Debug, PartialEq, Eq)]
pub struct IntegratorName {
    /// The name.
    pub name: &'static str,
    /// Whether the method chooses its steps; otherwise it needs `step`.
    pub error_controlled: bool,
    /// One line on the method.
    pub about: &'static str,
}

const fn method(name: &'static str, error_controlled: bool, about: &'static str) -> IntegratorName {
    IntegratorName { name, error_controlled, about }
}

/// Every integration method.
pub static INTEGRATORS: [IntegratorName; 9] = [
    method("cenic", true, "convex contact step, error control by step doubling"),
    method("cenic-trapezoid", true, "convex contact step, error control by the trapezoidal rule"),
    method("icf", false, "convex contact step of fixed length"),
    method("rk3", true, "explicit Runge-Kutta method of third order"),
    method("implicit-euler", true, "implicit Euler method"),
    method("sdirk2", true, "diagonally implicit Runge-Kutta method of second order"),
    method("ros2", true, "Rosenbrock method of second order"),
    method("sap", false, "semi-analytic primal contact step of fixed length"),
    method("theta-gamma", false, "theta-gamma contact step of fixed length"),
];

/// The same for the decoder; one line per method.
const CHOICES: &[(&str, &IntegratorName)] = &[
    ("cenic", &INTEGRATORS[0]),
    ("cenic-trapezoid", &INTEGRATORS[1]),
    ("icf", &INTEGRATORS[2]),
    ("rk3", &INTEGRATORS[3]),
    ("implicit-euler", &INTEGRATORS[4]),
    ("sdirk2", &INTEGRATORS[5]),
    ("ros2", &INTEGRATORS[6]),
    ("sap", &INTEGRATORS[7]),
    ("theta-gamma", &INTEGRATORS[8]),
];

/// Reads `simulation: {…}`.
pub(super) fn section() -> Section<fn(&mut Reader<'_>) -> Option<SimulationSpec>> {
    Section { about: "how to simulate, such as `{integrator: cenic, accuracy: 1e-3, duration: 2}`", read }
}

fn read(r: &mut Reader<'_>) -> Option<SimulationSpec> {
    let integrator = r.or("integrator", Choice { what: "integrator", options: CHOICES }, &INTEGRATORS[0]);
    let accuracy = r.or("accuracy", FRACTION, 1e-3);
    let step = r.optional("step", POSITIVE);
    let max_step = r.or("max_step", POSITIVE, 0.1);
    let min_step = r.or("min_step", NON_NEGATIVE, 0.0);
    let initial_step = r.optional("initial_step", POSITIVE);
    let implicit =
        Choice { what: "treatment of external systems", options: &[("implicit", true), ("explicit", false)] };
    let implicit = r.or("external", implicit, true);
    let feedback =
        Choice { what: "feedback law", options: &[("full", Feedback::Full), ("diagonal", Feedback::Diagonal)] };
    let feedback = r.or("feedback", feedback, Feedback::Full);
    let feedback = if implicit { feedback } else { Feedback::Explicit };
    let switch = Choice { what: "switch", options: &[("on", true), ("off", false)] };
    let extrapolate = r.or("extrapolate", switch, false);
    let duration = r.required("duration", NON_NEGATIVE);

    if !integrator.error_controlled && !r.has("step") {
        let message = format!("{} takes steps of fixed length: `step` must be given", integrator.name);
        r.conflict("integrator", message);
    }
    for (key, value) in [("min_step", Some(min_step)), ("initial_step", initial_step)] {
        if let Some(value) = value.filter(|value| *value > max_step) {
            r.conflict(key, format!("{} is above max_step ({})", show_number(value), show_number(max_step)));
        }
    }
    Some(SimulationSpec {
        integrator,
        integrator_at: r.at_key("integrator"),
        accuracy,
        step,
        max_step,
        min_step,
        initial_step,
        feedback,
        extrapolate,
        duration: duration?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_integrator_can_be_chosen_by_its_name() {
        assert_eq!(CHOICES.len(), INTEGRATORS.len());
        for ((word, chosen), method) in CHOICES.iter().zip(&INTEGRATORS) {
            assert_eq!((*word, *chosen), (method.name, method));
        }
    }
}
