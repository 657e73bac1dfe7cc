//! Rigid contact with steps of fixed length.

use crate::projected_gauss_seidel::ProjectedGaussSeidel;
use crate::sweeps::RIGID;
use kinegraph_diagram::Diagram;
use kinegraph_engine::integrators::contact::{ContactStep, StepOptions};
use kinegraph_engine::integrators::{Build, IntegratorType};
use kinegraph_engine::integrators::{FixedStep, Integrator, IntegratorError, Options};

/// `projected-gauss-seidel`.
pub static TYPE: IntegratorType = IntegratorType {
    name: "projected-gauss-seidel",
    family: RIGID,
    about: "rigid contact by projected Gauss-Seidel, steps of fixed length",
    remarks: "Impacts are plastic and bodies rigid: stiffness and dissipation of contacts are not used. First order, \
              converges slowly for large mass ratios and high stacks; a second opinion, not for accuracy",
    options: &["step", "external", "feedback"],
    build: Build::Fixed(build),
};

fn build(options: &Options, diagram: &Diagram, step: f64) -> Result<Box<dyn Integrator>, IntegratorError> {
    let method = ContactStep::new(diagram, StepOptions::of_rigid(options), ProjectedGaussSeidel::default());
    Ok(Box::new(FixedStep::new(TYPE.name, diagram, method, step)))
}
