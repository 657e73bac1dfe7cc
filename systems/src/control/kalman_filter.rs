//! Estimation of a linear system's state from noisy measurements.

use super::riccati::{RiccatiError, kalman_gain};
use crate::dynamics::add_product;
use kinegraph_core::parameter;
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};
use nalgebra::DMatrix;

/// `dx̂/dt = A x̂ + B u + L (y - C x̂)`, `estimate = x̂`, for `ẋ = A x + B u + w`, `y = C x + v`; n states, m efforts,
/// p measurements.
///
/// L is the steady gain of [`kalman_gain`]: of all linear filters, this one has the error of least variance once the
/// initial estimate is forgotten. The estimate does not depend on the inputs directly.
pub struct KalmanFilter {
    /// u, width m.
    pub input: In<Dyn>,
    /// y, width p.
    pub measurement: In<Dyn>,
    /// x̂, width n.
    pub estimate: Out<Dyn>,
    gain: DMatrix<f64>,
    /// A - L C.
    error: DMatrix<f64>,
    B: DMatrix<f64>,
    ports: Ports,
}

/// Model and noise intensities of a [`KalmanFilter`].
#[derive(Clone, Debug, PartialEq)]
pub struct KalmanModel {
    /// n x n \[1/s\].
    pub A: DMatrix<f64>,
    /// n x m.
    pub B: DMatrix<f64>,
    /// p x n.
    pub C: DMatrix<f64>,
    /// Intensity of w, n x n: its covariance is `process_noise δ(t - t')`.
    pub process_noise: DMatrix<f64>,
    /// Intensity of v, p x p.
    pub measurement_noise: DMatrix<f64>,
}

impl KalmanFilter {
    /// A filter that starts at the estimate `initial` (n numbers).
    ///
    /// # Errors
    /// Sizes that do not fit, numbers that are not finite, and those of [`kalman_gain`].
    pub fn new(model: KalmanModel, initial: impl Into<Vec<f64>>) -> Result<Self, RiccatiError> {
        let KalmanModel { A, B, C, process_noise, measurement_noise } = model;
        let (n, initial) = (A.nrows(), initial.into());
        let gain = kalman_gain(&A, &C, &process_noise, &measurement_noise)?;
        parameter::matrix("B", &B, (n, B.ncols()))?;
        parameter::size("initial", initial.len(), n)?;
        parameter::finite("initial", &initial)?;
        let mut ports = Ports::new();
        let input = ports.input_of_width("input", B.ncols());
        let measurement = ports.input_of_width("measurement", C.nrows());
        let estimate = ports.output_of_width("estimate", n);
        ports.no_feedthrough(estimate);
        ports.continuous_state("estimate", initial);
        let error = A - &gain * C;
        Ok(KalmanFilter { input, measurement, estimate, gain, error, B, ports })
    }

    /// L (n x p).
    pub fn gain(&self) -> &DMatrix<f64> {
        &self.gain
    }
}

impl LeafSystem for KalmanFilter {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        out.set(self.estimate, ctx.continuous);
    }

    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        derivatives.fill(S::zero());
        add_product(derivatives, &self.error, ctx.continuous);
        add_product(derivatives, &self.B, ctx.get(self.input));
        add_product(derivatives, &self.gain, ctx.get(self.measurement));
    }
}
