//! The convex step with error-controlled steps: step doubling \[Kurtz & Castro, CENIC\].

use super::contact::{IcfStep, StepOptions};
use super::family::Family;
use super::icf::solver;
use super::integrator_type::{Build, IntegratorType};
use super::rule::{Rule, RuleSwitches};
use super::{Integrator, IntegratorError, Options, StepControl, StepDoubling};
use kinegraph_diagram::Diagram;

/// `cenic`.
pub(super) static TYPE: IntegratorType = IntegratorType {
    name: "cenic",
    family: Family::CONVEX,
    about: "convex contact step, error control by step doubling",
    remarks: "",
    options: &[
        "accuracy",
        "max_step",
        "min_step",
        "initial_step",
        "external",
        "feedback",
        "extrapolate",
        "error_norm",
        "error_weights",
        "step_control",
        "solver",
        "rules",
        "tuning",
    ],
    build: Build::Controlled(build),
};

fn build(options: &Options, diagram: &Diagram, control: StepControl) -> Result<Box<dyn Integrator>, IntegratorError> {
    let turns = switches(options).has(Rule::Extrapolation);
    let step = IcfStep::new(diagram, StepOptions { turns, ..options.into() }, solver(options));
    let mut cenic = StepDoubling::new(TYPE.name, diagram, step, control);
    cenic.tune(&options.tuning);
    cenic.switch(switches(options));
    Ok(Box::new(cenic))
}

/// Rules that are on. The reference implementation follows nothing but its estimate.
fn switches(options: &Options) -> RuleSwitches {
    if options.extrapolate && !options.reference { options.rules } else { options.rules.without_smooth() }
}

impl Options {
    /// Options of the convex step with error control: no step errs by more than `accuracy`.
    pub fn cenic(accuracy: f64) -> Self {
        Options { accuracy, ..Options::of(&TYPE) }
    }
}
