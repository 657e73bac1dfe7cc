//! Options of an integrator, as files and the command line name them.

use super::integrator_type::{Build, IntegratorType};
use super::rule::RuleSwitches;
use super::tuning::CenicTuning;
use super::{Controller, ErrorWeights, MethodOptions, NonFinite, OptionError, StepControl, StepLength};
use crate::choices::options::{ACCURACY, STEP};
use crate::linearize::Feedback;
use kinegraph_convex::contact::MAX_STEP;
use kinegraph_convex::solvers::icf::Method;

/// Options of an integrator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Type of the integrator.
    pub integrator: &'static IntegratorType,
    /// Largest error of a step (error-controlled integrators), of any position of a plant and any other state; of
    /// methods for differential equations (`rk3`, `sdirk2`, …) without plants: of any state.
    pub accuracy: f64,
    /// The step \[s\] of methods of fixed step. If given, methods for differential equations take steps of this length
    /// too, without error control.
    pub step: Option<f64>,
    /// Largest step \[s\].
    pub max_step: f64,
    /// First step \[s\]; default: a tenth of the largest, but no less than the smallest.
    pub initial_step: Option<f64>,
    /// Smallest step \[s\]: a run that needs a smaller one stops with a report.
    pub min_step: f64,
    /// Part of the controllers' feedback that is implicit.
    pub feedback: Feedback,
    /// Local extrapolation of the smooth parts of the motion, refinement of free motion and of soft contact, and
    /// location of the points where the motion is not smooth (step doubling). While the
    /// whole diagram moves freely, steps of an explicit method of fifth order take the place of convex ones.
    pub extrapolate: bool,
    /// Weights of the error norm, with plants.
    pub error_weights: ErrorWeights,
    /// Rule by which step lengths follow from errors.
    pub controller: Controller,
    /// Solver of convex steps with contact.
    pub solver: Method,
    /// Options of single methods, such as those of `sap`.
    pub methods: MethodOptions,
    /// The rules of the step that are on (step doubling), for experiments.
    pub rules: RuleSwitches,
    /// The numbers of the step, for experiments.
    pub tuning: CenicTuning,
    /// Number of threads of one run. They solve islands and compare shapes at the same time where there are many; the
    /// bits of a run do not depend on it.
    pub threads: usize,
    /// Treatment of values that are not finite numbers.
    pub non_finite: NonFinite,
    /// True to use the choices of the reference implementation where ours differ: absolute solver tolerance, positions
    /// only in the error norm, no contacts before they touch.
    pub reference: bool,
}

pub use crate::choices::options::MAX_STEPS;
/// Range of the length of a step: that of times in files.
pub use kinegraph_core::sizes::TIME_SIZES;
/// Range of the accuracy of a run: doubles have 16 digits.
pub const ACCURACIES: (f64, f64) = (1e-15, 1.0); // rounding

impl From<&'static IntegratorType> for Options {
    /// Options of `integrator` with their defaults, and steps of 1 ms if their length must be given.
    fn from(integrator: &'static IntegratorType) -> Self {
        let step = (!integrator.error_controlled()).then_some(STEP);
        Options { step, ..Options::of(integrator) }
    }
}

impl Options {
    /// Options of `integrator` with their defaults.
    pub fn of(integrator: &'static IntegratorType) -> Self {
        Options {
            integrator,
            accuracy: ACCURACY,
            step: None,
            max_step: MAX_STEP,
            initial_step: None,
            min_step: 0.0,
            feedback: Feedback::Full,
            extrapolate: true,
            error_weights: ErrorWeights::default(),
            controller: Controller::default(),
            solver: Method::default(),
            methods: MethodOptions::default(),
            rules: RuleSwitches::ALL,
            tuning: CenicTuning::DEFAULT,
            threads: 1,
            non_finite: NonFinite::Stop,
            reference: false,
        }
    }

    /// True if the integrator chooses its steps.
    pub fn error_controlled(&self) -> bool {
        match self.integrator.build {
            Build::Fixed(_) => false,
            Build::Controlled(_) => true,
            Build::Either(_) => self.step.is_none(),
        }
    }

    /// Checks that every option that the integrator reads is in its range.
    ///
    /// # Errors
    /// The first option that is not in its range.
    pub fn check(&self) -> Result<(), OptionError> {
        self.methods.check()?;
        match self.integrator.build {
            Build::Fixed(_) => self.fixed_step().map(drop),
            Build::Controlled(_) => self.control().map(drop),
            Build::Either(_) => self.step_length().map(drop),
        }
    }

    /// Longest step that may be taken \[s\].
    pub fn longest_step(&self) -> f64 {
        match (self.step, &self.integrator.build) {
            (Some(step), Build::Fixed(_) | Build::Either(_)) => step,
            _ => self.max_step,
        }
    }

    /// Fixed step \[s\], which must be given.
    pub(super) fn fixed_step(&self) -> Result<f64, OptionError> {
        time("step", self.step.ok_or(OptionError::NoStep { integrator: self.integrator.name })?)
    }

    /// Steps of a given length, if one is given; otherwise error control.
    pub(super) fn step_length(&self) -> Result<StepLength, OptionError> {
        match self.step {
            Some(step) => Ok(StepLength::Fixed(time("step", step)?)),
            None => Ok(StepLength::Controlled(self.control()?)),
        }
    }

    /// Step control of these options.
    pub(super) fn control(&self) -> Result<StepControl, OptionError> {
        let accuracy = positive("accuracy", self.accuracy)?;
        let (least, most) = ACCURACIES;
        if !(least..most).contains(&accuracy) {
            return Err(OptionError::Size { name: "accuracy", value: accuracy, least, most });
        }
        let mut control = StepControl::new(accuracy, time("max_step", self.max_step)?);
        let within = |name, value: f64| {
            let max_step = self.max_step;
            if value <= max_step { Ok(value) } else { Err(OptionError::LongerThanLargest { name, value, max_step }) }
        };
        if let Some(first) = self.initial_step {
            control.initial_step = Some(within("initial_step", time("initial_step", first)?)?);
        }
        if !(self.min_step >= 0.0 && self.min_step.is_finite()) {
            return Err(OptionError::Negative { name: "min_step", value: self.min_step });
        }
        if self.min_step > 0.0 {
            time("min_step", self.min_step)?;
        }
        control.controller = self.controller;
        control.grow_after_rejection = self.reference;
        control.min_step = within("min_step", self.min_step)?;
        Ok(control)
    }
}

fn positive(name: &'static str, value: f64) -> Result<f64, OptionError> {
    if value > 0.0 && value.is_finite() { Ok(value) } else { Err(OptionError::NotPositive { name, value }) }
}

/// Checks a time that has the size of steps.
fn time(name: &'static str, value: f64) -> Result<f64, OptionError> {
    let (least, most) = TIME_SIZES;
    let value = positive(name, value)?;
    if (least..=most).contains(&value) { Ok(value) } else { Err(OptionError::Size { name, value, least, most }) }
}
