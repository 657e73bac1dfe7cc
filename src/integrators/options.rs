//! Options of an integrator as files and the command line name them, and the integrator they describe.

use super::contact::{IcfOptions, IcfStep};
use super::{
    Controller, DOPRI5, ErrorWeights, ExplicitRungeKutta, FixedStep, Integrator, Pace, RK3, StepControl, StepDoubling,
    Trapezoid,
};
use crate::linearize::Feedback;
use crate::solvers::icf::{Method, SolverOptions, ToleranceScale};
use serde::{Deserialize, Serialize};

/// The integrators, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scheme {
    /// The convex step with error-controlled steps (step doubling).
    #[default]
    Cenic,
    /// The convex step corrected to the second order by a second solve, with error-controlled steps.
    CenicTrapezoid,
    /// The convex step with a fixed step.
    Icf,
    /// The explicit Runge-Kutta method of third order; without plants.
    Rk3,
    /// The explicit Runge-Kutta method of Dormand and Prince, of fifth order; without plants.
    Dopri5,
}

impl Scheme {
    /// All of them.
    pub const ALL: [Scheme; 5] = [Scheme::Cenic, Scheme::CenicTrapezoid, Scheme::Icf, Scheme::Rk3, Scheme::Dopri5];

    /// The name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Scheme::Cenic => "cenic",
            Scheme::CenicTrapezoid => "cenic-trapezoid",
            Scheme::Icf => "icf",
            Scheme::Rk3 => "rk3",
            Scheme::Dopri5 => "dopri5",
        }
    }
}

/// Options of an integrator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Which integrator.
    pub scheme: Scheme,
    /// Largest error of a step (error-controlled integrators). `cenic` and `cenic-trapezoid`: of any position of a
    /// plant and any other state. `rk3` and `dopri5`: of any state.
    pub accuracy: f64,
    /// The step \[s\] of `icf`. If given, `rk3` and `dopri5` take steps of this length too, without error control.
    pub step: Option<f64>,
    /// Largest step \[s\].
    pub max_step: f64,
    /// First step \[s\]; default: a tenth of the largest, but no less than the smallest.
    pub initial_step: Option<f64>,
    /// Smallest step \[s\]: a run that needs a smaller one stops with a report.
    pub min_step: f64,
    /// How much of the controllers' feedback is taken implicitly.
    pub feedback: Feedback,
    /// Local extrapolation of the smooth parts of the motion, refinement of free motion and of soft contact, and
    /// location of the points where the motion is not smooth (step doubling, at accuracy 1e-3 and tighter). While the
    /// whole diagram moves freely, steps of an explicit method of fifth order take the place of convex ones.
    pub extrapolate: bool,
    /// What counts in the error norm of convex steps.
    pub error_weights: ErrorWeights,
    /// How step lengths follow from errors.
    pub controller: Controller,
    /// How convex steps with contact are solved.
    pub solver: Method,
    /// The choices of the reference implementation where ours differ: absolute solver tolerance, positions only in the
    /// error norm, no contacts before they touch.
    pub reference: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            scheme: Scheme::Cenic,
            accuracy: 1e-3,
            step: None,
            max_step: 0.1,
            initial_step: None,
            min_step: 0.0,
            feedback: Feedback::Full,
            extrapolate: true,
            error_weights: ErrorWeights::default(),
            controller: Controller::default(),
            solver: Method::default(),
            reference: false,
        }
    }
}

/// An option out of range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum OptionError {
    /// A number that must be positive and finite is not.
    #[error("{name} is {value}, but must be a positive number")]
    NotPositive {
        /// The option.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// A number that must be zero or positive, and finite, is not.
    #[error("{name} is {value}, but must be zero or a positive number")]
    Negative {
        /// The option.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// A step longer than the largest one.
    #[error("{name} is {value} s, longer than max_step, which is {max_step} s")]
    LongerThanLargest {
        /// The option.
        name: &'static str,
        /// Its value \[s\].
        value: f64,
        /// The largest step \[s\].
        max_step: f64,
    },
    /// A fixed-step integrator has no step.
    #[error("integrator `{scheme}` takes steps of a fixed length: give `step` (for example 0.001)")]
    NoStep {
        /// The integrator.
        scheme: &'static str,
    },
}

impl Options {
    /// The convex step with error control: no step errs by more than `accuracy`.
    pub fn cenic(accuracy: f64) -> Self {
        Options { accuracy, ..Options::default() }
    }

    /// The trapezoid scheme with error control.
    pub fn cenic_trapezoid(accuracy: f64) -> Self {
        Options { scheme: Scheme::CenicTrapezoid, accuracy, ..Options::default() }
    }

    /// The convex step of fixed length `step` \[s\].
    pub fn icf(step: f64) -> Self {
        Options { scheme: Scheme::Icf, step: Some(step), ..Options::default() }
    }

    /// The explicit method of third order with error control.
    pub fn rk3(accuracy: f64) -> Self {
        Options { scheme: Scheme::Rk3, accuracy, ..Options::default() }
    }

    /// The explicit method of fifth order with error control.
    pub fn dopri5(accuracy: f64) -> Self {
        Options { scheme: Scheme::Dopri5, accuracy, ..Options::default() }
    }

    /// Whether the integrator chooses its steps.
    pub fn error_controlled(&self) -> bool {
        match self.scheme {
            Scheme::Cenic | Scheme::CenicTrapezoid => true,
            Scheme::Icf => false,
            Scheme::Rk3 | Scheme::Dopri5 => self.step.is_none(),
        }
    }

    /// The integrator that these options describe.
    pub fn build(&self) -> Result<Box<dyn Integrator>, OptionError> {
        Ok(match self.scheme {
            Scheme::Icf => {
                let step = self.step.ok_or(OptionError::NoStep { scheme: "icf" })?;
                Box::new(FixedStep::new("icf", self.convex(), positive("step", step)?))
            }
            Scheme::Cenic => {
                let mut cenic = StepDoubling::new("cenic", self.convex(), self.control()?);
                cenic.extrapolate = self.extrapolate && !self.reference;
                cenic.foresee = !self.reference;
                Box::new(cenic)
            }
            Scheme::CenicTrapezoid => Box::new(Trapezoid::new(self.convex(), self.control()?)),
            Scheme::Rk3 => Box::new(ExplicitRungeKutta::new(&RK3, self.pace()?)),
            Scheme::Dopri5 => Box::new(ExplicitRungeKutta::new(&DOPRI5, self.pace()?)),
        })
    }

    fn convex(&self) -> IcfStep {
        IcfStep::new(IcfOptions {
            feedback: self.feedback,
            anticipate_contact: !self.reference,
            error_weights: (!self.reference).then_some(self.error_weights),
            rejects: self.error_controlled(),
            solver: SolverOptions {
                method: self.solver,
                scale: if self.reference { ToleranceScale::Reference } else { ToleranceScale::Island },
                min_tolerance: match self.scheme {
                    Scheme::CenicTrapezoid => super::trapezoid::MIN_TOLERANCE,
                    _ => SolverOptions::default().min_tolerance,
                },
                ..SolverOptions::default()
            },
        })
    }

    fn pace(&self) -> Result<Pace, OptionError> {
        match self.step {
            Some(step) => Ok(Pace::Fixed(positive("step", step)?)),
            None => Ok(Pace::Controlled(self.control()?)),
        }
    }

    fn control(&self) -> Result<StepControl, OptionError> {
        let mut control = StepControl::new(positive("accuracy", self.accuracy)?, positive("max_step", self.max_step)?);
        let within = |name, value: f64| {
            let max_step = self.max_step;
            if value <= max_step { Ok(value) } else { Err(OptionError::LongerThanLargest { name, value, max_step }) }
        };
        if let Some(first) = self.initial_step {
            control.initial_step = Some(within("initial_step", positive("initial_step", first)?)?);
        }
        if !(self.min_step >= 0.0 && self.min_step.is_finite()) {
            return Err(OptionError::Negative { name: "min_step", value: self.min_step });
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
