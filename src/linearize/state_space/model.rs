//! The result of a linearization.

use super::LinearizeFault;
use nalgebra::{Complex, DMatrix, Schur};

/// `ẋ = ẋ₀ + A x + B u`, `y = C x + D u` for deviations x, u, y from the operating point.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearModel {
    /// States x states.
    pub a: DMatrix<f64>,
    /// States x inputs.
    pub b: DMatrix<f64>,
    /// Outputs x states.
    pub c: DMatrix<f64>,
    /// Outputs x inputs.
    pub d: DMatrix<f64>,
    /// Rates ẋ₀ at the operating point: zero at an equilibrium.
    pub rates: Vec<f64>,
    /// Names of the states.
    pub state_names: Vec<String>,
    /// Names of the inputs.
    pub input_names: Vec<String>,
    /// Names of the outputs.
    pub output_names: Vec<String>,
}

/// Sweeps of the eigenvalue iteration per state; it usually takes two or three.
const SWEEPS: usize = 100;

impl LinearModel {
    /// The eigenvalues of A \[1/s\], by real part, the fastest growing last; complex pairs stand together, negative imaginary part first.
    /// `None` if the iteration does not converge.
    pub fn poles(&self) -> Option<Vec<Complex<f64>>> {
        let n = self.a.nrows();
        if n == 0 {
            return Some(Vec::new());
        }
        let schur = Schur::try_new(self.a.clone(), f64::EPSILON, SWEEPS * n)?;
        let mut poles: Vec<Complex<f64>> = schur.complex_eigenvalues().iter().copied().collect();
        poles.sort_by(|a, b| a.re.total_cmp(&b.re).then(a.im.total_cmp(&b.im)));
        Some(poles)
    }

    pub(super) fn check_finite(&self) -> Result<(), LinearizeFault> {
        let fault = |what: String| Err(LinearizeFault::NotFinite { what });
        if let Some(i) = self.rates.iter().position(|rate| !rate.is_finite()) {
            return fault(format!("the rate of {}", self.state_names[i]));
        }
        let rate_of = |name: &String| format!("the rate of {name}");
        let (rates, outputs): (Vec<_>, _) = (self.state_names.iter().map(rate_of).collect(), self.output_names.clone());
        for (matrix, rows, columns) in [
            (&self.a, &rates, &self.state_names),
            (&self.b, &rates, &self.input_names),
            (&self.c, &outputs, &self.state_names),
            (&self.d, &outputs, &self.input_names),
        ] {
            for (j, column) in matrix.column_iter().enumerate() {
                if let Some(i) = column.iter().position(|x| !x.is_finite()) {
                    return fault(format!("the derivative of {} with respect to {}", rows[i], columns[j]));
                }
            }
        }
        Ok(())
    }
}
