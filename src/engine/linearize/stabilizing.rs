//! Convex part of a feedback gain: the nearest positive semidefinite matrix, if it is near enough.
//!
//! `P = L V max(mu, 0) V' L'` with `M = L L'` and `L^-1 K_sym L^-T = V mu V'`: the projection in the metric of the mass
//! matrix, which does not depend on units. If the symmetric part of K is positive semidefinite already (a Cholesky
//! test), it is P. The rest of K acts explicitly. That makes rotating motion grow, by half the square of `dt |K - P|`
//! in a step, unless P damps it: `|K - P| <= 0.05 |P| + 0.001/dt` is required, in the same metric (Frobenius norms).

use crate::choices::stabilizing::{EXPLICIT, NEGLIGIBLE};
use faer::diag::DiagMut;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd;
use faer::{MatMut, MatRef, Par};
use kinegraph_convex::linear_algebra::Cholesky;
use kinegraph_core::wide;

/// Treatment of a gain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// True if P can replace K; if not, the step needs K itself.
    pub convex: bool,
    /// True if the symmetric part of K is positive semidefinite: nothing in it destabilizes.
    pub definite: bool,
}

/// Workspace of the projection.
#[derive(Default)]
pub struct Projection {
    test: Cholesky,
    mass: Cholesky,
    /// Gain in the metric of the mass matrix, and its symmetric part.
    metric: Vec<f64>,
    symmetric: Vec<f64>,
    transposed: Vec<f64>,
    eigenvalues: Vec<f64>,
    eigenvectors: Vec<f64>,
    scratch: Option<MemBuffer>,
    scratch_size: usize,
}

impl Clone for Projection {
    /// The copy has a workspace of its own.
    fn clone(&self) -> Self {
        Projection::default()
    }
}

impl std::fmt::Debug for Projection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Projection")
    }
}

impl Projection {
    /// True if the symmetric part of the gain `k` is positive semidefinite: all that matters for a gain that the step
    /// has as it is. `p` is scratch.
    pub(super) fn is_definite(&mut self, n: usize, k: &[f64], p: &mut [f64]) -> bool {
        if n == 1 {
            return k[0] >= 0.0;
        }
        symmetric_part(n, k, p);
        self.is_positive(n, p)
    }

    /// Splits the gain `k` (n x n, column major) of a step of length `dt` and writes P to `p` (the symmetric part where
    /// there is no projection: of a gain that is not finite, or where P will not do and is not `needed`). `mass` is the
    /// mass matrix.
    pub fn split(&mut self, n: usize, k: &[f64], mass: &[f64], dt: f64, needed: bool, p: &mut [f64]) -> Split {
        if n == 1 {
            p[0] = k[0].max(0.0);
            return Split { convex: k[0] >= 0.0 || -k[0] * dt <= NEGLIGIBLE * mass[0], definite: k[0] >= 0.0 };
        }
        let symmetric = symmetric_part(n, k, p);
        let definite = self.is_positive(n, p);
        if symmetric && definite {
            return Split { convex: true, definite };
        }
        self.mass.start(n).copy_from_slice(mass);
        if !self.mass.factor() {
            return Split { convex: false, definite };
        }
        self.metric.clear();
        self.metric.extend_from_slice(k);
        to_metric(n, self.mass.values(), &mut self.metric, &mut self.transposed);
        // A congruence keeps the symmetric and the antisymmetric part separate.
        self.symmetric.resize(n * n, 0.0);
        symmetric_part(n, &self.metric, &mut self.symmetric);
        let mut kept = self.symmetric.iter().map(|x| x * x).sum::<f64>();
        let mut rest = self.metric.iter().zip(&self.symmetric).map(|(x, s)| (x - s).powi(2)).sum::<f64>();
        let near = |rest: f64, kept: f64| rest.sqrt() <= NEGLIGIBLE / dt + EXPLICIT * kept.max(0.0).sqrt();
        if !definite {
            // The diagonal bounds the negative part from below: for a convex function (here the square of the negative
            // part), the sum over the eigenvalues is at least that over the diagonal [Schur-Horn]. Where that is too
            // much already, eigenvalues are not needed.
            let least = (0..n).map(|i| self.symmetric[i * n + i].min(0.0).powi(2)).sum::<f64>();
            if !needed && !near(rest + least, kept - least) {
                return Split { convex: false, definite };
            }
            if !self.decompose(n) {
                return Split { convex: false, definite };
            }
            let negative = self.eigenvalues.iter().map(|mu| mu.min(0.0).powi(2)).sum::<f64>();
            (rest, kept) = (rest + negative, kept - negative);
        }
        let convex = near(rest, kept);
        if !definite {
            self.compose(n, p);
        }
        Split { convex, definite }
    }

    /// True if a symmetric matrix is positive semidefinite, but for rounding.
    fn is_positive(&mut self, n: usize, k: &[f64]) -> bool {
        let largest = (0..n).fold(0.0_f64, |m, i| m.max(k[i * n + i].abs()));
        if largest == 0.0 {
            return k.iter().all(|&x| x == 0.0);
        }
        let test = self.test.start(n);
        test.copy_from_slice(k);
        for i in 0..n {
            test[i * n + i] += 1e-12 * largest; // rounding
        }
        self.test.factor()
    }

    /// Computes eigenvalues and eigenvectors of the symmetric part.
    fn decompose(&mut self, n: usize) -> bool {
        if self.scratch.is_none() || self.scratch_size < n {
            let vectors = evd::ComputeEigenvectors::Yes;
            let need = evd::self_adjoint_evd_scratch::<f64>(n, vectors, Par::Seq, Default::default());
            self.scratch = Some(MemBuffer::new(need));
            self.scratch_size = n;
        }
        let Some(buffer) = self.scratch.as_mut() else { return false };
        self.eigenvalues.resize(n, 0.0);
        self.eigenvectors.resize(n * n, 0.0);
        evd::self_adjoint_evd(
            MatRef::from_column_major_slice(&self.symmetric, n, n),
            DiagMut::from_slice_mut(&mut self.eigenvalues),
            Some(MatMut::from_column_major_slice_mut(&mut self.eigenvectors, n, n)),
            Par::Seq,
            MemStack::new(buffer),
            Default::default(),
        )
        .is_ok()
    }

    /// Writes P from its eigenvalues and eigenvectors.
    fn compose(&mut self, n: usize, p: &mut [f64]) {
        // L V, column by column.
        let (l, basis) = (self.mass.values(), &mut self.transposed);
        basis.clear();
        for vector in self.eigenvectors.chunks_exact(n) {
            basis.extend((0..n).map(|i| (0..=i).map(|k| l[k * n + i] * vector[k]).sum::<f64>()));
        }
        p.fill(0.0);
        for (mu, u) in self.eigenvalues.iter().zip(basis.chunks_exact(n)).filter(|(mu, _)| **mu > 0.0) {
            for j in 0..n {
                for i in 0..n {
                    p[j * n + i] += mu * u[i] * u[j];
                }
            }
        }
    }
}

/// Writes the symmetric part of `k` to `p`; returns whether it is all of it.
fn symmetric_part(n: usize, k: &[f64], p: &mut [f64]) -> bool {
    let mut symmetric = true;
    for j in 0..n {
        for i in 0..=j {
            let (a, b) = (k[j * n + i], k[i * n + j]);
            let mean = 0.5 * (a + b);
            (p[j * n + i], p[i * n + j]) = (mean, mean);
            symmetric &= a == b;
        }
    }
    symmetric
}

/// `L^-1 X L^-T`, in place.
fn to_metric(n: usize, l: &[f64], x: &mut [f64], transposed: &mut Vec<f64>) {
    wide(
        #[inline(always)]
        || {
            for _ in 0..2 {
                divide_from_right(n, l, x);
                transposed.clear();
                for i in 0..n {
                    transposed.extend(x[i..].iter().step_by(n));
                }
                x.copy_from_slice(transposed);
            }
        },
    );
}

/// `X L^-T`, in place, column by column.
#[inline(always)]
fn divide_from_right(n: usize, l: &[f64], x: &mut [f64]) {
    for j in 0..n {
        let (done, rest) = x.split_at_mut(j * n);
        let column = &mut rest[..n];
        for (before, l) in done.chunks_exact(n).zip(l.chunks_exact(n)) {
            for (x, y) in column.iter_mut().zip(before) {
                *x -= l[j] * y;
            }
        }
        let pivot = l[j * n + j];
        column.iter_mut().for_each(|x| *x /= pivot);
    }
}
