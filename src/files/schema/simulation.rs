//! `simulation: {integrator, accuracy, …}`.

use super::integrator_name::IntegratorName;
use crate::decode::{ACCURACY as ACCURACIES, Choice, Count, NON_NEGATIVE, Name, Number, POSITIVE, Text};
use crate::lists::ListOf;
use crate::node::{Position, show_number};
use crate::parameter::{Key, Needs, Optional, WithDefault, needs, optional, with_default};
use crate::reader::Reader;
use crate::section::Section;
use kinegraph_convex::solvers::icf::Method;
use kinegraph_engine::integrators::{
    Build, CenicTuning, Controller, ErrorWeights, IntegratorType, MAX_STEPS, MethodOptions, NonFinite, Rule,
    RuleSwitches,
};
use kinegraph_engine::linearize::Feedback;
use kinegraph_methods::{METHODS, read_options};

/// Settings of the simulation. One file serves every integrator: each uses the settings it needs.
#[derive(Clone, Debug)]
pub struct SimulationSpec {
    /// The method.
    pub integrator: &'static IntegratorType,
    /// Place where the method is named.
    pub integrator_at: Position,
    /// Largest local error per step; for methods with error control.
    pub accuracy: f64,
    /// Step \[s\] of methods without error control; turns off error control in methods that can do without it.
    pub step: Option<f64>,
    /// Largest step \[s\] of methods with error control.
    pub max_step: f64,
    /// Smallest step \[s\] of methods with error control: a run that needs a smaller one fails.
    pub min_step: f64,
    /// First step \[s\] tried by methods with error control; `None`: a tenth of the largest.
    pub initial_step: Option<f64>,
    /// Part of the controllers' feedback that a convex step treats implicitly.
    pub feedback: Feedback,
    /// Local extrapolation of smooth motion (methods that double steps).
    pub extrapolate: bool,
    /// Weights in the error norm of convex steps.
    pub error_weights: ErrorWeights,
    /// Step size controller.
    pub controller: Controller,
    /// Solver of convex steps with contact.
    pub solver: Method,
    /// Options of single methods.
    pub methods: MethodOptions,
    /// Rules of the step that are switched on.
    pub rules: RuleSwitches,
    /// Tuning parameters of the step.
    pub tuning: CenicTuning,
    /// Threads of one run.
    pub threads: usize,
    /// Action when a value is not a finite number.
    pub non_finite: NonFinite,
    /// Simulated time \[s\].
    pub duration: f64,
    /// Conditions that end the run before.
    pub stop_when: Vec<StopSpec>,
}

/// A condition that ends the run.
#[derive(Clone, Debug)]
pub struct StopSpec {
    /// Its name.
    pub name: String,
    /// Its text.
    pub condition: String,
    /// Place of the condition.
    pub at: Position,
}

/// `simulation: {…}`.
pub(super) const SECTION: Section<SimulationSpec> =
    Section { about: "how to simulate, such as `{integrator: cenic, accuracy: 1e-3, duration: 2}`", read };

const INTEGRATOR: WithDefault<IntegratorName> = with_default("integrator", IntegratorName, METHODS[0], "the method");
const ACCURACY: WithDefault<Number> = with_default("accuracy", ACCURACIES, 1e-3, "largest error of a step");
const STEP: Optional<Number> = optional("step", POSITIVE, "none", "step of methods of fixed step [s]");
const MAX_STEP: WithDefault<Number> = with_default("max_step", POSITIVE, 0.1, "largest step [s]");
const MIN_STEP: WithDefault<Number> = with_default("min_step", NON_NEGATIVE, 0.0, "smallest step [s]");
const INITIAL_STEP: Optional<Number> =
    optional("initial_step", POSITIVE, "a tenth of `max_step`", "first step tried [s]");
const EXTERNAL: WithDefault<Choice<bool>> = with_default(
    "external",
    Choice { what: "treatment of external systems", options: &[("implicit", true), ("explicit", false)] },
    true,
    "whether controllers act within a step or are held constant over it",
);
const FEEDBACK: WithDefault<Choice<Feedback>> = with_default(
    "feedback",
    Choice { what: "feedback law", options: &[("full", Feedback::Full), ("diagonal", Feedback::Diagonal)] },
    Feedback::Full,
    "what of the controllers' linearization acts within a step",
);
const EXTRAPOLATE: WithDefault<Choice<bool>> = with_default(
    "extrapolate",
    Choice { what: "switch", options: &[("on", true), ("off", false)] },
    true,
    "whether smooth motion is followed to a higher order",
);
const ERROR_NORM: WithDefault<Choice<ErrorWeights>> = with_default(
    "error_norm",
    Choice { what: "error norm", options: &[("positions", ErrorWeights::POSITIONS), ("state", ErrorWeights::STATE)] },
    ErrorWeights::POSITIONS,
    "what the accuracy bounds",
);
const ERROR_WEIGHTS: Optional<Section<GivenWeights>> = optional(
    "error_weights",
    Section { about: "weights of the error norm, such as `{rotation: 0.5, velocity: 0.1}`", read: read_weights },
    "by `error_norm`",
    "weights of deviations of each kind",
);
const STEP_CONTROL: WithDefault<Choice<Controller>> = with_default(
    "step_control",
    Choice { what: "step control", options: &[("elementary", Controller::Elementary), ("h211", Controller::H211)] },
    Controller::Elementary,
    "how step lengths follow from errors",
);
const SOLVER: WithDefault<Choice<Method>> = with_default(
    "solver",
    Choice { what: "solver", options: &[("newton", Method::Newton), ("primal_dual", Method::PrimalDual)] },
    Method::PrimalDual,
    "how convex steps with contact are solved",
);
const RULES: Optional<Section<RuleSwitches>> = optional(
    "rules",
    Section { about: "rules of the step with `on` or `off`, such as `{energy: off}`", read: read_rules },
    "all on",
    "rules of the step that are switched off, for experiments",
);
const TUNING: Optional<Section<CenicTuning>> = optional(
    "tuning",
    Section { about: "numbers of the step, such as `{safety: 0.8}`", read: read_tuning },
    "their defaults",
    "numbers of the step, for experiments",
);
const THREADS: WithDefault<Count> = with_default(
    "threads",
    Count { limit: 256 },
    1,
    "threads of one run, for islands that are solved and shapes that are compared at the same time where there are many; \
     its bits do not depend on them",
);
const NON_FINITE: WithDefault<Choice<NonFinite>> = with_default(
    "non_finite",
    Choice { what: "treatment", options: &[("stop", NonFinite::Stop), ("keep", NonFinite::Keep)] },
    NonFinite::Stop,
    "whether a run stops where an output or a discrete state is not a finite number, or keeps it",
);
const DURATION: Needs<Number> = needs("duration", NON_NEGATIVE, "simulated time [s]");

const STOP_WHEN: Optional<ListOf<Section<StopSpec>>> = optional(
    "stop_when",
    ListOf {
        each: Section {
            about: "a condition with its name, such as `{name: landed, if: \"plant.box.z < 0.01\"}`",
            read: read_stop,
        },
        about: "a list of conditions such as `{name: landed, if: \"plant.box.z < 0.01\"}`",
    },
    "none",
    "conditions over channels that end the run before, as done; the report has the name",
);
const STOP_NAME: Needs<Name> = needs("name", Name, "its name, for the report");
const STOP_IF: Needs<Text> = needs(
    "if",
    Text { about: "a condition over channels such as \"plant.box.z < 0.01\"" },
    "the condition over channels and the time `t` [s], which ends the run where it becomes true",
);

fn read_stop(r: &mut Reader<'_>) -> Option<StopSpec> {
    let (name, condition) = (r.get(&STOP_NAME), r.get(&STOP_IF));
    Some(StopSpec { name: name?, condition: condition?, at: r.at_key(STOP_IF) })
}

fn read(r: &mut Reader<'_>) -> Option<SimulationSpec> {
    let integrator = r.get(&INTEGRATOR);
    let accuracy = r.get(&ACCURACY);
    let step = r.get(&STEP);
    let max_step = r.get(&MAX_STEP);
    let min_step = r.get(&MIN_STEP);
    let initial_step = r.get(&INITIAL_STEP);
    let implicit = r.get(&EXTERNAL);
    let feedback = r.get(&FEEDBACK);
    let feedback = if implicit { feedback } else { Feedback::Explicit };
    let extrapolate = r.get(&EXTRAPOLATE);
    let norm = r.get(&ERROR_NORM);
    let error_weights = r.get(&ERROR_WEIGHTS).map_or(norm, |given| given.over(norm));
    let controller = r.get(&STEP_CONTROL);
    let solver = r.get(&SOLVER);
    let methods = read_options(r);
    let rules = r.get(&RULES).unwrap_or_default();
    let tuning = r.get(&TUNING).unwrap_or_default();
    let threads = r.get(&THREADS);
    let non_finite = r.get(&NON_FINITE);
    let duration = r.get(&DURATION);
    let stop_when = r.get(&STOP_WHEN).unwrap_or_default();

    if !integrator.error_controlled() && !r.has(STEP) {
        let message = format!("{} takes steps of fixed length: `step` must be given", integrator.name);
        r.conflict(INTEGRATOR, message);
    }
    // Methods of fixed step use this one; the others may take longer steps, up to the largest.
    let longest: (&dyn Key, _) = match step {
        Some(step) if !matches!(integrator.build, Build::Controlled(_)) => (&STEP, step),
        _ => (&MAX_STEP, max_step),
    };
    if let Some(duration) = duration {
        let steps = duration / longest.1;
        if steps > MAX_STEPS {
            let message = format!("{} steps in one run; at most {MAX_STEPS:e} are taken", show_number(steps.ceil()));
            r.conflict(longest.0, message);
        }
    }
    let steps: [(&dyn Key, _); 2] = [(&MIN_STEP, Some(min_step)), (&INITIAL_STEP, initial_step)];
    for (key, value) in steps {
        if let Some(value) = value.filter(|value| *value > max_step) {
            r.conflict(key, format!("{} is above max_step ({})", show_number(value), show_number(max_step)));
        }
    }
    Some(SimulationSpec {
        integrator,
        integrator_at: r.at_key(INTEGRATOR),
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
        methods,
        rules,
        tuning,
        threads,
        non_finite,
        duration: duration?,
        stop_when,
    })
}

/// Reads each rule by its name.
fn read_rules(r: &mut Reader<'_>) -> Option<RuleSwitches> {
    const SWITCH: Choice<bool> = Choice { what: "switch", options: &[("on", true), ("off", false)] };
    let mut rules = RuleSwitches::ALL;
    for rule in Rule::ALL {
        if !r.get(&with_default(rule.name(), SWITCH, true, rule.about())) {
            rules = rules.without(*rule);
        }
    }
    Some(rules)
}

/// Reads each tuning parameter by its name.
fn read_tuning(r: &mut Reader<'_>) -> Option<CenicTuning> {
    let mut tuning = CenicTuning::DEFAULT;
    for number in CenicTuning::NUMBERS {
        (number.set)(&mut tuning, r.get(&with_default(number.name, POSITIVE, number.default, number.about)));
    }
    Some(tuning)
}

/// Weights given in the file; the others keep the default of the norm.
struct GivenWeights {
    angle: Option<f64>,
    length: Option<f64>,
    rotation: Option<f64>,
    angular_velocity: Option<f64>,
    velocity: Option<f64>,
    external: Option<f64>,
}

const fn weight(key: &'static str, about: &'static str) -> Optional<Number> {
    optional(key, NON_NEGATIVE, "by `error_norm`", about)
}

const ANGLE: Optional<Number> = weight("angle", "of the angle of a joint [1/rad]");
const LENGTH: Optional<Number> = weight("length", "of the displacement of a joint and of a free body [1/m]");
const ROTATION: Optional<Number> =
    weight("rotation", "of the angle between two orientations of a free body [1/rad]; 0 leaves it out");
const ANGULAR_VELOCITY: Optional<Number> = weight("angular_velocity", "of angular velocities [s/rad]");
const VELOCITY: Optional<Number> = weight("velocity", "of velocities [s/m]");
const EXTERNAL_STATE: Optional<Number> = weight("external", "of the state of other blocks");

fn read_weights(r: &mut Reader<'_>) -> Option<GivenWeights> {
    Some(GivenWeights {
        angle: r.get(&ANGLE),
        length: r.get(&LENGTH),
        rotation: r.get(&ROTATION),
        angular_velocity: r.get(&ANGULAR_VELOCITY),
        velocity: r.get(&VELOCITY),
        external: r.get(&EXTERNAL_STATE),
    })
}

impl GivenWeights {
    fn over(self, norm: ErrorWeights) -> ErrorWeights {
        ErrorWeights {
            angle: self.angle.unwrap_or(norm.angle),
            length: self.length.unwrap_or(norm.length),
            rotation: self.rotation.unwrap_or(norm.rotation),
            angular_velocity: self.angular_velocity.unwrap_or(norm.angular_velocity),
            velocity: self.velocity.unwrap_or(norm.velocity),
            external: self.external.unwrap_or(norm.external),
        }
    }
}
