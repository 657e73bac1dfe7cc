//! Evaluation of a block at a sample, with or without derivatives.

use super::sample::Sample;
use crate::scalar::seed;
use crate::system::ErasedScalar;
use crate::{Context, ErasedSystem, JET_WIDTH, Jet, Outputs, Scalar};
use std::ops::Range;

/// A sample laid out for evaluation. Its variables are numbered: inputs one after the other, then states, then time.
pub(super) struct Probe<'a> {
    pub system: &'a dyn ErasedSystem,
    /// All variables.
    pub variables: Vec<f64>,
    /// Range of each input among the variables.
    pub inputs: Vec<Option<Range<usize>>>,
    /// Range of the states.
    pub state: Range<usize>,
    /// Values of the discrete state.
    pub discrete: Vec<f64>,
}

/// The results of a block: all outputs in one run, and the derivatives of its state.
pub(super) struct Response<S> {
    pub outputs: Vec<S>,
    pub derivatives: Vec<S>,
}

impl<'a> Probe<'a> {
    pub fn new(system: &'a dyn ErasedSystem, sample: &Sample) -> Self {
        let mut variables = Vec::new();
        let mut inputs = Vec::new();
        for input in &sample.inputs {
            inputs.push(input.as_ref().map(|values| {
                variables.extend(values);
                variables.len() - values.len()..variables.len()
            }));
        }
        let state = variables.len()..variables.len() + sample.state.len();
        variables.extend(&sample.state);
        variables.push(sample.time);
        Probe { system, variables, inputs, state, discrete: sample.discrete.clone() }
    }

    /// The response to `variables`; numbers that the block does not write are NaN.
    pub fn respond<S: ErasedScalar>(&self, variables: &[S], wanted: &[bool]) -> Response<S> {
        let nan = S::constant(f64::NAN);
        let outputs = self.outputs(variables, wanted);
        let mut derivatives = vec![nan; self.state.len()];
        if !derivatives.is_empty() {
            S::derivatives(self.system, &self.context(variables), &mut derivatives);
        }
        Response { outputs, derivatives }
    }

    /// All outputs in one run.
    pub fn outputs<S: ErasedScalar>(&self, variables: &[S], wanted: &[bool]) -> Vec<S> {
        let ports = self.system.ports();
        let mut outputs = vec![S::constant(f64::NAN); ports.outputs_width()];
        S::outputs(self.system, &self.context(variables), &mut Outputs::new(ports, &mut outputs, wanted));
        outputs
    }

    /// The evaluation context of the block at `variables`.
    pub fn context<'b, S: ErasedScalar>(&'b self, variables: &'b [S]) -> Context<'b, S> {
        Context::new(variables[self.state.end], &variables[self.state.clone()], variables, &self.inputs)
            .with_discrete(&self.discrete)
    }

    /// Flags that mark every output as wanted.
    pub fn all(&self) -> Vec<bool> {
        vec![true; self.system.ports().outputs().len()]
    }

    /// The responses as jets whose partial derivatives are with respect to the variables in `with_respect_to`: one
    /// response per chunk of [`JET_WIDTH`] variables, with the variables of the chunk.
    pub fn jets(&self, with_respect_to: Range<usize>) -> impl Iterator<Item = (Range<usize>, Response<Jet>)> + '_ {
        let end = with_respect_to.end;
        with_respect_to.step_by(JET_WIDTH).map(move |start| {
            let chunk = start..end.min(start + JET_WIDTH);
            let mut variables: Vec<Jet> = self.variables.iter().map(|&value| Jet::constant(value)).collect();
            for (direction, variable) in chunk.clone().enumerate() {
                variables[variable] = seed(self.variables[variable], direction, 1.0);
            }
            let response = self.respond(&variables, &self.all());
            (chunk, response)
        })
    }
}
