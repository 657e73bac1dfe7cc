//! The two passes of a gradient: the run, and the run to an eighth of the accuracy.

use super::lockstep::Lockstep;
use super::notes::{Note, NoteKind};
use super::request::{By, GradientError, GradientRequest, Origin};
use super::result::{Derivative, Gradient};
use crate::choices::gradient::{FINER, FIRST_SEPARATION, LARGEST_SEPARATION, SEPARATION, TOUCHED, UNUSABLE};
use crate::integrators::Options;
use crate::simulate::Simulation;

impl Simulation {
    /// Derivatives of a run from the present state, which stays as it is, to `request.until`.
    ///
    /// # Errors
    /// The run stops; an integrator without derivatives; names that the diagram does not have.
    pub fn gradient(&self, request: &GradientRequest) -> Result<Gradient, GradientError> {
        if request.of.is_empty() || request.by.is_empty() {
            return Err(GradientError::Nothing);
        }
        let options = self.plan().options().copied().unwrap_or_default();
        let first_deltas: Vec<f64> = request.by.iter().map(first_delta).collect();
        let (first, largest) = pass(self, &options, request, &first_deltas)?;
        if !request.second_look || !options.error_controlled() {
            return Ok(first);
        }
        let fine = Options { accuracy: options.accuracy / FINER, ..options };
        let deltas: Vec<f64> = first_deltas.iter().zip(&largest).map(|(delta, size)| delta_of(*delta, *size)).collect();
        let (mut second, _) = pass(self, &fine, request, &deltas)?;
        compare(&first, &mut second);
        Ok(second)
    }
}

/// Distance at first: what moves the states little, whatever they are.
fn first_delta(by: &By) -> f64 {
    let size = if by.value == 0.0 || matches!(by.origin, Origin::Initial(_)) { 1.0 } else { by.value.abs() };
    FIRST_SEPARATION * size
}

/// Distance for states that move `largest` as far as the number.
fn delta_of(first: f64, largest: f64) -> f64 {
    if !(largest > 0.0 && largest.is_finite()) {
        return first;
    }
    (SEPARATION / largest).clamp(1e-3 * first, LARGEST_SEPARATION * first)
}

/// Puts into `second` the differences from `first` as errors.
fn compare(first: &Gradient, second: &mut Gradient) {
    for (fine, coarse) in second.derivatives.iter_mut().zip(&first.derivatives) {
        fine.error = (fine.value - coarse.value).abs();
        fine.valid = (fine.valid.0.max(coarse.valid.0), fine.valid.1.min(coarse.valid.1));
    }
    for of in 0..second.of.len() {
        for by in 0..second.by.len() {
            let Derivative { value, error, .. } = second.get(of, by);
            if error > UNUSABLE * value.abs() && error > TOUCHED {
                let text = format!(
                    "d {} / d {} = {value:.4e} at one accuracy and {:.4e} at {FINER} times a tighter one: do not use it",
                    second.of[of],
                    second.by[by].name,
                    first.get(of, by).value
                );
                let by = Some(second.by[by].name.clone());
                second.notes.push(Note { kind: NoteKind::Estimate, time: None, by, text });
            }
        }
    }
    second.steps = (second.steps.0, second.steps.1 + first.steps.1);
}

/// Makes the run with its runs beside, and the largest ratio of their distance to that of each number.
fn pass(
    simulation: &Simulation,
    options: &Options,
    request: &GradientRequest,
    deltas: &[f64],
) -> Result<(Gradient, Vec<f64>), GradientError> {
    let mut run = Lockstep::new(simulation, options, request, deltas)?;
    run.advance_to(request.until)?;
    Ok(run.finish(request))
}
