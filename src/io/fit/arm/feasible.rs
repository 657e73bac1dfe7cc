//! Links with possible masses that are nearest to base parameters.
//!
//! A rigid body has a positive mass and a density that is nowhere negative: its pseudo-inertia
//! `P = [Σ h; hᵀ m]`, `Σ = tr(J)/2 1 - J`, is positive definite \[Wensing, Kim & Slotine 2018\]. With `P = L Lᵀ`, L
//! lower triangular with a diagonal of exponentials, every choice of ten numbers is possible \[Rucker & Wensing 2022\].
//! They are sought so that the base parameters come nearest in the measure of their covariance; what the torques leave
//! open stays near the file.

use super::base::Base;
use crate::fit::levenberg::{Evaluated, Start, Stop, minimize};
use kinegraph_core::convex::INERTIAL_PARAMETERS;
use nalgebra::{DMatrix, DVector, Matrix3, Matrix4, Vector3};
use std::convert::Infallible;

/// Weight of the file, in deviations for a change of the size of the file's own value.
const PULL: f64 = 1e-2;
/// Smallest eigenvalue of a pseudo-inertia at the start, as a part of its trace.
const MIN_EIGENVALUE: f64 = 1e-3;
/// Difference for derivatives of parameters by the ten numbers.
const STEP: f64 = 1e-5;
/// Searches, each from the end of the one before.
const SEARCHES: usize = 4;
/// A mass for parts that have none \[kg\], and its size \[m\].
const SMALL_PART: (f64, f64) = (1e-2, 0.02);

type Parameters = [f64; INERTIAL_PARAMETERS];

/// The pseudo-inertia of ten parameters.
pub(super) fn pseudo_inertia(p: &Parameters) -> Matrix4<f64> {
    let J = Matrix3::new(p[4], p[7], p[8], p[7], p[5], p[9], p[8], p[9], p[6]);
    let second = Matrix3::identity() * (0.5 * J.trace()) - J;
    let mut P = Matrix4::zeros();
    P.fixed_view_mut::<3, 3>(0, 0).copy_from(&second);
    P.fixed_view_mut::<3, 1>(0, 3).copy_from(&Vector3::new(p[1], p[2], p[3]));
    P.fixed_view_mut::<1, 3>(3, 0).copy_from(&Vector3::new(p[1], p[2], p[3]).transpose());
    P[(3, 3)] = p[0];
    P
}

fn parameters(P: &Matrix4<f64>) -> Parameters {
    let second = P.fixed_view::<3, 3>(0, 0).into_owned();
    let J = Matrix3::identity() * second.trace() - second;
    [P[(3, 3)], P[(0, 3)], P[(1, 3)], P[(2, 3)], J[(0, 0)], J[(1, 1)], J[(2, 2)], J[(0, 1)], J[(0, 2)], J[(1, 2)]]
}

/// The places of the ten numbers in L.
const PLACES: [(usize, usize); INERTIAL_PARAMETERS] =
    [(0, 0), (1, 1), (2, 2), (3, 3), (1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2)];

fn of_numbers(numbers: &[f64]) -> Parameters {
    let mut L = Matrix4::zeros();
    for (number, (row, column)) in numbers.iter().zip(PLACES) {
        L[(row, column)] = if row == column { number.exp() } else { *number };
    }
    parameters(&(L * L.transpose()))
}

/// The ten numbers of the possible body nearest to some parameters.
fn numbers_of(p: &Parameters) -> Vec<f64> {
    let (mass, size) = SMALL_PART;
    let P = if p[0] > 0.0 {
        let eigen = pseudo_inertia(p).symmetric_eigen();
        let least = MIN_EIGENVALUE * eigen.eigenvalues.iter().map(|value| value.abs()).sum::<f64>() * size * size;
        let values = eigen.eigenvalues.map(|value| value.max(least));
        eigen.eigenvectors * Matrix4::from_diagonal(&values) * eigen.eigenvectors.transpose()
    } else {
        let second = mass * size * size;
        Matrix4::from_diagonal(&nalgebra::Vector4::new(second, second, second, mass))
    };
    let L = P.cholesky().map_or_else(Matrix4::identity, |factor| factor.l());
    PLACES.iter().map(|&(i, j)| if i == j { L[(i, j)].max(1e-12).ln() } else { L[(i, j)] }).collect()
}

/// Parameters that are sought.
pub(super) struct Wanted<'a> {
    pub base: &'a Base,
    /// The base parameters that were found.
    pub found: &'a [f64],
    /// Their information: the inverse of their covariance.
    pub information: &'a DMatrix<f64>,
    /// All parameters of the file: ten of each part, then those of joints.
    pub file: &'a [f64],
    /// Ten parameters of what is welded to each part, which stay.
    pub welded: &'a [Parameters],
}

/// All parameters, possible, and the square of the distance of their base parameters in deviations.
pub(super) fn nearest(wanted: &Wanted<'_>) -> (Vec<f64>, f64) {
    let parts = wanted.welded.len();
    let inertial = INERTIAL_PARAMETERS * parts;
    let own = |part: usize| -> Parameters {
        let at = INERTIAL_PARAMETERS * part;
        std::array::from_fn(|i| wanted.file[at + i] - wanted.welded[part][i])
    };
    let mut x: Vec<f64> = (0..parts).flat_map(|part| numbers_of(&own(part))).collect();
    x.extend(wanted.file[inertial..].iter().map(|value| value.max(0.0)));
    let mut bounds = vec![(f64::NEG_INFINITY, f64::INFINITY); inertial];
    bounds.extend(vec![(0.0, f64::INFINITY); wanted.file.len() - inertial]);
    let all = |x: &[f64]| -> Vec<f64> {
        let mut all = Vec::with_capacity(wanted.file.len());
        for part in 0..parts {
            let own = of_numbers(&x[INERTIAL_PARAMETERS * part..][..INERTIAL_PARAMETERS]);
            all.extend(own.iter().zip(wanted.welded[part]).map(|(own, welded)| own + welded));
        }
        all.extend(&x[inertial..]);
        all
    };
    let eigen = wanted.information.clone().symmetric_eigen();
    let root =
        DMatrix::from_diagonal(&eigen.eigenvalues.map(|value| value.max(0.0).sqrt())) * eigen.eigenvectors.transpose();
    let count = wanted.base.parameters.len();
    let mut sums = DMatrix::zeros(count, wanted.file.len());
    for (row, parameter) in wanted.base.parameters.iter().enumerate() {
        sums[(row, parameter.column)] = 1.0;
        parameter.others.iter().for_each(|&(column, factor)| sums[(row, column)] = factor);
    }
    let of_base = &root * sums;
    let target = &root * DVector::from_column_slice(wanted.found);
    let scale: Vec<f64> = (0..wanted.file.len()).map(|i| scale(wanted.file, inertial, i)).collect();
    let evaluate = |x: &[f64]| -> Result<Evaluated, Infallible> {
        let at = all(x);
        let mut by = DMatrix::zeros(at.len(), x.len());
        for (i, own) in x.iter().enumerate() {
            if i >= inertial {
                by[(i, i)] = 1.0;
                continue;
            }
            let part = i / INERTIAL_PARAMETERS * INERTIAL_PARAMETERS;
            let mut near = x[part..part + INERTIAL_PARAMETERS].to_vec();
            let step = STEP * own.abs().max(1e-2);
            near[i - part] = own + step;
            let more = of_numbers(&near);
            near[i - part] = own - step;
            let less = of_numbers(&near);
            (0..INERTIAL_PARAMETERS).for_each(|row| by[(part + row, i)] = (more[row] - less[row]) / (2.0 * step));
        }
        let at = DVector::from_vec(at);
        let off = &of_base * &at - &target;
        let pull = DVector::from_fn(at.len(), |i, _| PULL * (at[i] - wanted.file[i]) / scale[i]);
        let pulls =
            DMatrix::from_diagonal(&DVector::from_iterator(scale.len(), scale.iter().map(|scale| PULL / scale)));
        let r = DVector::from_iterator(count + at.len(), off.iter().chain(pull.iter()).copied());
        let mut j = DMatrix::zeros(r.len(), x.len());
        j.rows_mut(0, count).copy_from(&(&of_base * &by));
        j.rows_mut(count, at.len()).copy_from(&(pulls * by));
        let valid = vec![(f64::NEG_INFINITY, f64::INFINITY); x.len()];
        Ok(Evaluated { r, j, valid, differences: Vec::new() })
    };
    for _ in 0..SEARCHES {
        let start = Start { x, at: None, tolerance: 0.0 };
        let Ok(minimum) = minimize(start, &bounds, evaluate, |_| true);
        x = minimum.x;
        if minimum.stop == Stop::Converged {
            break;
        }
    }
    let at = all(&x);
    let distance = (of_base * DVector::from_column_slice(&at) - target).norm_squared();
    (at, distance)
}

/// Size of a parameter: by the mass of its part.
fn scale(file: &[f64], inertial: usize, index: usize) -> f64 {
    const REACH: f64 = 0.2;
    if index >= inertial {
        return file[index].abs().max(0.1);
    }
    let mass = file[index / INERTIAL_PARAMETERS * INERTIAL_PARAMETERS].max(0.1);
    match index % INERTIAL_PARAMETERS {
        0 => mass,
        1..=3 => mass * REACH,
        _ => mass * REACH * REACH,
    }
}
