//! The matrices of a linear system, and its controllable canonical form.

use kinegraph_core::Scalar;
use kinegraph_core::parameter::{self, ParameterError};
use nalgebra::DMatrix;

/// `y += M x`.
pub(crate) fn add_product<S: Scalar>(y: &mut [S], M: &DMatrix<f64>, x: &[S]) {
    for (column, &x) in M.column_iter().zip(x) {
        for (y, &m) in y.iter_mut().zip(column.iter()) {
            // Canonical forms are mostly zeros.
            if m != 0.0 {
                *y += S::constant(m) * x;
            }
        }
    }
}

/// `A x + B u` and `C x + D u`, for n states, m inputs and p outputs.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    /// n x n.
    pub A: DMatrix<f64>,
    /// n x m.
    pub B: DMatrix<f64>,
    /// p x n.
    pub C: DMatrix<f64>,
    /// p x m.
    pub D: DMatrix<f64>,
}

impl Linear {
    /// A linear system; A determines n, B determines m, C determines p.
    pub fn new(A: DMatrix<f64>, B: DMatrix<f64>, C: DMatrix<f64>, D: DMatrix<f64>) -> Result<Self, ParameterError> {
        let (n, m, p) = (A.nrows(), B.ncols(), C.nrows());
        parameter::matrix("A", &A, (n, n))?;
        parameter::matrix("B", &B, (n, m))?;
        parameter::matrix("C", &C, (p, n))?;
        parameter::matrix("D", &D, (p, m))?;
        Ok(Linear { A, B, C, D })
    }

    /// The controllable canonical form of numerator over denominator, both by falling powers. With the denominator made
    /// monic, `sⁿ + a₁ sⁿ⁻¹ + … + aₙ`, and the numerator filled up to `b₀ sⁿ + … + bₙ`, it is
    ///
    /// ```text
    /// xᵢ' = xᵢ₊₁,   xₙ' = -aₙ x₁ - … - a₁ xₙ + u,   y = Σ (bₙ₊₁₋ᵢ - aₙ₊₁₋ᵢ b₀) xᵢ + b₀ u
    /// ```
    pub fn canonical(numerator: &[f64], denominator: &[f64]) -> Result<Self, ParameterError> {
        for (name, coefficients) in [("numerator", numerator), ("denominator", denominator)] {
            if coefficients.is_empty() {
                return Err(ParameterError::Empty { parameter: name.into() });
            }
            parameter::finite(name, coefficients)?;
        }
        parameter::within("denominator", &denominator[..1], "a leading coefficient that is not 0", |a| a != 0.0)?;
        let zeros = numerator.iter().take_while(|&&b| b == 0.0).count().min(numerator.len() - 1);
        let numerator = &numerator[zeros..];
        let n = denominator.len() - 1;
        if numerator.len() > denominator.len() {
            return Err(ParameterError::Improper { numerator: numerator.len() - 1, denominator: n });
        }
        let a: Vec<f64> = denominator.iter().map(|a| a / denominator[0]).collect();
        let mut b = vec![0.0; n + 1 - numerator.len()];
        b.extend(numerator.iter().map(|b| b / denominator[0]));
        parameter::finite("denominator (divided by its first element)", &a)?;
        parameter::finite("numerator (divided by the denominator's first element)", &b)?;
        let mut A = DMatrix::zeros(n, n);
        let (mut B, mut C) = (DMatrix::zeros(n, 1), DMatrix::zeros(1, n));
        for i in 0..n {
            if i + 1 < n {
                A[(i, i + 1)] = 1.0;
            }
            A[(n - 1, i)] = -a[n - i];
            C[(0, i)] = b[n - i] - a[n - i] * b[0];
        }
        if n > 0 {
            B[(n - 1, 0)] = 1.0;
        }
        Linear::new(A, B, C, DMatrix::from_element(1, 1, b[0]))
    }

    /// `dx = A x + B u`.
    pub fn next<S: Scalar>(&self, x: &[S], u: &[S], dx: &mut [S]) {
        dx.fill(S::zero());
        add_product(dx, &self.A, x);
        add_product(dx, &self.B, u);
    }

    /// `y = C x + D u`.
    pub fn output<S: Scalar>(&self, x: &[S], u: &[S], y: &mut [S]) {
        y.fill(S::zero());
        add_product(y, &self.C, x);
        add_product(y, &self.D, u);
    }
}
