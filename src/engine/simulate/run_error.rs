//! Reasons why a run stopped before its end.

use super::diverging_loop::DivergingLoop;
use crate::integrators::IntegratorError;
use kinegraph_diagram::LoopFault;

/// Reason why a run stopped before its end.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum RunError {
    /// The integrator cannot continue.
    #[error(transparent)]
    Integrator(#[from] IntegratorError),
    /// An observer of the run ended it within a step. The state is at the end of the step before.
    #[error("interrupted at t = {time} s, within a step")]
    Interrupted {
        /// Time \[s\].
        time: f64,
    },
    /// A loop of the diagram diverges.
    #[error("{0}")]
    Diverges(Box<DivergingLoop>),
    /// The run needs more steps than allowed.
    #[error(
        "{steps:.3e} steps of at most {step:e} s to t = {time} s; at most {most:e} are taken. Give a longer `step` or `max_step`"
    )]
    TooManySteps {
        /// Number of steps.
        steps: f64,
        /// Longest of them \[s\].
        step: f64,
        /// Time at which they would end \[s\].
        time: f64,
        /// Largest allowed number.
        most: f64,
    },
    /// Steps are so short, and stay so, that they lead to no end.
    #[error(
        "at t = {time} s there is no end in sight: the last {seen} steps were {step:.1e} s long on average, so that \
         {steps:.1e} more lead to t = {end} s; at most {most:e} are taken. Something moves or changes too fast: the largest \
         number of the state is {value:.3e}, of `{largest}`. Look at the speeds, masses and stiffnesses around it (`--steps` \
         records what limits each step), or run to an earlier time"
    )]
    NoEnd {
        /// Time \[s\].
        time: f64,
        /// Time at which the run was to end \[s\].
        end: f64,
        /// Number of steps measured.
        seen: u32,
        /// Their average length \[s\].
        step: f64,
        /// Number of such steps to the end.
        steps: f64,
        /// Largest allowed number of such steps: fewer, the more of the state each evaluates.
        most: f64,
        /// Name of the largest number of the state.
        largest: String,
        /// Its value.
        value: f64,
    },
    /// The plants have gained more energy than anything could give them.
    #[error("at t = {time} s {fault}")]
    Gained {
        /// Time \[s\].
        time: f64,
        /// Amount, in words.
        fault: String,
    },
    /// Crossings that follow each other ever faster, without end.
    #[error(
        "at t = {time} s events come without end: {events} crossings within {window:.1e} s, the last of {witnesses}. Give the guard hysteresis, or let the mode that the events lead to (rest, sliding) be a state of its own"
    )]
    Zeno {
        /// Time \[s\].
        time: f64,
        /// Number of crossings.
        events: usize,
        /// Time within which they happened \[s\].
        window: f64,
        /// The last ones, as `block: witness`.
        witnesses: String,
    },
    /// A state machine that passes states at one instant without end.
    #[error(
        "at t = {time} s the state machine `{block}` passes states without end: {}. Let one of these transitions wait \
         (`and after 0.01 s`), or let their conditions exclude each other",
        states.join(" -> ")
    )]
    Circle {
        /// Time \[s\].
        time: f64,
        /// Path of the block.
        block: String,
        /// The states, the first one again at the end.
        states: Vec<String>,
    },
    /// The output of a block jumps to and fro: a sliding mode.
    #[error(
        "at t = {time} s the output of `{block}` jumps to and fro from step to step, as dry friction by a sign does: a \
         sliding mode, which no step follows, whatever the accuracy. Give the joint a `friction` in its model, which is \
         followed, give the jump hysteresis (`relay`), or take steps of fixed length, which promise no accuracy"
    )]
    Slides {
        /// Time \[s\].
        time: f64,
        /// Full name of the block.
        block: String,
    },
    /// An output or a discrete state is not a finite number.
    #[error(
        "at t = {time} s {what} is {value}, computed by block `{block}`. Look at its inputs and parameters; \
         `non_finite: keep` in `simulation` goes on all the same"
    )]
    NotFinite {
        /// Time \[s\].
        time: f64,
        /// Name of the value: its channel or the name of the state.
        what: String,
        /// Its value.
        value: f64,
        /// Full name of the block.
        block: String,
    },
    /// An element of a fibre is bent beyond what it measures.
    #[error(
        "at t = {time} s element `{element}` of plant `{plant}` turns by {angle:.2} rad: refine the fibre, by more elements where it is bent"
    )]
    Overbent {
        /// Time \[s\].
        time: f64,
        /// The plant.
        plant: String,
        /// The element, as `FIBRE.eN`.
        element: String,
        /// The angle \[rad\].
        angle: f64,
    },
    /// An algebraic loop has no solution where its outputs were looked at.
    #[error(transparent)]
    AlgebraicLoop(#[from] Box<LoopFault>),
    /// A witness function is not a number, so that its zero crossings are unknown.
    #[error(
        "at t = {time} s the witness function `{witness}` is not a number: whether it crosses zero is unknown. Look at the inputs and the state of the block"
    )]
    UndefinedWitness {
        /// Time \[s\].
        time: f64,
        /// The function, as `block: witness`.
        witness: String,
    },
}

kinegraph_core::debug_is_message!(RunError);
