//! The two passes of a gradient: the run, and the run to an eighth of the accuracy.

use super::lockstep::Lockstep;
use super::notes::{Note, NoteKind};
use super::numbers::{DOUBT, FINER, FIRST_SEPARATION, LARGEST_SEPARATION, SEPARATION, UNUSABLE};
use super::request::{By, GradientError, GradientRequest, Of, Origin};
use super::result::{Derivative, Gradient};
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
        compare(&first, &mut second, options.accuracy);
        Ok(second)
    }
}

impl Simulation {
    /// Measures of a run from the present state to the time `until` \[s\], by the motion within its steps; not-a-number
    /// of one that the run does not have.
    ///
    /// # Errors
    /// The run stops; names that the diagram does not have.
    pub fn measure(&self, of: &[Of], until: f64) -> Result<Vec<f64>, GradientError> {
        let options = self.plan().options().copied().unwrap_or_default();
        let request = GradientRequest { of: of.to_vec(), by: Vec::new(), until, at: Vec::new(), second_look: false };
        Ok(pass(self, &options, &request, &[])?.0.values)
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
fn compare(first: &Gradient, second: &mut Gradient, accuracy: f64) {
    for (fine, coarse) in second.derivatives.iter_mut().zip(&first.derivatives) {
        fine.error = DOUBT * (fine.value - coarse.value).abs();
        fine.valid = (fine.valid.0.max(coarse.valid.0), fine.valid.1.min(coarse.valid.1));
    }
    for of in 0..second.of.len() {
        for by in 0..second.by.len() {
            let Derivative { value, error, .. } = second.get(of, by);
            let size = if second.by[by].value == 0.0 { 1.0 } else { second.by[by].value.abs() };
            // What a change of the number by its own size does not show is no matter.
            if error > DOUBT * UNUSABLE * value.abs() && error * size > DOUBT * accuracy {
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
    run.finish(request)
}
