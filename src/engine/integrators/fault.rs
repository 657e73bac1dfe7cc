//! Faults: of an option, of an attempt at a step, of an integrator.

use crate::choices::fault::MAX_MATRIX_BYTES;
use kinegraph_convex::contact::UntakenElement;
use kinegraph_convex::solvers::SolveFailure;
use kinegraph_core::memory::TooMuchMemory;
use kinegraph_diagram::LoopFault;
use std::sync::Arc;

/// Reason why an attempt at a step failed. The step is rejected and retried with a shorter one.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum StepFailure {
    /// The convex problem did not solve.
    #[error("{failure}; its first coordinate is {near}")]
    Solve {
        /// First coordinate of the connected part that did not solve.
        near: String,
        /// Reason of the failure.
        failure: Box<SolveFailure>,
    },
    /// A signal, force or derivative is not a finite number.
    #[error("{what} is not a finite number")]
    NotFinite {
        /// The quantity, with the name of the block or coordinate.
        what: String,
    },
    /// Feedback on a plant drives it away from rest with a pole near the inverse of the step.
    #[error(
        "the feedback on plant `{plant}` is unstable, too fast to follow with steps of {step:.3e} s: its linearization has a real pole near 1/step; take shorter steps, or check the signs of its gains"
    )]
    Runaway {
        /// Full name of the plant.
        plant: Arc<str>,
        /// Step length \[s\].
        step: f64,
    },
    /// Something grows too fast for an implicit step of this length, which would damp it.
    #[error(
        "something grows by a factor of e within {time:.3e} s, and an implicit step of {step:.3e} s would damp it: take steps of at most {longest:.3e} s, or check the signs of gains"
    )]
    Grows {
        /// Time in which it grows e-fold \[s\].
        time: f64,
        /// Step length \[s\].
        step: f64,
        /// Longest step that follows it \[s\].
        longest: f64,
    },
    /// The accuracy is lost in the rounding of a number.
    #[error("{what} is {value:.3e}, where the accuracy is lost in rounding")]
    TooLarge {
        /// Name of the number.
        what: String,
        /// Its value.
        value: f64,
    },
    /// An algebraic loop did not close.
    #[error(transparent)]
    AlgebraicLoop(#[from] Box<LoopFault>),
    /// A step is longer than an explicit method can follow the springs that stand for rigid elements.
    #[error(
        "{what} is rigid, for which an explicit method has a spring with a period of {period} s, and that is followed by steps of at most {longest:.3e} s"
    )]
    TooStiff {
        /// Name of the rigid element.
        what: String,
        /// Longest step that can follow them \[s\].
        longest: f64,
        /// Natural period of the spring \[s\].
        period: f64,
    },
    /// There are more contact points than the capacity.
    #[error(
        "there are {found} contact points, more than `max_rigid_contact` ({most}); raise it, or choose what happens beyond by `on_overflow` (grow, drop_shallowest)"
    )]
    TooManyContacts {
        /// Number of contact points.
        found: usize,
        /// Largest number of contact points.
        most: usize,
    },
    /// The equations of an implicit method have not been solved.
    #[error(
        "the equations of an implicit step of {h:.3e} s did not converge: its forces or rates change too much within it"
    )]
    NotConverged {
        /// Step length \[s\].
        h: f64,
    },
    /// A step of free motion would meet a contact or a joint stop.
    #[error("free motion ends at a contact or a joint stop")]
    NotFree,
}

kinegraph_core::debug_is_message!(StepFailure);

/// Reason why an integrator cannot be made, or cannot continue.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum IntegratorError {
    /// An option is out of range.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The plants have elements that the integrator has no law for: without one they would silently exert no force.
    #[error("integrator `{integrator}` cannot take {}", listed(elements))]
    Elements {
        /// The integrator.
        integrator: &'static str,
        /// All elements without a law.
        elements: Vec<UntakenElement>,
    },
    /// Matrices would need more memory than the limit.
    #[error(
        "integrator `{integrator}` computes derivatives of {states} states with respect to each other: {:.1} GB of memory, \
         at most {:.1}. Take an explicit method (`dopri5`), or cut the diagram into several",
        *bytes / 1e9, // message
        MAX_MATRIX_BYTES / 1e9 // message
    )]
    TooLarge {
        /// The integrator.
        integrator: &'static str,
        /// Number of states.
        states: usize,
        /// Memory of the matrices \[bytes\].
        bytes: f64,
    },
    /// More memory would be needed than the limit.
    #[error(transparent)]
    Memory(#[from] TooMuchMemory),
    /// The step fell below the smallest one allowed.
    #[error(
        "at t = {time} s the step fell to {step:.3e} s, below the smallest allowed step {minimum:.3e} s{}",
        last.as_ref().map(|l| format!("; the last attempt failed: {l}. Look at the blocks that drive it")).unwrap_or_else(|| format!(
            "; the largest error is in {worst}. Ask for a looser accuracy or allow smaller steps (`min_step`), or look there for a jump or a stiff gain"
        ))
    )]
    StepTooSmall {
        /// Time \[s\].
        time: f64,
        /// The step asked for \[s\].
        step: f64,
        /// The smallest one allowed \[s\].
        minimum: f64,
        /// Name of the coordinate with the largest error.
        worst: String,
        /// The last failure, if attempts failed rather than being inaccurate.
        last: Option<StepFailure>,
    },
    /// A number grows, and is so large that the accuracy is lost in its rounding.
    #[error(
        "at t = {time} s {what} is {value:.3e}, where the accuracy {accuracy} is lost in rounding: it diverges. Check the signs of gains in its loop and the poles of its block, end the run before (`duration`), or ask for a looser accuracy"
    )]
    Diverges {
        /// Time \[s\].
        time: f64,
        /// Name of the coordinate.
        what: String,
        /// Its value.
        value: f64,
        /// The accuracy.
        accuracy: f64,
    },
    /// A fixed step failed.
    #[error(
        "at t = {time} s the step of {step} s failed: {failure}. Take shorter steps, or an integrator with error control (`cenic`)"
    )]
    FixedStepFailed {
        /// Time \[s\].
        time: f64,
        /// Step length \[s\].
        step: f64,
        /// Reason of the failure.
        failure: StepFailure,
    },
    /// The limit is before the state's time, or not a number.
    #[error("cannot step from t = {time} s to {limit} s: time runs forward only")]
    LimitBehind {
        /// Time \[s\].
        time: f64,
        /// The limit \[s\].
        limit: f64,
    },
    /// Steps of this integrator cannot be differentiated.
    #[error(
        "`{integrator}` has no derivatives: take `cenic`, or one of the methods for differential equations (`dopri5`, \
         `rk3`, `bs23`)"
    )]
    NoDerivative {
        /// Its name.
        integrator: &'static str,
    },
    /// The state does not belong to the diagram.
    #[error(
        "the state has {continuous} continuous and {discrete} discrete values; the diagram has {continuous_width} and {discrete_width}: \
         take a state of this diagram (`Diagram::initial_state`, `Simulation::restore`)"
    )]
    ForeignState {
        /// Continuous values of the state.
        continuous: usize,
        /// Discrete values of the state.
        discrete: usize,
        /// Continuous state of the diagram.
        continuous_width: usize,
        /// Discrete state of the diagram.
        discrete_width: usize,
    },
}

kinegraph_core::debug_is_message!(IntegratorError);

fn listed(elements: &[UntakenElement]) -> String {
    elements.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// An option out of range.
#[derive(Clone, PartialEq, thiserror::Error)]
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
    /// A number is too small or too large for its kind.
    #[error("{name} is {value:e}, but must be between {least:e} and {most:e}")]
    Size {
        /// The option.
        name: &'static str,
        /// Its value.
        value: f64,
        /// Least allowed value.
        least: f64,
        /// Largest allowed value.
        most: f64,
    },
    /// A number is out of its range.
    #[error("{name} is {value}, but must be from {least} to {most}")]
    OutOfRange {
        /// The option.
        name: &'static str,
        /// Its value.
        value: f64,
        /// Least allowed value.
        least: f64,
        /// Largest allowed value.
        most: f64,
    },
    /// Two options exclude each other.
    #[error("{name} is {value}, but with {other} {other_value} {reason}")]
    Excluded {
        /// The option.
        name: &'static str,
        /// Its value.
        value: f64,
        /// The option that excludes it.
        other: &'static str,
        /// Value of that option.
        other_value: f64,
        /// Reason, and the value to give.
        reason: &'static str,
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
    #[error("integrator `{integrator}` takes steps of a fixed length: give `step` (for example 0.001)")]
    NoStep {
        /// The integrator.
        integrator: &'static str,
    },
}

kinegraph_core::debug_is_message!(OptionError);
