//! The convex step with steps of fixed length.

use super::contact::{IcfOptions, IcfStep};
use super::integrator_type::{Build, IntegratorType};
use super::{FixedStep, Integrator, IntegratorError, Options};
use crate::diagram::Diagram;

/// `icf`.
pub(super) static TYPE: IntegratorType = IntegratorType {
    name: "icf",
    about: "convex contact step of fixed length",
    remarks: "",
    takes_plants: true,
    options: &["step", "external", "feedback", "solver"],
    build: Build::Fixed(build),
};

fn build(options: &Options, diagram: &Diagram, step: f64) -> Result<Box<dyn Integrator>, IntegratorError> {
    let method = IcfStep::new(diagram, IcfOptions::from(options));
    Ok(Box::new(FixedStep::new(TYPE.name, diagram, method, step)))
}

impl Options {
    /// The convex step of fixed length `step` \[s\].
    pub fn icf(step: f64) -> Self {
        Options { step: Some(step), ..Options::of(&TYPE) }
    }
}
