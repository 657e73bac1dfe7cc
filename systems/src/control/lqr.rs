//! Linear-quadratic regulation.

use super::riccati::{RiccatiError, lqr_gain};
use crate::dynamics::add_product;
use kinegraph_core::parameter::{self, ParameterError};
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};
use nalgebra::DMatrix;

/// State feedback `u = -K (x - x_d)`, from n states to m efforts.
///
/// The gain of [`design`](Self::design) minimizes ∫ (xᵀ Q x + uᵀ R u) dt for `ẋ = A x + B u` and x_d = 0.
pub struct Lqr {
    /// State x, width n.
    pub state: In<Dyn>,
    /// Desired state x_d, width n; zero if not connected.
    pub desired_state: In<Dyn>,
    /// Effort u, width m.
    pub effort: Out<Dyn>,
    gain: DMatrix<f64>,
    ports: Ports,
}

impl Lqr {
    /// State feedback with the gain K (m x n).
    ///
    /// # Errors
    /// The gain has a number that is not finite.
    pub fn new(gain: DMatrix<f64>) -> Result<Self, ParameterError> {
        parameter::matrix("K", &gain, gain.shape())?;
        let (m, n) = gain.shape();
        let mut ports = Ports::new();
        let state = ports.input_of_width("state", n);
        let desired_state = ports.optional_input_of_width("desired_state", n);
        let effort = ports.output_of_width("effort", m);
        Ok(Lqr { state, desired_state, effort, gain, ports })
    }

    /// Creates the regulator with the optimal gain for `ẋ = A x + B u`, with weights Q of the states and R of the
    /// efforts: see [`lqr_gain`].
    ///
    /// # Errors
    /// Errors of [`lqr_gain`].
    pub fn design(
        A: &DMatrix<f64>,
        B: &DMatrix<f64>,
        Q: &DMatrix<f64>,
        R: &DMatrix<f64>,
    ) -> Result<Self, RiccatiError> {
        Ok(Self::new(lqr_gain(A, B, Q, R)?)?)
    }

    /// The gain K (m x n).
    pub fn gain(&self) -> &DMatrix<f64> {
        &self.gain
    }
}

impl LeafSystem for Lqr {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let effort = out.slice(self.effort);
        effort.fill(S::zero());
        add_product(effort, &self.gain, ctx.get(self.state));
        effort.iter_mut().for_each(|u| *u = -*u);
        if let Some(desired) = ctx.get_optional(self.desired_state) {
            add_product(effort, &self.gain, desired);
        }
    }
}
