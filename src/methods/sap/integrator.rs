//! SAP, the semi-analytic primal solver of compliant contact, with steps of fixed length.

use super::{Sap, SapOptions, WarmStart};
use kinegraph_convex::contact::Form;
use kinegraph_diagram::Diagram;
use kinegraph_engine::integrators::contact::{ContactStep, StepOptions};
use kinegraph_engine::integrators::{
    Build, Family, FixedStep, Integrator, IntegratorError, IntegratorType, Motion, Options, Support,
};

/// Convex steps with the contact law of SAP.
pub const NEAR_RIGID: Family = Family {
    name: "near-rigid",
    motion: Motion::Steps,
    form: Form::CONVEX,
    contact: Support::By("near-rigid; dissipates by `relaxation_time`"),
    friction: Support::By("what slides hops on a gap"),
    by_materials: false,
};

/// `sap`.
pub static TYPE: IntegratorType = IntegratorType {
    name: "sap",
    family: NEAR_RIGID,
    about: "semi-analytic primal contact (SAP), steps of fixed length",
    remarks: "Bodies stick without slipping, to near-rigid contact at any step. Contacts dissipate by a relaxation time \
              (that of `sap`, not the dissipation of materials), bodies that slide are carried on a gap of \
              `(step + relaxation_time) friction speed`, and what is thinner than a step's motion is passed through \
              unless `anticipate_contact`. The options of `sap` and its presets are below",
    options: &["step", "external", "feedback", "sap"],
    build: Build::Fixed(build),
};

fn build(options: &Options, diagram: &Diagram, step: f64) -> Result<Box<dyn Integrator>, IntegratorError> {
    let sap = options.methods.get::<SapOptions>();
    let step_options = StepOptions {
        anticipate_contact: sap.anticipate_contact,
        discretization: sap.discretization(),
        ..options.into()
    };
    let method = ContactStep::new(diagram, step_options, Sap::new(sap.solver));
    let mut fixed = FixedStep::new(TYPE.name, diagram, method, step);
    fixed.start_from_last = sap.warm_start == WarmStart::Previous;
    Ok(Box::new(fixed))
}
