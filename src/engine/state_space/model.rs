//! The result of a linearization.

use super::LinearizeFault;
use crate::choices::linear_model::{DRIFT, SWEEPS};
use kinegraph_convex::linear_algebra::Eigenvalues;
use kinegraph_core::parameter::ParameterError;
use kinegraph_systems::dynamics::StateSpace;
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
    /// Outputs y₀ at the operating point.
    pub output_values: Vec<f64>,
    /// Names of the states.
    pub state_names: Vec<String>,
    /// Names of the inputs.
    pub input_names: Vec<String>,
    /// Names of the outputs.
    pub output_names: Vec<String>,
    /// Blocks that sample or delay and so cut paths of the model: their stored values count as constant. Where they
    /// close a loop, the poles are those of the open one.
    pub cut_by: Vec<String>,
    /// Blocks that pass nothing on at the operating point, though their inputs change: a quantizer, a saturation beyond
    /// its bound, a `sign`. Paths through them alone are zero in the model.
    pub flat: Vec<String>,
    /// Period \[s\] of a model in discrete time, `x[k+1] = A x[k] + B u[k]`; `None`: in continuous time.
    pub period: Option<f64>,
}

/// Reason why a linear model is no block.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum BlockFault {
    /// The operating point is no equilibrium.
    #[error(
        "the rate of {state} is {rate:.3e} at the operating point, but a block ẋ = A x + B u has no drift: linearize at an equilibrium"
    )]
    Drift {
        /// The state that changes fastest.
        state: String,
        /// Rate of that state.
        rate: f64,
    },
    /// The model is in discrete time.
    #[error("the model is in discrete time, with a period of {period} s: it is no block `state_space`")]
    Sampled {
        /// The period \[s\].
        period: f64,
    },
    /// The matrices are no state space.
    #[error(transparent)]
    Matrices(#[from] ParameterError),
}

kinegraph_core::debug_is_message!(BlockFault);

impl LinearModel {
    /// Eigenvalues of A \[1/s\], by real part, the fastest growing last; complex pairs are adjacent, negative imaginary
    /// part first. `None` if the iteration does not converge.
    pub fn poles(&self) -> Option<Vec<Complex<f64>>> {
        eigenvalues(&self.a)
    }

    /// Returns the model as a block: its input, state and output are deviations from the operating point, all in the
    /// order of the names. Without feedthrough D it breaks algebraic loops.
    ///
    /// # Errors
    /// An operating point that is no equilibrium.
    pub fn to_block(&self) -> Result<StateSpace, BlockFault> {
        if let Some(period) = self.period {
            return Err(BlockFault::Sampled { period });
        }
        let fastest = (0..self.rates.len()).max_by(|&i, &j| self.rates[i].abs().total_cmp(&self.rates[j].abs()));
        if let Some(i) = fastest.filter(|&i| self.rates[i].abs() > DRIFT) {
            return Err(BlockFault::Drift { state: self.state_names[i].clone(), rate: self.rates[i] });
        }
        let [a, b, c, d] = [&self.a, &self.b, &self.c, &self.d].map(DMatrix::clone);
        Ok(StateSpace::new(a, b, c, d, vec![0.0; self.a.nrows()])?)
    }

    /// Frequency response at the angular frequency `w` \[rad/s\]: outputs x inputs; not a number at a pole. In discrete
    /// time that at `e^(i w period)`.
    pub fn response(&self, w: f64) -> DMatrix<Complex<f64>> {
        let at = self.period.map_or(Complex::new(0.0, w), |period| Complex::from_polar(1.0, w * period));
        let complex = |matrix: &DMatrix<f64>| matrix.map(|x| Complex::new(x, 0.0));
        let mut pencil = -complex(&self.a);
        (0..pencil.nrows()).for_each(|i| pencil[(i, i)] += at);
        match pencil.lu().solve(&complex(&self.b)) {
            Some(x) => complex(&self.c) * x + complex(&self.d),
            None => complex(&self.d).map(|_| Complex::new(f64::NAN, f64::NAN)),
        }
    }

    /// Distance of a pole from the edge of stability: its real part, in discrete time its distance from the unit
    /// circle; negative if it is stable.
    pub fn beyond_stability(&self, pole: Complex<f64>) -> f64 {
        beyond_stability(pole, self.period.is_some())
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

/// Eigenvalues by real part; complex pairs are adjacent, negative imaginary part first. `None` if the iteration does
/// not converge.
pub(super) fn eigenvalues(matrix: &DMatrix<f64>) -> Option<Vec<Complex<f64>>> {
    let n = matrix.nrows();
    if n == 0 {
        return Some(Vec::new());
    }
    // Many poles in one place, as of a body without forces, keep this iteration from converging, but not the other.
    let mut found: Vec<Complex<f64>> = match Schur::try_new(matrix.clone(), f64::EPSILON, SWEEPS * n) {
        Some(schur) => schur.complex_eigenvalues().iter().copied().collect(),
        None => {
            let mut eigenvalues = Eigenvalues::default();
            let (re, im) = eigenvalues.of(n, matrix.as_slice())?;
            re.iter().zip(im).map(|(re, im)| Complex::new(*re, *im)).collect()
        }
    };
    found.sort_by(|a, b| a.re.total_cmp(&b.re).then(a.im.total_cmp(&b.im)));
    Some(found)
}

/// Distance of a pole from the edge of stability: its real part, in discrete time its distance from the unit circle.
pub fn beyond_stability(pole: Complex<f64>, is_discrete: bool) -> f64 {
    if is_discrete { pole.norm() - 1.0 } else { pole.re }
}
