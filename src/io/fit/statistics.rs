//! Knowledge of numbers from residuals and their derivatives: intervals, correlations, and directions that the data do
//! not determine.
//!
//! With J scaled by the size of the numbers and `J = U S V'`, a change of the numbers along a column of V with a small
//! singular value moves no residual. Others have the covariance `s² V S^-2 V'` with `s² = r'r / (m - n)`.

use nalgebra::{DMatrix, DVector};
use serde::Serialize;

/// Smallest singular value that determines a direction, as a part of the largest.
const DETERMINED: f64 = 1e-5;
/// Smallest part of a direction that is named.
const NAMED: f64 = 0.1;

/// A direction of the numbers that the data do not determine.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Undetermined {
    /// Change of each number that takes part, as a part of its size.
    pub parts: Vec<(String, f64)>,
    /// Singular value over the largest.
    pub ratio: f64,
}

impl Undetermined {
    /// In words.
    pub fn words(&self) -> String {
        match self.parts.as_slice() {
            [(name, _)] => format!("nothing depends on {name}"),
            [(a, x), (b, y)] if (x.abs() - y.abs()).abs() < 0.05 => {
                let sign = if x * y > 0.0 { "/" } else { "x" };
                format!("only {a} {sign} {b} is known")
            }
            parts => {
                let terms: Vec<String> = parts.iter().map(|(name, part)| format!("{part:+.2} {name}")).collect();
                format!("a change by {} (of their sizes) changes nothing", terms.join(" "))
            }
        }
    }
}

/// Knowledge of the numbers.
#[derive(Clone, Debug)]
pub struct Known {
    /// Standard deviation of each number; infinite of one that is not determined.
    pub deviations: Vec<f64>,
    /// Correlations, row by row.
    pub correlations: DMatrix<f64>,
    /// Directions that are not determined.
    pub undetermined: Vec<Undetermined>,
    /// Degrees of freedom of the residuals.
    pub freedom: usize,
}

/// Finds what is known of numbers with these names and sizes by residuals with the derivatives `j`, of the standard
/// deviation `s`, or of that of the residuals `r`.
pub fn known(names: &[String], sizes: &[f64], j: &DMatrix<f64>, r: &DVector<f64>, s: Option<f64>) -> Known {
    let (m, n) = j.shape();
    let freedom = m.saturating_sub(n).max(1);
    let s = s.unwrap_or_else(|| (r.norm_squared() / freedom as f64).sqrt());
    let scaled = DMatrix::from_fn(m, n, |row, column| j[(row, column)] * sizes[column]);
    let eigen = (scaled.transpose() * &scaled).symmetric_eigen();
    let largest = eigen.eigenvalues.iter().copied().fold(0.0, f64::max).sqrt();
    let mut covariance = DMatrix::<f64>::zeros(n, n);
    let mut undetermined = Vec::new();
    let mut is_open = vec![false; n];
    for (k, value) in eigen.eigenvalues.iter().enumerate() {
        let (v, singular) = (eigen.eigenvectors.column(k), value.max(0.0).sqrt());
        if singular <= DETERMINED * largest {
            let sign = if v[v.iamax()] < 0.0 { -1.0 } else { 1.0 };
            let parts = (0..n).filter(|&i| v[i].abs() > NAMED).map(|i| (names[i].clone(), sign * v[i])).collect();
            (0..n).filter(|&i| v[i].abs() > NAMED).for_each(|i| is_open[i] = true);
            undetermined.push(Undetermined { parts, ratio: singular / largest });
        } else {
            covariance += v * v.transpose() * (s / singular).powi(2);
        }
    }
    let deviation = |i: usize| if is_open[i] { f64::INFINITY } else { sizes[i] * covariance[(i, i)].max(0.0).sqrt() };
    let correlations = DMatrix::from_fn(n, n, |i, j| {
        let size = (covariance[(i, i)] * covariance[(j, j)]).sqrt();
        if size > 0.0 { covariance[(i, j)] / size } else { 0.0 }
    });
    Known { deviations: (0..n).map(deviation).collect(), correlations, undetermined, freedom }
}

/// Change of the numbers by which a change `dr` of the residuals is met, along the directions that they determine.
pub fn shift(sizes: &[f64], j: &DMatrix<f64>, dr: &DVector<f64>) -> Vec<f64> {
    let scaled = DMatrix::from_fn(j.nrows(), j.ncols(), |row, column| j[(row, column)] * sizes[column]);
    let eigen = (scaled.transpose() * &scaled).symmetric_eigen();
    let largest = eigen.eigenvalues.iter().copied().fold(0.0, f64::max);
    let g = scaled.transpose() * dr;
    let mut change = DVector::zeros(sizes.len());
    for (k, value) in eigen.eigenvalues.iter().enumerate().filter(|(_, value)| **value > DETERMINED.powi(2) * largest) {
        let v = eigen.eigenvectors.column(k);
        change -= v * (v.dot(&g) / value);
    }
    change.iter().zip(sizes).map(|(part, size)| part * size).collect()
}

/// Quantile 0.975 of Student's distribution with this number of degrees of freedom, to 1e-3 \[Abramowitz & Stegun,
/// 26.7.5\].
pub fn student(freedom: usize) -> f64 {
    // The expansion fails for the smallest ones.
    const FIRST: [f64; 4] = [12.706, 4.303, 3.182, 2.776];
    if let Some(known) = FIRST.get(freedom.max(1) - 1) {
        return *known;
    }
    let (x, v) = (1.959_964_f64, freedom as f64);
    let g1 = (x.powi(3) + x) / 4.0;
    let g2 = (5.0 * x.powi(5) + 16.0 * x.powi(3) + 3.0 * x) / 96.0;
    let g3 = (3.0 * x.powi(7) + 19.0 * x.powi(5) + 17.0 * x.powi(3) - 15.0 * x) / 384.0;
    x + g1 / v + g2 / (v * v) + g3 / v.powi(3)
}
