//! The convex step with steps of fixed length.

use super::contact::IcfStep;
use super::family::Family;
use super::integrator_type::{Build, IntegratorType};
use super::{FixedStep, Integrator, IntegratorError, Options};
use kinegraph_convex::solvers::icf::{Solver, SolverOptions, ToleranceScale};
use kinegraph_diagram::Diagram;

/// `icf`.
pub(super) static TYPE: IntegratorType = IntegratorType {
    name: "icf",
    family: Family::CONVEX,
    about: "convex contact step of fixed length",
    remarks: "",
    options: &["step", "external", "feedback", "solver"],
    build: Build::Fixed(build),
};

fn build(options: &Options, diagram: &Diagram, step: f64) -> Result<Box<dyn Integrator>, IntegratorError> {
    let method = IcfStep::new(diagram, options.into(), solver(options));
    Ok(Box::new(FixedStep::new(TYPE.name, diagram, method, step)))
}

/// The solver of convex steps.
pub fn solver(options: &Options) -> Solver {
    Solver::new(SolverOptions {
        method: options.solver,
        scale: if options.reference { ToleranceScale::Reference } else { ToleranceScale::Island },
        threads: options.threads,
        ..SolverOptions::default()
    })
}

impl Options {
    /// Options of the convex step of fixed length `step` \[s\].
    pub fn icf(step: f64) -> Self {
        Options { step: Some(step), ..Options::of(&TYPE) }
    }
}
