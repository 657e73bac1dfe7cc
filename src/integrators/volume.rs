//! Volume-based six-axis contact with steps of fixed length.

use super::contact::ContactStep;
use super::family::Family;
use super::integrator_type::{Build, IntegratorType};
use super::option_group::OptionGroup;
use super::{FixedStep, Integrator, IntegratorError, Options};
use crate::diagram::Diagram;
use crate::solvers::volume::VolumeContact;

/// `volume`.
pub(super) static TYPE: IntegratorType = IntegratorType {
    name: "volume",
    family: Family::Rigid,
    about: "volume-based six-axis contact, steps of fixed length",
    remarks: "With `contact: {model: volume}`, one quadratic program finds force and torque of all pairs that overlap; \
              friction at the corners of the contact holds it or slides. Shapes that touch in points, stops and \
              constraints are rigid, as with `projected-gauss-seidel`. Impacts are plastic, stiffness and dissipation \
              of contacts are not used. First order",
    options: &["step", "external", "feedback", "volume"],
    build: Build::Fixed(build),
};

fn build(options: &Options, diagram: &Diagram, step: f64) -> Result<Box<dyn Integrator>, IntegratorError> {
    let volume = options.methods.volume;
    volume.check()?;
    let method = ContactStep::new(diagram, options.into(), VolumeContact::new(volume));
    Ok(Box::new(FixedStep::new(TYPE.name, diagram, method, step)))
}

impl Options {
    /// Volume-based contact with steps of length `step` \[s\].
    pub fn volume(step: f64) -> Self {
        Options { step: Some(step), ..Options::of(&TYPE) }
    }
}
