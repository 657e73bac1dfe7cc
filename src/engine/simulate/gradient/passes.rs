//! The passes of a gradient: the run, and the run to an eighth of the accuracy, until derivatives change little.

use super::budget::attempts_alone;
use super::lockstep::Lockstep;
use super::notes::{Note, NoteKind};
use super::numbers::{
    CLOSE_LOOKS, DOUBT, FINER, FIRST_SEPARATION, LARGEST_SEPARATION, MAX_LOOKS, RUNS_BEFORE_LOOK, SEPARATION, UNUSABLE,
};
use super::request::{By, GradientError, GradientRequest};
use super::result::{Derivative, Gradient};
use crate::integrators::Options;
use crate::measures::Of;
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
        let (mut found, mut largest) = pass(self, &options, request, &first_deltas)?;
        if !request.second_look || !options.error_controlled() {
            return Ok(found);
        }
        let mut fine = options;
        for look in 0..MAX_LOOKS {
            // Each look costs several times the one before.
            if look > 0 && found.steps.1 as f64 > self.most_attempts(&options, request) {
                break;
            }
            fine.accuracy /= FINER;
            let deltas: Vec<f64> =
                first_deltas.iter().zip(&largest).map(|(delta, size)| delta_of(*delta, *size)).collect();
            let coarse = found;
            (found, largest) = pass(self, &fine, request, &deltas)?;
            let is_close = compare(&coarse, &mut found, options.accuracy);
            // Where runs part, or errors hardly shrink whatever the number, no accuracy is enough.
            let ends = |note: &Note| match note.kind {
                NoteKind::Kink => note.by.is_none(),
                kind => kind == NoteKind::Amplified,
            };
            if is_close || found.notes.iter().any(ends) {
                break;
            }
        }
        note_errors(&mut found, options.accuracy);
        Ok(found)
    }

    /// Attempts at steps that looks may have taken before another one.
    fn most_attempts(&self, options: &Options, request: &GradientRequest) -> f64 {
        let runs = (1 + 2 * request.by.len()) as f64;
        RUNS_BEFORE_LOOK * runs * attempts_alone(self, options, request.until)
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
    let size = if by.is_initial() { 1.0 } else { size_of(by) };
    FIRST_SEPARATION * size
}

/// Size of a number: 1 of zero.
fn size_of(by: &By) -> f64 {
    if by.value == 0.0 { 1.0 } else { by.value.abs() }
}

/// Distance for states that move `largest` as far as the number.
fn delta_of(first: f64, largest: f64) -> f64 {
    if !(largest > 0.0 && largest.is_finite()) {
        return first;
    }
    (SEPARATION / largest).clamp(1e-3 * first, LARGEST_SEPARATION * first)
}

/// Puts into `fine` the differences from `coarse` as errors. Returns whether all are small.
fn compare(coarse: &Gradient, fine: &mut Gradient, accuracy: f64) -> bool {
    let mut is_close = true;
    let sizes: Vec<f64> = fine.by.iter().map(size_of).collect();
    for (i, (fine, coarse)) in fine.derivatives.iter_mut().zip(&coarse.derivatives).enumerate() {
        let change = (fine.value - coarse.value).abs();
        // For a change of the number by 1, and by its own size.
        let is_small = |size: f64| size * change <= CLOSE_LOOKS * accuracy * (size * fine.value).abs().max(1.0);
        is_close &= (is_small(1.0) && is_small(sizes[i % sizes.len()])) || change.is_nan();
        fine.error = DOUBT * change;
        fine.valid = (fine.valid.0.max(coarse.valid.0), fine.valid.1.min(coarse.valid.1));
    }
    let both = fine.samples.derivatives.iter().zip(&coarse.samples.derivatives);
    fine.samples.errors = both.map(|(fine, coarse)| DOUBT * (fine - coarse).abs()).collect();
    fine.steps.1 += coarse.steps.1;
    is_close
}

/// Notes derivatives whose error is large.
fn note_errors(found: &mut Gradient, accuracy: f64) {
    for of in 0..found.of.len() {
        for by in 0..found.by.len() {
            let Derivative { value, error, .. } = found.get(of, by);
            let size = size_of(&found.by[by]);
            // What a change of the number by its own size does not show is no matter.
            if error > DOUBT * UNUSABLE * value.abs() && error * size > DOUBT * accuracy {
                let name = &found.by[by].name;
                let change = error / DOUBT;
                let text = format!(
                    "d {} / d {name} = {value:.4e} still changed by {change:.1e} with the accuracy: do not use it",
                    found.of[of]
                );
                let by = Some(name.clone());
                found.notes.push(Note { kind: NoteKind::Estimate, time: None, by, text });
            }
        }
    }
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
