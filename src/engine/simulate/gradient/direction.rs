//! A number by which is differentiated, and its two runs.

use super::numbers::{ERRORS, ROUNDING};
use super::side::Side;

/// A number by which is differentiated, with its two runs: at more of it, and at less.
pub(super) struct Direction {
    /// Distance of the two runs, in its unit.
    pub distance: f64,
    pub sides: [Side; 2],
    /// Largest distance of their states from each other over `distance`.
    pub largest: f64,
    /// Largest distance without velocities, which part wherever something strikes, over `distance`.
    pub largest_way: f64,
    /// Range of the number in which its derivatives hold.
    pub valid: (f64, f64),
}

impl Direction {
    /// Notes the distance of its states.
    pub fn measure(&mut self, velocities: &[bool]) {
        let [more, less] = &self.sides;
        let pairs = more.state.continuous.iter().zip(&less.state.continuous);
        for ((a, b), is_velocity) in pairs.zip(velocities) {
            let apart = (a - b).abs() / self.distance;
            self.largest = self.largest.max(apart);
            if !is_velocity {
                self.largest_way = self.largest_way.max(apart);
            }
        }
    }

    /// How far its runs went apart, but for velocities.
    pub fn apart(&self) -> f64 {
        self.largest_way * self.distance
    }

    /// Derivative of a number of which both runs have these values.
    pub fn slope(&self, more: f64, less: f64) -> f64 {
        (more - less) / self.distance
    }

    /// Local error of the derivative of the states in the last step, of length `h` \[s\], over what it may be: 10
    /// accuracies of the size of the positions' derivatives. A velocity counts by the way that it makes in the step, if
    /// `moves`.
    pub fn local_error(&self, velocities: &[bool], h: f64, moves: bool) -> f64 {
        let [more, less] = &self.sides;
        if !(more.has_stepped && less.has_stepped) {
            return 0.0;
        }
        let both = more.integrator.embedded().zip(less.integrator.embedded());
        let Some((coarse, other)) = both.filter(|(a, b)| a.len() == velocities.len() && b.len() == a.len()) else {
            return 0.0;
        };
        let (x, y) = (&more.state.continuous, &less.state.continuous);
        let (mut error, mut size) = (0.0_f64, self.distance);
        for (i, &is_velocity) in velocities.iter().enumerate() {
            // Rounding of the states is no error that a shorter step makes smaller.
            let rounding = ROUNDING * (x[i].abs() + y[i].abs());
            let off = (((x[i] - coarse[i]) - (y[i] - other[i])).abs() - rounding).max(0.0);
            match is_velocity {
                true if moves => error = error.max(h * off),
                true => {}
                false => (error, size) = (error.max(off), size.max((x[i] - y[i]).abs())),
            }
        }
        error / (ERRORS * size)
    }
}
