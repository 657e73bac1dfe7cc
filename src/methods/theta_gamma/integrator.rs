//! Theta-gamma: nonsmooth contact whose laws hold at a time within the step, with steps of fixed length.

use super::{ThetaGammaOptions, ThetaStep};
use crate::sweeps::RIGID;
use kinegraph_diagram::Diagram;
use kinegraph_engine::integrators::contact::StepOptions;
use kinegraph_engine::integrators::{
    Build, Discretization, FixedStep, FrictionPlace, Integrator, IntegratorError, IntegratorType, OptionGroup, Options,
};

/// `theta-gamma`.
pub static TYPE: IntegratorType = IntegratorType {
    name: "theta-gamma",
    family: RIGID,
    about: "nonsmooth rigid contact (theta-gamma scheme), steps of fixed length",
    remarks: "Bodies are rigid: stiffness and dissipation of contacts are not used, what sticks does not creep, what \
              slides is not lifted. `theta` 1/2 is of second order where the motion is smooth and keeps the energy of \
              springs, 1 (the default) damps what is fast; `gamma` sets what impacts give back. Solves that end \
              unsettled are counted",
    options: &["step", "external", "feedback", "theta_gamma"],
    build: Build::Fixed(build),
};

fn build(options: &Options, diagram: &Diagram, step: f64) -> Result<Box<dyn Integrator>, IntegratorError> {
    let theta_gamma = ThetaGammaOptions { threads: options.threads, ..options.methods.get::<ThetaGammaOptions>() };
    theta_gamma.check()?;
    let discretization = Discretization {
        implicit_springs: true,
        spins_by_bias: true,
        friction: FrictionPlace::AtPoints,
        ..Discretization::default()
    };
    let step_options = StepOptions { anticipate_contact: true, discretization, ..options.into() };
    let method = ThetaStep::new(diagram, step_options, theta_gamma);
    let mut fixed = FixedStep::new(TYPE.name, diagram, method, step);
    fixed.keeps_forces = theta_gamma.warm_start;
    Ok(Box::new(fixed))
}
