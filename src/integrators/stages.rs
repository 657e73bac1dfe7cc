//! One step of an explicit Runge-Kutta method, whatever its right-hand side.

use super::{DenseStep, StepFailure, Tableau};
use crate::diagram::State;

/// The stages of a step, kept from step to step: the derivative at its end is the first one of the next.
#[derive(Clone, Debug)]
pub(super) struct Stages {
    /// The derivatives k_1 … k_(s+1).
    pub k: Vec<Vec<f64>>,
    /// The end of the step.
    pub next: Vec<f64>,
    /// The estimate of its error.
    pub error: Vec<f64>,
    /// Whether k_1 is known, and the state at which it is.
    known: bool,
    at: State,
}

impl Stages {
    /// Stages of `tableau` for states of `width` numbers; nothing is known.
    pub fn new(tableau: &Tableau, width: usize) -> Self {
        Stages {
            k: vec![vec![0.0; width]; tableau.weights.len() + 1],
            next: vec![0.0; width],
            error: vec![0.0; width],
            known: false,
            at: State::default(),
        }
    }

    /// The derivative at the end of the step that was attempted last.
    pub fn end_rates(&self) -> &[f64] {
        &self.k[self.k.len() - 1]
    }

    /// The derivative remembered from the last step no longer holds.
    pub fn forget(&mut self) {
        self.known = false;
    }

    /// Attempts a step of length `h` from `state` to the time `end`: leaves its end in `next` and the estimate of its
    /// error in `error`. `f` writes the derivative at a time and a state, `complete` is called with the end of the step
    /// before the derivative there is taken.
    ///
    /// # Errors
    /// Those of `f`; at the start of a step it is told so by `true`.
    pub fn attempt(
        &mut self,
        tableau: &Tableau,
        state: &State,
        (h, end): (f64, f64),
        mut f: impl FnMut(bool, f64, &[f64], &mut [f64]) -> Result<(), StepFailure>,
        mut complete: impl FnMut(&mut [f64]),
    ) -> Result<(), StepFailure> {
        let Tableau { nodes, stages, weights, error, .. } = tableau;
        let x = &state.continuous;
        // Keyed on the state itself: a state changed from outside is never mistaken for the end of the last step.
        if !(self.known && self.at == *state) {
            self.known = false;
            f(true, state.time, x, &mut self.k[0])?;
            self.at.clone_from(state);
            self.known = true;
        }
        let last = weights.len();
        for i in 1..=last {
            let (row, time) = match i == last {
                true => (*weights, end),
                false => (stages[i], if nodes[i] == 1.0 { end } else { state.time + nodes[i] * h }),
            };
            self.next.copy_from_slice(x);
            add_scaled(&mut self.next, h, row, &self.k);
            if i == last {
                complete(&mut self.next);
            }
            f(false, time, &self.next, &mut self.k[i])?;
        }
        self.error.fill(0.0);
        add_scaled(&mut self.error, h, error, &self.k);
        Ok(())
    }

    /// Remembers the step of length `h` from `state` to the time `end` for dense output.
    pub fn record(&self, tableau: &Tableau, state: &State, (h, end): (f64, f64), dense: &mut DenseStep) {
        let last = self.k.len() - 1;
        dense.record((state.time, end), &state.continuous, &self.next, (&self.k[0], &self.k[last]));
        add_scaled(dense.quartic(), h, tableau.quartic, &self.k);
    }

    /// The step was accepted and led to `state`, whose continuous part is `next`: the derivative there begins the next
    /// one.
    pub fn accept(&mut self, state: &State) {
        let last = self.k.len() - 1;
        self.k.swap(0, last);
        self.at.clone_from(state);
    }
}

/// `y += h sum_i w_i k_i`
fn add_scaled(y: &mut [f64], h: f64, weights: &[f64], k: &[Vec<f64>]) {
    for (w, k) in weights.iter().zip(k).filter(|(w, _)| **w != 0.0) {
        let factor = h * w;
        y.iter_mut().zip(k).for_each(|(y, k)| *y += factor * k);
    }
}
