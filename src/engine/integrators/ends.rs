//! The two ends of a step of a method for differential equations.

use super::StepFailure;
use kinegraph_diagram::State;

/// End of an attempt at a step, the estimate of its error, and the rates at both of its ends.
#[derive(Clone, Debug)]
pub struct Ends {
    /// Rates at both ends.
    pub rates: EndRates,
    /// State at the end.
    pub end: Vec<f64>,
    /// Estimate of its error; of a method without one, the contents do not count.
    pub error: Vec<f64>,
}

impl Ends {
    /// Ends of steps of states of `width` numbers; nothing is known.
    pub fn new(width: usize) -> Self {
        let [start, last, end, error] = std::array::from_fn(|_| vec![0.0; width]);
        Ends { rates: EndRates { start, end: last, known: false, at: State::default() }, end, error }
    }
}

/// Rates at the start of a step, equal to those at the end of the last one, and at its end.
#[derive(Clone, Debug)]
pub struct EndRates {
    /// Rates at the start.
    pub start: Vec<f64>,
    /// Rates at the end.
    pub end: Vec<f64>,
    /// True if the rates at the start are known: they are those at the state `at`.
    known: bool,
    at: State,
}

impl EndRates {
    /// Evaluates the rates at the start of a step from `state`, unless they are known: `evaluate` writes the rates at a
    /// time and a state.
    ///
    /// # Errors
    /// Errors of `evaluate`.
    pub fn at_start(
        &mut self,
        state: &State,
        evaluate: impl FnOnce(f64, &[f64], &mut [f64]) -> Result<(), StepFailure>,
    ) -> Result<(), StepFailure> {
        // The check compares the state itself: a state changed from outside is never mistaken for the end of the last
        // step.
        if !(self.known && self.at == *state) {
            self.known = false;
            evaluate(state.time, &state.continuous, &mut self.start)?;
            self.at.clone_from(state);
            self.known = true;
        }
        Ok(())
    }

    /// Notes that the step led to `state`: the rates at its end are those at the start of the next one.
    pub fn accept(&mut self, state: &State) {
        std::mem::swap(&mut self.start, &mut self.end);
        self.at.clone_from(state);
    }

    /// Forgets the rates.
    pub fn forget(&mut self) {
        self.known = false;
    }
}
