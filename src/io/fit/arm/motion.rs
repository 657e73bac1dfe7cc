//! Velocities and accelerations that a recording lacks, by local polynomials.
//!
//! A cubic is fitted to the samples of a window about each time, whose derivatives at its middle are taken
//! \[Savitzky & Golay 1964\]; times need not be even. Samples nearer to an end than half a window have none.

use super::columns::ArmData;
use nalgebra::{DMatrix, DVector};

/// Degree of the polynomials.
const DEGREE: usize = 3;
/// Smallest window \[samples\].
pub(super) const MIN_WINDOW: usize = 5;

/// Motion and torques of joints, row by row.
#[derive(Clone, Debug, Default)]
pub(super) struct Motion {
    pub q: Vec<Vec<f64>>,
    pub v: Vec<Vec<f64>>,
    pub a: Vec<Vec<f64>>,
    pub tau: Vec<Vec<f64>>,
}

impl ArmData {
    /// True if its motion is known without derivatives.
    pub(super) fn is_whole(&self) -> bool {
        self.v.is_some() && self.a.is_some()
    }

    /// The motion, with derivatives over windows of this many samples.
    pub(super) fn motion(&self, window: usize) -> Motion {
        let half = if self.is_whole() { 0 } else { window / 2 };
        let rows = half..self.times.len().saturating_sub(half);
        let mut motion = Motion::default();
        for row in rows {
            let at = |columns: &[Vec<f64>]| columns.iter().map(|column| column[row]).collect::<Vec<f64>>();
            let around = row - half..row + half + 1;
            let local = |columns: &[Vec<f64>]| {
                let times = &self.times[around.clone()];
                let values = columns.iter().map(|column| &column[around.clone()]);
                local_derivatives(times, self.times[row], values)
            };
            let (q, v, a) = match (&self.v, &self.a) {
                (Some(v), Some(a)) => (at(&self.q), at(v), at(a)),
                (Some(v), None) => (at(&self.q), at(v), local(v).into_iter().map(|[_, rate, _]| rate).collect()),
                _ => {
                    let own = local(&self.q);
                    let part = |k: usize| own.iter().map(|derivatives| derivatives[k]).collect::<Vec<f64>>();
                    (part(0), part(1), part(2))
                }
            };
            motion.q.push(q);
            motion.v.push(v);
            motion.a.push(a);
            motion.tau.push(at(&self.tau));
        }
        motion
    }
}

/// Value, first and second derivative at `time` of the polynomial nearest to each column.
fn local_derivatives<'a>(times: &[f64], time: f64, columns: impl Iterator<Item = &'a [f64]>) -> Vec<[f64; 3]> {
    let span = times.iter().map(|t| (t - time).abs()).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    let power = |row: usize, column: usize| ((times[row] - time) / span).powi(column as i32);
    let powers = DMatrix::from_fn(times.len(), DEGREE + 1, power);
    let factor = powers.svd(true, true);
    let derivatives = |values: &[f64]| {
        let found = factor.solve(&DVector::from_column_slice(values), 1e-12);
        found.map_or([f64::NAN; 3], |c| [c[0], c[1] / span, 2.0 * c[2] / (span * span)])
    };
    columns.map(derivatives).collect()
}
