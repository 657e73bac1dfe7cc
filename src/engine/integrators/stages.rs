//! One step of an explicit Runge-Kutta method, for any right-hand side.

use super::ends::Ends;
use super::{DenseStep, StepFailure, StepSpan, Tableau};
use kinegraph_diagram::State;
use std::iter::once;

/// The stages of a step; keeps its memory.
#[derive(Clone, Debug)]
pub(super) struct Stages {
    /// Derivatives k_2 … k_s: k_1 and k_(s+1) are the rates at the ends of the step.
    k: Vec<Vec<f64>>,
}

impl Stages {
    /// Stages of `tableau` for states of `width` numbers.
    pub fn new(tableau: &Tableau, width: usize) -> Self {
        Stages { k: vec![vec![0.0; width]; tableau.weights.len() - 1] }
    }

    /// Attempts a step over `span` from `state`. `f` writes the derivative in a stage, at a time and a state;
    /// `complete` is called with the end of the step before the derivative there is evaluated.
    ///
    /// # Errors
    /// Errors of `f`.
    pub fn attempt(
        &mut self,
        tableau: &Tableau,
        state: &State,
        span: StepSpan,
        ends: &mut Ends,
        mut f: impl FnMut(usize, f64, &[f64], &mut [f64]) -> Result<(), StepFailure>,
        mut complete: impl FnMut(&mut [f64]),
    ) -> Result<(), StepFailure> {
        let Tableau { nodes, stages, weights, .. } = tableau;
        let StepSpan { h, end } = span;
        let x = &state.continuous;
        let Ends { rates, end: next, error } = ends;
        rates.at_start(state, |time, x, k| f(0, time, x, k))?;
        for i in 0..self.k.len() {
            let (known, rest) = self.k.split_at_mut(i);
            next.copy_from_slice(x);
            add_scaled(next, h, stages[i + 1], once(&rates.start).chain(known.iter()));
            let time = if nodes[i + 1] == 1.0 { end } else { state.time + nodes[i + 1] * h };
            f(i + 1, time, next, &mut rest[0])?;
        }
        next.copy_from_slice(x);
        add_scaled(next, h, weights, once(&rates.start).chain(&self.k));
        complete(next);
        f(self.k.len() + 1, end, next, &mut rates.end)?;
        error.fill(0.0);
        add_scaled(error, h, tableau.error, once(&rates.start).chain(&self.k).chain(once(&rates.end)));
        Ok(())
    }

    /// Records the step over `span` from `state` for dense output.
    pub fn record(&self, tableau: &Tableau, state: &State, span: StepSpan, ends: &Ends, dense: &mut DenseStep) {
        let StepSpan { h, end } = span;
        let rates = &ends.rates;
        dense.record((state.time, end), &state.continuous, &ends.end, (&rates.start, &rates.end));
        let k = once(&rates.start).chain(&self.k).chain(once(&rates.end));
        add_scaled(dense.quartic(), h, tableau.quartic, k);
    }
}

/// `y += h sum_i w_i k_i`
fn add_scaled<'a>(y: &mut [f64], h: f64, weights: &[f64], k: impl Iterator<Item = &'a Vec<f64>>) {
    for (w, k) in weights.iter().zip(k).filter(|(w, _)| **w != 0.0) {
        let factor = h * w;
        y.iter_mut().zip(k).for_each(|(y, k)| *y += factor * k);
    }
}
