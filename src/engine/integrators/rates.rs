//! A diagram as an ordinary differential equation: the rates of its continuous state.

use super::contact::ContinuousForm;
use super::contact::strikes::AtStops;
use super::couplings::{Couplings, Kind};
use super::mean_weights::MeanWeights;
use super::{ErrorNorm, ErrorWeights, Statistics, StepFailure};
use kinegraph_convex::contact::ContactGradients;
use kinegraph_convex::profile::Phase;
use kinegraph_core::step_record::StepRecord;
use kinegraph_diagram::{Diagram, Schedule, State, Values};

/// Right-hand side `x' = f(t, x)` of a diagram, with its discrete state held.
#[derive(Clone)]
pub(super) enum Rates {
    /// Of a diagram without plants.
    Plain(Box<PlainRates>),
    /// Of a diagram with plants.
    Plants(Box<ContinuousForm>),
}

/// The right-hand side of a diagram without plants.
#[derive(Clone)]
pub(super) struct PlainRates {
    diagram: Diagram,
    /// Computes the inputs of blocks with state, and nothing else.
    schedule: Schedule,
    values: Values<f64>,
}

impl Rates {
    /// The right-hand side of `diagram`, in a run with these weights of errors and steps of at most `max_step` \[s\].
    pub fn new(diagram: &Diagram, weights: &ErrorWeights, max_step: f64) -> Self {
        if diagram.plants().next().is_some() {
            return Rates::Plants(Box::new(ContinuousForm::new(diagram, weights, max_step)));
        }
        let stateful: Vec<usize> =
            (0..diagram.blocks().len()).filter(|&b| !diagram.blocks()[b].state.is_empty()).collect();
        let schedule = diagram.schedule_for_inputs_of(&stateful);
        Rates::Plain(Box::new(PlainRates { schedule, values: diagram.values(), diagram: diagram.clone() }))
    }

    /// Error norm of `diagram` by the `weights`; without plants every state is external.
    pub fn norm(&self, diagram: &Diagram, weights: &ErrorWeights) -> ErrorNorm {
        match self {
            Rates::Plain(_) => ErrorNorm::external(diagram, weights),
            Rates::Plants(form) => form.norm(weights),
        }
    }

    /// Holds everything constant that does not change within a step from `state`, for the evaluations that follow.
    /// Returns whether that changes the rates there.
    pub fn hold(&mut self, state: &State) -> bool {
        match self {
            Rates::Plain(plain) => {
                plain.values.hold(&state.discrete);
                false
            }
            Rates::Plants(form) => form.hold(state),
        }
    }

    /// Evaluates f(t, x).
    ///
    /// # Errors
    /// f(t, x) is not finite.
    pub fn evaluate(
        &mut self,
        time: f64,
        continuous: &[f64],
        rates: &mut [f64],
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure> {
        statistics.derivative_evaluations += 1;
        let plain = match self {
            Rates::Plain(plain) => plain,
            Rates::Plants(form) => return form.rates(time, continuous, rates, statistics),
        };
        let mut lap = statistics.watch.start();
        plain.diagram.evaluate_schedule(&plain.schedule, time, continuous, &mut plain.values);
        plain.diagram.derivatives(time, continuous, &plain.values, rates);
        statistics.watch.lap(Phase::External, &mut lap);
        match rates.iter().position(|x| !x.is_finite()) {
            None => Ok(()),
            Some(bad) => {
                let what = format!("the derivative of {}", plain.diagram.state_names()[bad]);
                Err(StepFailure::NotFinite { what })
            }
        }
    }

    /// True if blocks or efforts at their limits give the rates kinks without events. Contact, which has kinks as well,
    /// does not count.
    pub fn has_kinks(&self) -> bool {
        match self {
            Rates::Plain(plain) => plain.diagram.has_kinks(),
            Rates::Plants(form) => form.diagram().has_kinks() || form.is_limited() || form.has_ranges(),
        }
    }

    /// True if a force may be slack and then stiff.
    pub fn slackens(&self) -> bool {
        match self {
            Rates::Plain(_) => false,
            Rates::Plants(form) => form.slackens(),
        }
    }

    /// Longest step \[s\], up to `h`, from `state`, where the rates were evaluated last, that follows forces that are
    /// slack and then stiff.
    pub fn longest_followed(&mut self, state: &State, h: f64, accuracy: f64, at: Option<AtStops>) -> f64 {
        match self {
            Rates::Plain(_) => f64::INFINITY,
            Rates::Plants(form) => form.longest_followed(state, h, accuracy, at),
        }
    }

    /// True if bodies touched where the rates were evaluated last.
    pub fn touches(&self) -> bool {
        match self {
            Rates::Plain(_) => false,
            Rates::Plants(form) => form.touches(),
        }
    }

    /// The diagram, if it has no plants.
    pub fn diagram_without_plants(&self) -> Option<&Diagram> {
        match self {
            Rates::Plain(plain) => Some(&plain.diagram),
            Rates::Plants(_) => None,
        }
    }

    /// Name of a number of the state.
    pub fn state_name(&self, index: usize) -> String {
        let diagram = match self {
            Rates::Plain(plain) => &plain.diagram,
            Rates::Plants(form) => form.diagram(),
        };
        diagram.state_names().swap_remove(index)
    }

    /// Holds the forces of contacts at their values of the last evaluation, for the evaluations that follow, and finds
    /// their gradients. `false` if nothing is held.
    pub fn hold_contacts(&mut self, gradients: &mut ContactGradients) -> bool {
        match self {
            Rates::Plain(_) => false,
            Rates::Plants(form) => form.hold_contacts(gradients),
        }
    }

    /// Releases the held contact forces.
    pub fn release_contacts(&mut self) {
        if let Rates::Plants(form) = self {
            form.release_contacts();
        }
    }

    /// Kinds of the numbers of the state.
    pub fn kinds(&self, out: &mut Vec<Kind>) {
        match self {
            Rates::Plain(plain) => {
                out.clear();
                out.resize(plain.diagram.state_width(), Kind::External);
            }
            Rates::Plants(form) => form.kinds(out),
        }
    }

    /// Finds which parts of the state act on which rates, at the last evaluation; held contacts are left out.
    pub fn couplings(&self, couplings: &mut Couplings) {
        match self {
            Rates::Plain(plain) => couplings.start_whole(plain.diagram.state_width()),
            Rates::Plants(form) => form.couplings(couplings),
        }
    }

    /// Writes the end of a step of length `h` from `x` with these `rates` to `end`, positions by the velocities at its
    /// end.
    pub fn follow(&mut self, x: &[f64], rates: &[f64], h: f64, end: &mut [f64]) {
        end.iter_mut().enumerate().for_each(|(i, end)| *end = x[i] + h * rates[i]);
        if let Rates::Plants(form) = self {
            form.move_positions(x, h, end);
        }
    }

    /// Size of a `change` of the end of a step of length `h`, in the measure of errors; every number counts.
    pub fn size(&self, norm: &ErrorNorm, h: f64, change: &[f64]) -> f64 {
        match self {
            Rates::Plain(_) => norm.size(change).0,
            Rates::Plants(form) => form.size(norm, h, change),
        }
    }

    /// Momentum of the residual `left` of the equations of a stage that lasts `span` \[s\], as a part of the impulses
    /// of contacts at the last evaluation.
    pub fn unbalanced(&self, span: f64, left: &[f64]) -> f64 {
        match self {
            Rates::Plain(_) => 0.0,
            Rates::Plants(form) => form.unbalanced(span, left),
        }
    }

    /// Completes the end of a step: normalizes quaternions, and stops locked joints that are nearly at rest.
    pub fn complete(&self, continuous: &mut [f64]) {
        if let Rates::Plants(form) = self {
            form.complete(continuous);
        }
    }

    /// Size of the error estimate `error` of a step of length `h` to `end`, and the worst coordinate.
    pub fn error(&mut self, norm: &ErrorNorm, h: f64, end: &[f64], error: &[f64]) -> (f64, usize) {
        match self {
            Rates::Plain(_) => norm.size(error),
            Rates::Plants(form) => form.error(norm, h, end, error),
        }
    }

    /// Largest error, in stiction tolerances, of a velocity that reverses in a step from `start` to `end`, of bodies in
    /// contact.
    pub fn reversal_error(&self, start: &[f64], end: &[f64], error: &[f64]) -> f64 {
        match self {
            Rates::Plain(_) => 0.0,
            Rates::Plants(form) => form.reversal_error(start, end, error),
        }
    }

    /// Longest step \[s\] from the state `continuous` for a method of this stability, by the springs of rigid elements.
    pub fn longest_step(&self, continuous: &[f64], stability: f64) -> f64 {
        match self {
            Rates::Plain(_) => f64::INFINITY,
            Rates::Plants(form) => form.longest_step(continuous, stability),
        }
    }

    /// Longest step \[s\], up to `h`, from the state `continuous` in which no body passes unseen through another.
    pub fn in_sight(&mut self, continuous: &[f64], h: f64, statistics: &mut Statistics) -> f64 {
        match self {
            Rates::Plain(_) => h,
            Rates::Plants(form) => form.in_sight(continuous, h, statistics),
        }
    }

    /// Checks that a step from the state `continuous` may have the length `h`: see
    /// [`longest_step`](Self::longest_step).
    ///
    /// # Errors
    /// The failure names the rigid element and the longest step.
    pub fn check_step(&self, continuous: &[f64], stability: f64, h: f64) -> Result<(), StepFailure> {
        match self {
            Rates::Plain(_) => Ok(()),
            Rates::Plants(form) => form.check_step(continuous, stability, h),
        }
    }

    /// Notes the contact forces at the last evaluation as those of a stage of a step; 0 is its start.
    pub fn note(&mut self, stage: usize) {
        if let Rates::Plants(form) = self {
            form.note(stage);
        }
    }

    /// Notes the forces of a step of length `h` from the state `start` to `state`, where the rates were evaluated last,
    /// with contact forces averaged by the `weights` of the stages and of the end. Returns whether rates depend on
    /// these notes.
    pub fn record(
        &mut self,
        start: &[f64],
        state: &mut State,
        h: f64,
        weights: MeanWeights,
        records: &mut Vec<StepRecord>,
        statistics: &mut Statistics,
    ) -> bool {
        match self {
            Rates::Plain(_) => false,
            Rates::Plants(form) => form.record(start, state, h, weights, records, statistics),
        }
    }
}
