//! States scaled so that what goes into each is about as large as what comes out of it.

use super::LinearModel;
use crate::choices::scaling::SWEEPS;
use nalgebra::DMatrix;

/// Matrices of a model with other coordinates.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Matrices {
    pub a: DMatrix<f64>,
    pub b: DMatrix<f64>,
    pub c: DMatrix<f64>,
    pub d: DMatrix<f64>,
}

impl Matrices {
    pub fn of(model: &LinearModel) -> Self {
        let LinearModel { a, b, c, d, .. } = model;
        Matrices { a: a.clone(), b: b.clone(), c: c.clone(), d: d.clone() }
    }

    pub fn states(&self) -> usize {
        self.a.nrows()
    }

    /// The model that a part of the states make, of which `right` has the directions and `left` the measures.
    pub fn projected(&self, left: &DMatrix<f64>, right: &DMatrix<f64>) -> Self {
        Matrices { a: left * &self.a * right, b: left * &self.b, c: &self.c * right, d: self.d.clone() }
    }

    pub fn transposed(&self) -> Self {
        let [a, b, c, d] = [&self.a, &self.c, &self.b, &self.d].map(DMatrix::transpose);
        Matrices { a, b, c, d }
    }

    /// Scales the states by powers of two. Returns the factors: old states are factors times new ones.
    pub fn scale(&mut self) -> Vec<f64> {
        let n = self.states();
        let mut factors = vec![1.0; n];
        for _ in 0..SWEEPS {
            let mut changed = false;
            for (i, own) in factors.iter_mut().enumerate() {
                let apart = |j: usize, x: f64| if j == i { 0.0 } else { x.abs() };
                let into: f64 = (0..n).map(|j| apart(j, self.a[(i, j)])).sum::<f64>() + self.b.row(i).lp_norm(1);
                let from: f64 = (0..n).map(|j| apart(j, self.a[(j, i)])).sum::<f64>() + self.c.column(i).lp_norm(1);
                if into == 0.0 || from == 0.0 {
                    continue;
                }
                let factor = (0.5 * (into / from).log2()).round().exp2();
                if factor == 1.0 || !factor.is_normal() {
                    continue;
                }
                changed = true;
                *own *= factor;
                self.a.row_mut(i).scale_mut(1.0 / factor);
                self.b.row_mut(i).scale_mut(1.0 / factor);
                self.a.column_mut(i).scale_mut(factor);
                self.c.column_mut(i).scale_mut(factor);
            }
            if !changed {
                break;
            }
        }
        factors
    }

    /// The model in continuous time that is this one in discrete time by `s = (z - 1)/(z + 1)`: the unit circle is the
    /// imaginary axis. `None` if there is a pole at -1.
    pub fn to_continuous(&self) -> Option<Self> {
        let one = DMatrix::<f64>::identity(self.states(), self.states());
        let inverse = (&self.a + &one).try_inverse()?;
        let root = 2.0_f64.sqrt();
        Some(Matrices {
            a: &inverse * (&self.a - one),
            b: &inverse * &self.b * root,
            c: &self.c * &inverse * root,
            d: &self.d - &self.c * &inverse * &self.b,
        })
    }

    /// The inverse of [`to_continuous`](Self::to_continuous). `None` if there is a pole at 1.
    pub fn to_discrete(&self) -> Option<Self> {
        let one = DMatrix::<f64>::identity(self.states(), self.states());
        let inverse = (&one - &self.a).try_inverse()?;
        let root = 2.0_f64.sqrt();
        Some(Matrices {
            a: &inverse * (&self.a + one),
            b: &inverse * &self.b * root,
            c: &self.c * &inverse * root,
            d: &self.d + &self.c * &inverse * &self.b,
        })
    }
}
