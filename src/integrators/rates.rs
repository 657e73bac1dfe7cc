//! A diagram as an ordinary differential equation: the derivative of its continuous state.

use super::{IntegratorError, StepFailure};
use crate::diagram::{Diagram, Schedule, Values};

/// The right-hand side `x' = f(t, x)` of a diagram without plants, its discrete state held.
#[derive(Clone)]
pub(super) struct Rates {
    diagram: Diagram,
    /// Computes what blocks with state read, and nothing else.
    schedule: Schedule,
    values: Values<f64>,
}

/// Name of the first plant of `diagram`.
pub(super) fn first_plant(diagram: &Diagram) -> Option<&str> {
    let mut plants = diagram.blocks().iter().filter(|block| block.system.as_plant().is_some());
    plants.next().map(|plant| plant.name.as_str())
}

impl Rates {
    /// The right-hand side of `diagram`, for `integrator`.
    pub fn new(diagram: &Diagram, integrator: &'static str) -> Result<Self, IntegratorError> {
        if let Some(plant) = first_plant(diagram) {
            return Err(IntegratorError::NeedsDerivatives { integrator, plant: plant.to_owned(), advice: None });
        }
        let stateful: Vec<usize> =
            (0..diagram.blocks().len()).filter(|&b| !diagram.blocks()[b].state.is_empty()).collect();
        let schedule = diagram.schedule_for_inputs_of(&stateful);
        Ok(Rates { schedule, values: diagram.values(), diagram: diagram.clone() })
    }

    /// Holds a discrete state for the evaluations that follow.
    pub fn hold(&mut self, discrete: &[f64]) {
        self.values.hold(discrete);
    }

    /// f(t, x); fails where it is not a finite number.
    pub fn evaluate(&mut self, time: f64, continuous: &[f64], rates: &mut [f64]) -> Result<(), StepFailure> {
        self.diagram.evaluate_schedule(&self.schedule, time, continuous, &mut self.values);
        self.diagram.derivatives(time, continuous, &self.values, rates);
        match rates.iter().position(|x| !x.is_finite()) {
            None => Ok(()),
            Some(bad) => {
                let what = format!("the derivative of {}", self.diagram.state_names()[bad]);
                Err(StepFailure::NotFinite { what })
            }
        }
    }
}
