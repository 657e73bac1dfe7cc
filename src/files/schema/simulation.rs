//! `simulation: {integrator, accuracy, …}`.

use crate::files::decode::{Choice, FRACTION, NON_NEGATIVE, POSITIVE, Section};
use crate::files::node::{Position, show_number};
use crate::files::reader::Reader;
use crate::integrators::{Controller, ErrorWeights, IntegratorType, METHODS};
use crate::linearize::Feedback;
use crate::solvers::icf::Method;

/// How the diagram is simulated. One file serves every integrator: each uses what it needs.
#[derive(Clone, Debug)]
pub struct SimulationSpec {
    /// The method.
    pub integrator: &'static IntegratorType,
    /// Where the method is named.
    pub integrator_at: Position,
    /// Largest local error per step; for methods with error control.
    pub accuracy: f64,
    /// Step \[s\] of methods without error control; turns it off where a method can do without.
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
    /// What counts in the error norm of convex steps.
    pub error_weights: ErrorWeights,
    /// How step lengths follow from errors.
    pub controller: Controller,
    /// How convex steps with contact are solved.
    pub solver: Method,
    /// Simulated time \[s\].
    pub duration: f64,
}

/// Every integrator with its name.
static CHOICES: [(&str, &IntegratorType); METHODS.len()] = {
    let mut choices = [("", METHODS[0]); METHODS.len()];
    let mut i = 0;
    while i < METHODS.len() {
        choices[i] = (METHODS[i].name, METHODS[i]);
        i += 1;
    }
    choices
};

/// Reads `simulation: {…}`.
pub(super) fn section() -> Section<fn(&mut Reader<'_>) -> Option<SimulationSpec>> {
    Section { about: "how to simulate, such as `{integrator: cenic, accuracy: 1e-3, duration: 2}`", read }
}

fn read(r: &mut Reader<'_>) -> Option<SimulationSpec> {
    let integrator = r.or("integrator", Choice { what: "integrator", options: &CHOICES }, METHODS[0]);
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
    let extrapolate = r.or("extrapolate", switch, true);
    let norm = Choice {
        what: "error norm",
        options: &[("positions", ErrorWeights::POSITIONS), ("state", ErrorWeights::STATE)],
    };
    let norm = r.or("error_norm", norm, ErrorWeights::POSITIONS);
    let error_weights = r.optional("error_weights", weights(norm)).unwrap_or(norm);
    let controller =
        Choice { what: "step control", options: &[("elementary", Controller::Elementary), ("h211", Controller::H211)] };
    let controller = r.or("step_control", controller, Controller::Elementary);
    let solver = Choice { what: "solver", options: &[("newton", Method::Newton), ("primal_dual", Method::PrimalDual)] };
    let solver = r.or("solver", solver, Method::default());
    let duration = r.required("duration", NON_NEGATIVE);

    if !integrator.error_controlled() && !r.has("step") {
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
        error_weights,
        controller,
        solver,
        duration: duration?,
    })
}

/// Reads `error_weights: {…}`; what is not given keeps its weight in `base`.
fn weights(base: ErrorWeights) -> Section<impl Fn(&mut Reader<'_>) -> Option<ErrorWeights>> {
    let read = move |r: &mut Reader<'_>| {
        Some(ErrorWeights {
            angle: r.or("angle", NON_NEGATIVE, base.angle),
            length: r.or("length", NON_NEGATIVE, base.length),
            rotation: r.or("rotation", NON_NEGATIVE, base.rotation),
            angular_velocity: r.or("angular_velocity", NON_NEGATIVE, base.angular_velocity),
            velocity: r.or("velocity", NON_NEGATIVE, base.velocity),
            external: r.or("external", NON_NEGATIVE, base.external),
        })
    };
    Section { about: "weights of the error norm, such as `{rotation: 0.5, velocity: 0.1}`", read }
}
