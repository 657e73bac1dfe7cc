//! Integrators: how a diagram's state is advanced in time.
//!
//! An [`Integrator`] is made for a diagram and advances its state step by step. Those with a name have an
//! [`IntegratorType`] each, and [`Options`] make one. A one-step method ([`OneStep`]) takes a step of a given length;
//! [`FixedStep`] turns one into an integrator: `icf` is [`FixedStep`] over the convex step ([`contact`]). `cenic` is
//! [`StepDoubling`] over the convex step, with a [`StepControl`] and the rules of [`Rule`]. Other schemes and other
//! laws of contact are in `kinegraph-methods`, with the table of all integrators. To methods for differential equations
//! a diagram with plants is one like any other; [`OdeIntegrator`] steps with them: [`ExplicitRungeKutta`] (`rk3`,
//! `bs23`, `dopri5`), `sdirk2`, `ros2`, `implicit-euler`, `semi-implicit-euler`.

mod attempts;
mod bs23;
mod candidate;
#[doc(hidden)]
pub mod cenic;
pub mod contact;
#[doc(hidden)]
pub mod couplings;
mod decisions;
mod dense;
mod discretization;
mod divergence;
mod dopri5;
mod dormand_prince;
mod ends;
mod error_norm;
mod explicit_rk;
mod family;
mod fault;
mod features;
mod fixed_step;
pub mod icf;
#[doc(hidden)]
pub mod implicit;
mod implicit_euler;
mod integrator;
mod integrator_type;
#[doc(hidden)]
pub mod limit;
mod mean_weights;
mod mechanical_energy;
mod memory;
mod method_options;
mod methods;
mod non_finite;
mod ode_integrator;
mod ode_method;
mod one_step;
mod option_group;
mod option_number;
mod options;
mod output_errors;
mod rates;
mod rk3;
mod ros2;
mod rule;
mod sdirk2;
mod search;
mod semi_implicit_euler;
mod solved;
mod span;
mod stages;
mod statistics;
mod step_control;
mod step_doubling;
mod step_length;
mod tableau;
mod tuning;

pub use attempts::{Attempt, Attempts, Outcome};
pub use bs23::BOGACKI_SHAMPINE;
pub use candidate::Candidate;
pub use cenic::{Aim, Controlled, Prepared, Scheme, StepDoubling};
pub use contact::IcfStep;
pub use contact::parts::FirstDifference;
pub use decisions::{Decisions, KeptDepth, Smoothness, StepSolutions};
pub use dense::DenseStep;
pub use discretization::{
    Capacity, Complete, ContactPointMode, Discretization, FrictionPlace, Overflow, PositionIntegration,
};
pub use dormand_prince::DORMAND_PRINCE;
pub use ends::{EndRates, Ends};
pub use error_norm::{ErrorNorm, ErrorWeights};
pub use explicit_rk::ExplicitRungeKutta;
pub use family::{Family, Motion};
pub use fault::{IntegratorError, OptionError, StepFailure};
pub use features::{FEATURES, Feature, Support};
pub use fixed_step::FixedStep;
pub use integrator::{CloneIntegrator, Integrator, Step};
pub use integrator_type::{Build, IntegratorType};
pub(crate) use limit::check_state;
pub use mean_weights::MeanWeights;
pub use mechanical_energy::MechanicalEnergy;
pub use memory::{EnergyMemory, FreeMotionMemory, GainInVain, StepMemory, ThirdMemory, TransitionMemory};
pub use method_options::{MAX_OPTIONS, MethodOptions};
pub use methods::CORE_METHODS;
pub use non_finite::NonFinite;
pub use ode_integrator::OdeIntegrator;
pub use ode_method::{Attempted, Kept, OdeMethod, RightHandSide};
pub use one_step::OneStep;
pub use option_group::{
    GroupSource, IfNotGiven, MAX_COUNT, MAX_TOLERANCE, OptionConflict, OptionGroup, OptionKey, OptionNumbers,
    OptionValue, Range,
};
pub use option_number::OptionNumber;
pub use options::{ACCURACIES, MAX_STEPS, Options, TIME_SIZES};
pub use output_errors::OutputErrors;
pub use rk3::RK3;
pub use rule::{Rule, RuleSwitches};
pub use search::{Accepted, Estimate, StepTooShort};
pub use solved::{SolvedStep, acted};
pub use span::{StepSpan, ToSolve};
pub use statistics::Statistics;
pub use step_control::{ControlMemory, Controller, Decision, StepControl};
pub use step_length::StepLength;
pub use tableau::Tableau;
pub use tuning::{CenicTuning, TuningNumber};
