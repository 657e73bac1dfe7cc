//! The two ends of a step of a method for differential equations.

use super::StepFailure;
use kinegraph_diagram::State;

/// Where an attempt at a step leads, the estimate of its error, and the rates at both of its ends.
#[derive(Clone, Debug)]
pub struct Ends {
    /// The rates.
    pub rates: EndRates,
    /// The end.
    pub end: Vec<f64>,
    /// The estimate of its error; of a method without one, nothing that counts.
    pub error: Vec<f64>,
}

impl Ends {
    /// Of states of `width` numbers; nothing is known.
    pub fn new(width: usize) -> Self {
        let [start, last, end, error] = std::array::from_fn(|_| vec![0.0; width]);
        Ends { rates: EndRates { start, end: last, known: false, at: State::default() }, end, error }
    }
}

/// The rates at the start of a step, which are those at the end of the last one, and at its end.
#[derive(Clone, Debug)]
pub struct EndRates {
    /// At the start.
    pub start: Vec<f64>,
    /// At the end.
    pub end: Vec<f64>,
    /// Whether those at the start are known, and the state at which they are.
    known: bool,
    at: State,
}

impl EndRates {
    /// Makes those at the start of a step from `state` known, unless they are: `evaluate` writes the rates at a time
    /// and a state.
    ///
    /// # Errors
    /// Those of `evaluate`.
    pub fn at_start(
        &mut self,
        state: &State,
        evaluate: impl FnOnce(f64, &[f64], &mut [f64]) -> Result<(), StepFailure>,
    ) -> Result<(), StepFailure> {
        // Keyed on the state itself: a state changed from outside is never mistaken for the end of the last step.
        if !(self.known && self.at == *state) {
            self.known = false;
            evaluate(state.time, &state.continuous, &mut self.start)?;
            self.at.clone_from(state);
            self.known = true;
        }
        Ok(())
    }

    /// The step led to `state`: the rates at its end begin the next one.
    pub fn accept(&mut self, state: &State) {
        std::mem::swap(&mut self.start, &mut self.end);
        self.at.clone_from(state);
    }

    /// The rates no longer hold.
    pub fn forget(&mut self) {
        self.known = false;
    }
}
