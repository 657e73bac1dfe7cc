//! Ends of the solves of the last step: the efforts within it.
//!
//! The efforts of a step that takes feedback implicitly are those at the ends of its solves, not those along the motion
//! that is kept. Where gains are stiff the two differ by the gain times the error of the position. Step doubling has
//! three solves, with the efforts `f` at the end of the full step and `a`, `b` at those of the half steps. Each is the
//! mean over its solve, to the first order. Where the end of the step is extrapolated, so is the mean,
//!
//! ```text
//! y = 2 (a + b)/2 - f
//! ```
//!
//! of the second order, and both halves are shifted by `y - (a + b)/2` \[Hairer, Nørsett & Wanner, Solving Ordinary
//! Differential Equations I, sec. II.9\].

use super::Candidate;

/// Ends of the solves of the last accepted step, as they were solved.
#[derive(Clone, Debug, Default)]
pub struct SolvedStep {
    /// Start and end of the step \[s\].
    pub times: (f64, f64),
    /// Continuous state of the diagram at the end of the full step.
    pub full: Vec<f64>,
    /// Continuous state at the end of the first half step.
    pub half: Vec<f64>,
    /// Continuous state at the end of the second half step.
    pub end: Vec<f64>,
    /// True if the end that was kept is extrapolated.
    pub extrapolated: bool,
    /// Efforts of actuators over each half of the step, per velocity of all plants \[N m, N\]; empty where none acts.
    pub efforts: [Vec<f64>; 2],
    /// True if the step is one of free motion, which solves nothing: efforts follow the motion.
    pub is_free: bool,
    /// Number of steps that were noted.
    pub number: u64,
}

impl SolvedStep {
    /// Notes the step over `times` with the candidates of the full step and the half steps, whose ends were `plain` as
    /// they were solved.
    pub(super) fn note(&mut self, times: (f64, f64), [full, half, end]: [&Candidate; 3], plain: [&[f64]; 2]) {
        self.begin(times, false);
        self.extrapolated = plain[1] != end.continuous;
        self.full.clone_from(&full.continuous);
        plain[0].clone_into(&mut self.half);
        plain[1].clone_into(&mut self.end);
        let [a, b] = &mut self.efforts;
        a.clone_from(&half.efforts);
        b.clone_from(&end.efforts);
        acted(&full.efforts, (a, b), self.extrapolated);
    }

    /// Notes a step over `times` of free motion, or of a method that solves for nothing but the motion.
    pub fn note_free(&mut self, times: (f64, f64)) {
        self.begin(times, true);
    }

    fn begin(&mut self, times: (f64, f64), is_free: bool) {
        (self.times, self.is_free) = (times, is_free);
        self.number += 1;
    }

    /// Forgets the last step.
    pub(super) fn forget(&mut self) {
        self.times = (f64::NAN, f64::NAN);
    }

    /// True if the last step is noted.
    pub fn is_known(&self) -> bool {
        self.times.1.is_finite() && self.number > 0
    }
}

/// Turns the values at the ends of the half steps into means over each, where the full step found `full`.
pub fn acted(full: &[f64], halves: (&mut [f64], &mut [f64]), extrapolated: bool) {
    if !extrapolated {
        return;
    }
    for ((full, a), b) in full.iter().zip(halves.0).zip(halves.1) {
        let shift = 0.5 * (*a + *b) - full;
        *a += shift;
        *b += shift;
    }
}
