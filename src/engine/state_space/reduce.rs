//! Balanced reduction: the states of a stable model that pass least on from inputs to outputs leave it.
//!
//! In balanced coordinates what inputs move and what outputs show of a state are the same, its Hankel singular value
//! \[Antoulas 2005, Approximation of large-scale dynamical systems, ch. 7\]. Of the model in discrete time the bilinear
//! transformation has the same values and the same peak of the error. Gramians are used as factors, from an iteration
//! with factors (that of the matrix sign function, Benner & Quintana-Ortí 1999), so that small values keep their
//! digits. The part of a model that is not stable stays as it is.

use super::LinearModel;
use super::model::eigenvalues;
use super::scaling::Matrices;
use crate::choices::reduce::{CORRECTIONS, ITERATIONS, MAX_SYLVESTER, STABLE};
use kinegraph_systems::control::{inverse_and_scale, matrix_sign};
use nalgebra::DMatrix;

/// A reduced model.
#[derive(Clone, Debug, PartialEq)]
pub struct Reduced {
    /// The model.
    pub model: LinearModel,
    /// Hankel singular values of the stable part, the largest first.
    pub hankel: Vec<f64>,
    /// Number of states that are not stable, and stay.
    pub unstable: usize,
    /// Bound on the peak of the error over all frequencies: twice the sum of the values that left.
    pub error_bound: f64,
}

/// Reason why a model is not reduced.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum ReduceFault {
    /// Fewer states than are not stable.
    #[error("--reduce {asked}: {unstable} states are not stable and stay: ask for at least {unstable}")]
    Unstable {
        /// The number of states asked for.
        asked: usize,
        /// The number of those that stay.
        unstable: usize,
    },
    /// More states than there are.
    #[error("--reduce {asked}: the model has no more than {states} states: ask for fewer")]
    NotFewer {
        /// The number of states asked for.
        asked: usize,
        /// The number of states.
        states: usize,
    },
    /// An iteration does not converge.
    #[error(
        "--reduce: the model could not be balanced, since a pole lies at the edge of stability to rounding: leave states \
         without effect out first (--minimal)"
    )]
    NotConverged,
}

kinegraph_core::debug_is_message!(ReduceFault);

impl LinearModel {
    /// The model with `order` states.
    ///
    /// # Errors
    /// A number of states that cannot be, a pole at the edge of stability.
    pub fn reduced(&self, order: usize) -> Result<Reduced, ReduceFault> {
        let states = self.a.nrows();
        if order >= states {
            return Err(ReduceFault::NotFewer { asked: order, states });
        }
        let mut whole = Matrices::of(self);
        let factors = whole.scale();
        let mut continuous = whole.clone();
        if self.period.is_some() {
            continuous = whole.to_continuous().ok_or(ReduceFault::NotConverged)?;
        }
        let balanced = Balanced::of(&continuous).ok_or(ReduceFault::NotConverged)?;
        let unstable = balanced.unstable.a.nrows();
        if order < unstable {
            return Err(ReduceFault::Unstable { asked: order, unstable });
        }
        let (mut found, mut measures) = balanced.truncated(order - unstable);
        if self.period.is_some() {
            found = found.to_discrete().ok_or(ReduceFault::NotConverged)?;
        }
        (0..measures.ncols()).for_each(|j| measures.column_mut(j).scale_mut(1.0 / factors[j]));
        let left: f64 = balanced.hankel.iter().skip(order - unstable).sum();
        Ok(Reduced {
            model: self.with_states("reduced", found, &measures),
            hankel: balanced.hankel,
            unstable,
            error_bound: 2.0 * left,
        })
    }
}

/// A model as a stable one and one that is not, side by side.
struct Balanced {
    stable: Matrices,
    unstable: Matrices,
    /// Measures of the states of both from those of the whole.
    to_stable: DMatrix<f64>,
    to_unstable: DMatrix<f64>,
    /// Measures and directions of all balanced states of the stable part.
    left: DMatrix<f64>,
    right: DMatrix<f64>,
    hankel: Vec<f64>,
}

impl Balanced {
    fn of(whole: &Matrices) -> Option<Self> {
        let n = whole.states();
        let largest = eigenvalues(&whole.a)?.iter().fold(0.0, |most: f64, pole| most.max(pole.norm()));
        let shifted = &whole.a + DMatrix::identity(n, n) * (STABLE * largest.max(f64::MIN_POSITIVE));
        let sign = matrix_sign(shifted)?;
        let on_stable = (DMatrix::identity(n, n) - &sign) * 0.5;
        let count = on_stable.trace().round().max(0.0) as usize;
        let basis = |projector: DMatrix<f64>, columns: usize| -> Option<DMatrix<f64>> {
            Some(projector.try_svd(true, false, f64::EPSILON, 10_000)?.u?.columns(0, columns).into_owned())
        };
        let on_unstable = DMatrix::identity(n, n) - &on_stable;
        let mut directions = DMatrix::zeros(n, n);
        directions.columns_mut(0, count).copy_from(&basis(on_stable, count)?);
        directions.columns_mut(count, n - count).copy_from(&basis(on_unstable, n - count)?);
        let (directions, measures) = parted(&whole.a, directions, count)?;
        let (to_stable, to_unstable) =
            (measures.rows(0, count).into_owned(), measures.rows(count, n - count).into_owned());
        let stable = whole.projected(&to_stable, &directions.columns(0, count).into_owned());
        let unstable = whole.projected(&to_unstable, &directions.columns(count, n - count).into_owned());
        let (moved, shown) = (gramian(&stable.a.transpose(), &stable.b.transpose())?, gramian(&stable.a, &stable.c)?);
        let svd = (&shown * moved.transpose()).try_svd(true, true, f64::EPSILON, 10_000)?;
        let (u, v) = (svd.u?, svd.v_t?);
        let hankel: Vec<f64> = svd.singular_values.iter().copied().collect();
        let scale = |value: f64| if value > 0.0 { 1.0 / value.sqrt() } else { 0.0 };
        let mut left = u.transpose() * shown;
        let mut right = moved.transpose() * v.transpose();
        for (i, value) in hankel.iter().enumerate() {
            left.row_mut(i).scale_mut(scale(*value));
            right.column_mut(i).scale_mut(scale(*value));
        }
        Some(Balanced { stable, unstable, to_stable, to_unstable, left, right, hankel })
    }

    /// The model with some states of the stable part and the whole other one, and the measures of its states.
    fn truncated(&self, kept: usize) -> (Matrices, DMatrix<f64>) {
        let kept = kept.min(self.left.nrows());
        let (left, right) = (self.left.rows(0, kept).into_owned(), self.right.columns(0, kept).into_owned());
        let (first, second) = (self.stable.projected(&left, &right), &self.unstable);
        let (n, other) = (kept + second.states(), second.states());
        let mut all = Matrices {
            a: DMatrix::zeros(n, n),
            b: DMatrix::zeros(n, first.b.ncols()),
            c: DMatrix::zeros(first.c.nrows(), n),
            d: first.d.clone(),
        };
        for (part, start, size) in [(&first, 0, kept), (second, kept, other)] {
            all.a.view_mut((start, start), (size, size)).copy_from(&part.a);
            all.b.rows_mut(start, size).copy_from(&part.b);
            all.c.columns_mut(start, size).copy_from(&part.c);
        }
        let mut measures = DMatrix::zeros(n, self.to_stable.ncols());
        measures.rows_mut(0, kept).copy_from(&(left * &self.to_stable));
        measures.rows_mut(kept, other).copy_from(&self.to_unstable);
        (all, measures)
    }
}

/// Directions whose first `count` and whose others span invariant subspaces of A, from some that nearly do, and their
/// inverse. Each correction solves two Sylvester equations and squares the error.
fn parted(a: &DMatrix<f64>, mut directions: DMatrix<f64>, count: usize) -> Option<(DMatrix<f64>, DMatrix<f64>)> {
    let n = a.nrows();
    let other = n - count;
    if count * other <= MAX_SYLVESTER {
        for _ in 0..CORRECTIONS {
            let block = directions.clone().try_inverse()? * a * &directions;
            let (first, second) = (
                block.view((0, 0), (count, count)).into_owned(),
                block.view((count, count), (other, other)).into_owned(),
            );
            let above = sylvester(&first, &second, &block.view((0, count), (count, other)).into_owned())?;
            let below = sylvester(&second, &first, &block.view((count, 0), (other, count)).into_owned())?;
            let mut turn = DMatrix::identity(n, n);
            turn.view_mut((0, count), (count, other)).copy_from(&above);
            turn.view_mut((count, 0), (other, count)).copy_from(&below);
            directions *= turn;
        }
    }
    let measures = directions.clone().try_inverse()?;
    Some((directions, measures))
}

/// X with `A X - X B + C = 0`, as one linear system.
fn sylvester(a: &DMatrix<f64>, b: &DMatrix<f64>, c: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let (rows, columns) = c.shape();
    if c.is_empty() {
        return Some(c.clone());
    }
    let (one_a, one_b) = (DMatrix::<f64>::identity(rows, rows), DMatrix::<f64>::identity(columns, columns));
    let system = one_b.kronecker(a) - b.transpose().kronecker(&one_a);
    let right = DMatrix::from_column_slice(rows * columns, 1, c.as_slice());
    let solved = system.lu().solve(&-right)?;
    Some(DMatrix::from_column_slice(rows, columns, solved.as_slice()))
}

/// A factor R of X = Rᵀ R with `Aᵀ X + X A + Fᵀ F = 0`, for stable A.
fn gramian(a: &DMatrix<f64>, factor: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let (mut a, mut factor, mut change) = (a.clone(), factor.clone(), f64::INFINITY);
    let n = a.nrows();
    for _ in 0..ITERATIONS {
        if n == 0 {
            return Some(factor);
        }
        let (inverse, scale) = inverse_and_scale(&a, change)?;
        let next = (&a * scale + &inverse / scale) * 0.5;
        let rows = factor.nrows();
        let mut stacked = DMatrix::zeros(2 * rows, n);
        stacked.rows_mut(0, rows).copy_from(&(&factor * (0.5 * scale).sqrt()));
        stacked.rows_mut(rows, rows).copy_from(&(&factor * &inverse * (0.5 / scale).sqrt()));
        // No more rows than columns are needed.
        factor = if stacked.nrows() > n { stacked.qr().r() } else { stacked };
        let last = change < f64::EPSILON.sqrt();
        change = (&next - &a).norm() / next.norm();
        a = next;
        if last {
            return Some(factor * 0.5_f64.sqrt());
        }
    }
    None
}
