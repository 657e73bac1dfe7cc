//! Theta-gamma, nonsmooth contact at a time of its own within the step, with steps of fixed length.

use super::contact::{StepOptions, ThetaStep};
use super::integrator_type::{Build, IntegratorType};
use super::{Discretization, FixedStep, Integrator, IntegratorError, OptionError, Options};
use crate::diagram::Diagram;
use crate::solvers::theta_gamma::{Friction, ThetaGammaOptions};

/// `theta-gamma`.
pub(super) static TYPE: IntegratorType = IntegratorType {
    name: "theta-gamma",
    about: "nonsmooth rigid contact (theta-gamma scheme), steps of fixed length",
    remarks: "Bodies are rigid: stiffness and dissipation of contacts are not used, what sticks does not creep, what \
              slides is not lifted. `theta` 1/2 is of second order where the motion is smooth and keeps the energy of \
              springs, 1 (the default) damps what is fast; `gamma` sets what impacts give back. Converges slowly for \
              large mass ratios and high stacks; solves that end unsettled are counted",
    options: &["step", "external", "feedback", "theta_gamma"],
    build: Build::Fixed(build),
};

fn build(options: &Options, diagram: &Diagram, step: f64) -> Result<Box<dyn Integrator>, IntegratorError> {
    let theta_gamma = options.theta_gamma;
    check(&theta_gamma)?;
    let discretization = Discretization { implicit_springs: true, spins_by_bias: true, ..Discretization::default() };
    let step_options = StepOptions { anticipate_contact: true, discretization, ..options.into() };
    let method = ThetaStep::new(diagram, step_options, theta_gamma);
    let mut fixed = FixedStep::new(TYPE.name, diagram, method, step);
    fixed.keeps_forces = theta_gamma.warm_start;
    Ok(Box::new(fixed))
}

/// Whether options are in their range.
pub(super) fn check(options: &ThetaGammaOptions) -> Result<(), OptionError> {
    for (name, value) in [("theta_gamma.theta", options.theta), ("theta_gamma.gamma", options.gamma)] {
        if !(0.5..=1.0).contains(&value) {
            return Err(OptionError::OutOfRange { name, value, least: 0.5, most: 1.0 });
        }
    }
    let e = options.restitution;
    if !(0.0..=1.0).contains(&e) {
        return Err(OptionError::OutOfRange { name: "theta_gamma.restitution", value: e, least: 0.0, most: 1.0 });
    }
    if e > 0.0 && options.gamma != 1.0 {
        return Err(OptionError::TwoRestitutions { restitution: e, gamma: options.gamma });
    }
    if let Friction::Contensou { radius } = options.friction
        && !(radius > 0.0 && radius.is_finite())
    {
        return Err(OptionError::NotPositive { name: "theta_gamma.contact_radius", value: radius });
    }
    for (name, value) in [
        ("theta_gamma.correction", options.correction),
        ("theta_gamma.slop", options.slop),
        ("theta_gamma.correction_speed", options.correction_speed),
        ("theta_gamma.tolerance", options.tolerance),
    ] {
        if !(value >= 0.0) {
            return Err(OptionError::Negative { name, value });
        }
    }
    Ok(())
}

impl Options {
    /// Theta-gamma with steps of length `step` \[s\].
    pub fn theta_gamma(step: f64) -> Self {
        Options { step: Some(step), ..Options::of(&TYPE) }
    }
}
