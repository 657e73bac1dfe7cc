//! The method of Levenberg and Marquardt, with bounds: residuals r and their derivatives J, the step
//!
//! ```text
//! (J'J + lambda D) dx = -J'r,   D the largest diagonal of J'J so far
//! ```
//!
//! \[Madsen, Nielsen & Tingleff, Methods for non-linear least squares problems, 2004, algorithm 3.16\]. Numbers at a
//! bound that the residuals would leave take no part in the step.

use nalgebra::{DMatrix, DVector};

/// Residuals and their derivatives at some numbers.
#[derive(Clone, Debug)]
pub struct Evaluated {
    /// Residuals.
    pub r: DVector<f64>,
    /// Their derivatives, a row for each.
    pub j: DMatrix<f64>,
    /// Smallest and largest value of each number for which the derivatives hold.
    pub valid: Vec<(f64, f64)>,
    /// Excess of the run over the data, in the units of the channels.
    pub differences: Vec<f64>,
}

/// Reason why the search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// No change of the numbers makes the residuals smaller.
    Converged,
    /// The largest number of iterations.
    Iterations,
    /// No step made the residuals smaller.
    NoDecrease,
    /// An interrupt.
    Interrupted,
}

/// A search on its way.
pub struct OnTheWay<'a> {
    /// The best numbers so far.
    pub x: &'a [f64],
    /// Residuals and derivatives there.
    pub at: &'a Evaluated,
    /// Number of iterations, and of evaluations.
    pub counts: (usize, usize),
    /// True if these are better numbers than before.
    pub is_better: bool,
}

/// Result of a search.
#[derive(Clone, Debug)]
pub struct Minimum {
    /// The numbers.
    pub x: Vec<f64>,
    /// Residuals and derivatives there.
    pub at: Evaluated,
    /// Number of iterations, and of evaluations.
    pub counts: (usize, usize),
    /// Reason of the end.
    pub stop: Stop,
}

/// Largest number of iterations.
const MAX_ITERATIONS: usize = 60;
/// Steps that are refused in a row before the search ends.
const MAX_REFUSED: usize = 12;
/// Relative change of the numbers, and decrease of the residuals, that counts as none.
const CHANGE_TOLERANCE: f64 = 1e-9;

/// Start of a search.
#[derive(Clone, Debug)]
pub struct Start {
    /// The numbers.
    pub x: Vec<f64>,
    /// Residuals and derivatives there, where they are known.
    pub at: Option<Evaluated>,
    /// Decrease of the sum of squares, over the mean square of the residuals, that counts as none: its root is the way
    /// that is left, in standard deviations of the numbers.
    pub tolerance: f64,
}

/// Finds the numbers between `bounds`, from `start`, with the smallest sum of squares. `goes_on` is asked after every
/// evaluation.
///
/// # Errors
/// The residuals at the start cannot be evaluated. Elsewhere a failure counts as a step that is refused.
pub fn minimize<E>(
    start: Start,
    bounds: &[(f64, f64)],
    mut evaluate: impl FnMut(&[f64]) -> Result<Evaluated, E>,
    mut goes_on: impl FnMut(&OnTheWay<'_>) -> bool,
) -> Result<Minimum, E> {
    let Start { mut x, at, tolerance } = start;
    let n = x.len();
    let clamp = |x: &mut [f64]| x.iter_mut().zip(bounds).for_each(|(x, (low, high))| *x = x.clamp(*low, *high));
    clamp(&mut x);
    let (mut evaluations, mut refused) = (usize::from(at.is_none()), 0);
    let mut at = at.map_or_else(|| evaluate(&x), Ok)?;
    let (mut lambda, mut grow) = (1e-3, 2.0);
    let mut scale = DVector::from_element(n, 0.0_f64);
    let mut is_better = true;
    for iteration in 0..MAX_ITERATIONS {
        if !goes_on(&OnTheWay { x: &x, at: &at, counts: (iteration, evaluations), is_better }) {
            return Ok(Minimum { x, at, counts: (iteration, evaluations), stop: Stop::Interrupted });
        }
        is_better = false;
        let g = at.j.transpose() * &at.r;
        let h = at.j.transpose() * &at.j;
        (0..n).for_each(|i| scale[i] = scale[i].max(h[(i, i)]));
        let is_free = |i: usize| {
            let (low, high) = bounds[i];
            scale[i] > 0.0 && !(x[i] <= low && g[i] > 0.0 || x[i] >= high && g[i] < 0.0)
        };
        let free: Vec<usize> = (0..n).filter(|&i| is_free(i)).collect();
        let counts = (iteration, evaluations);
        if free.is_empty() || at.r.norm() == 0.0 {
            return Ok(Minimum { x, at, counts, stop: Stop::Converged });
        }
        let k = free.len();
        let mut a = DMatrix::from_fn(k, k, |i, j| h[(free[i], free[j])]);
        (0..k).for_each(|i| a[(i, i)] += lambda * scale[free[i]]);
        let b = DVector::from_fn(k, |i, _| -g[free[i]]);
        let Some(step) = a.cholesky().map(|factor| factor.solve(&b)) else {
            (lambda, grow) = (lambda * grow, 2.0 * grow);
            continue;
        };
        let mut next = x.clone();
        free.iter().zip(step.iter()).for_each(|(&i, step)| next[i] += step);
        // Beyond the range of the derivatives the run is another one.
        for (i, (low, high)) in at.valid.iter().enumerate() {
            let (low, high) = (low - 0.5 * (x[i] - low), high + 0.5 * (high - x[i]));
            next[i] = next[i].clamp(low.min(x[i]), high.max(x[i]));
        }
        let is_cut = free.iter().zip(step.iter()).any(|(&i, step)| next[i] != x[i] + step);
        clamp(&mut next);
        let moved: Vec<f64> = next.iter().zip(&x).map(|(a, b)| a - b).collect();
        let is_small = moved.iter().zip(&x).all(|(dx, x)| dx.abs() <= CHANGE_TOLERANCE * (x.abs() + CHANGE_TOLERANCE));
        let before = at.r.norm_squared();
        let dx = DVector::from_vec(moved);
        let predicted = -(2.0 * g.dot(&dx) + dx.dot(&(&h * &dx)));
        // A step that is short for its damping or for the range of derivatives is no sign of the end.
        let freedom = at.r.len().saturating_sub(n).max(1) as f64;
        let is_near = !is_cut && lambda < 1.0 && predicted <= tolerance * before / freedom;
        if is_small || is_near {
            return Ok(Minimum { x, at, counts, stop: Stop::Converged });
        }
        let trial = evaluate(&next).ok().filter(|trial| trial.r.iter().all(|r| r.is_finite()));
        evaluations += 1;
        let gain = trial.as_ref().map_or(-1.0, |trial| (before - trial.r.norm_squared()) / predicted.max(1e-300));
        let Some(trial) = trial.filter(|_| gain > 0.0) else {
            refused += 1;
            (lambda, grow) = (lambda * grow, 2.0 * grow);
            if refused > MAX_REFUSED {
                let stop = if predicted <= 1e-3 * before { Stop::Converged } else { Stop::NoDecrease };
                return Ok(Minimum { x, at, counts: (iteration, evaluations), stop });
            }
            continue;
        };
        let decrease = before - trial.r.norm_squared();
        (x, at, refused, is_better) = (next, trial, 0, true);
        lambda *= (1.0 - (2.0 * gain - 1.0).powi(3)).clamp(1.0 / 5.0, 0.5_f64.max(1.0 / 3.0));
        grow = 2.0;
        if decrease <= CHANGE_TOLERANCE * before {
            return Ok(Minimum { x, at, counts: (iteration + 1, evaluations), stop: Stop::Converged });
        }
    }
    Ok(Minimum { x, at, counts: (MAX_ITERATIONS, evaluations), stop: Stop::Iterations })
}
