//! Eigenvalues of small dense matrices, without allocation after the first use of a size.

use faer::diag::DiagMut;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd;
use faer::{MatRef, Par};

/// Eigenvalues of a matrix, with their memory.
#[derive(Default)]
pub struct Eigenvalues {
    real: Vec<f64>,
    imaginary: Vec<f64>,
    scratch: Option<MemBuffer>,
    scratch_size: usize,
}

impl Clone for Eigenvalues {
    /// The copy has a workspace of its own.
    fn clone(&self) -> Self {
        Eigenvalues::default()
    }
}

impl std::fmt::Debug for Eigenvalues {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Eigenvalues")
    }
}

impl Eigenvalues {
    /// Real and imaginary parts of the eigenvalues of the matrix of `n` rows, column major; `None` if it is not finite
    /// or the iteration does not converge.
    pub fn of(&mut self, n: usize, matrix: &[f64]) -> Option<(&[f64], &[f64])> {
        if matrix.iter().any(|x| !x.is_finite()) {
            return None;
        }
        if self.scratch.is_none() || self.scratch_size < n {
            let no = evd::ComputeEigenvectors::No;
            self.scratch = Some(MemBuffer::new(evd::evd_scratch::<f64>(n, no, no, Par::Seq, Default::default())));
            self.scratch_size = n;
        }
        let buffer = self.scratch.as_mut()?;
        self.real.resize(n, 0.0);
        self.imaginary.resize(n, 0.0);
        let found = evd::evd_real(
            MatRef::from_column_major_slice(matrix, n, n),
            DiagMut::from_slice_mut(&mut self.real),
            DiagMut::from_slice_mut(&mut self.imaginary),
            None,
            None,
            Par::Seq,
            MemStack::new(buffer),
            Default::default(),
        );
        found.is_ok().then_some((&self.real[..n], &self.imaginary[..n]))
    }

    /// Largest real part of an eigenvalue of the matrix of `n` rows, column major; infinite if it is not known.
    pub fn abscissa(&mut self, n: usize, matrix: &[f64]) -> f64 {
        match *matrix {
            [] => f64::NEG_INFINITY,
            [x] => x,
            [a, c, b, d] => {
                let (mean, half) = (0.5 * (a + d), 0.5 * (a - d));
                mean + (half * half + b * c).max(0.0).sqrt()
            }
            _ => self
                .of(n, matrix)
                .map_or(f64::INFINITY, |(real, _)| real.iter().copied().fold(f64::NEG_INFINITY, f64::max)),
        }
    }
}
