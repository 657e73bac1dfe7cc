//! Volume-based six-axis contact with steps of fixed length.

use super::{VolumeContact, VolumeOptions};
use crate::sweeps::RIGID;
use kinegraph_diagram::Diagram;
use kinegraph_engine::integrators::contact::{ContactStep, StepOptions};
use kinegraph_engine::integrators::{
    Build, FixedStep, Integrator, IntegratorError, IntegratorType, OptionGroup, Options,
};

/// `volume`.
pub static TYPE: IntegratorType = IntegratorType {
    name: "volume",
    family: RIGID,
    about: "volume-based six-axis contact, steps of fixed length",
    remarks: "With `contact: {model: volume}`, one quadratic program finds force and torque of all pairs that overlap; \
              friction at the corners of the contact holds it or slides. Shapes that touch in points, stops and \
              constraints are rigid, as with `projected-gauss-seidel`. Impacts are plastic, stiffness and dissipation \
              of contacts are not used. First order",
    options: &["step", "external", "feedback", "volume"],
    build: Build::Fixed(build),
};

fn build(options: &Options, diagram: &Diagram, step: f64) -> Result<Box<dyn Integrator>, IntegratorError> {
    let volume = options.methods.get::<VolumeOptions>();
    volume.check()?;
    let method = ContactStep::new(diagram, StepOptions::of_rigid(options), VolumeContact::new(volume));
    Ok(Box::new(FixedStep::new(TYPE.name, diagram, method, step)))
}
