//! Linear-quadratic regulation.

use super::discrete_riccati::{discrete_lqr_gain, discretized};
use super::riccati::{RiccatiError, lqr_gain};
use kinegraph_core::parameter::{self, ParameterError};
use kinegraph_core::port::{Sampling, Tick};
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};
use nalgebra::DMatrix;

/// State feedback `u = u_0 - K (x - x_d)`, from n states to m efforts.
///
/// The gain of [`design`](Self::design) minimizes ∫ (xᵀ Q x + uᵀ R u) dt for `ẋ = A x + B u` and x_d = 0.
pub struct Lqr {
    /// State x, width n.
    pub state: In<Dyn>,
    /// Desired state x_d, width n; that of the operating point, or zero, if not connected.
    pub desired_state: In<Dyn>,
    /// Effort u, width m.
    pub effort: Out<Dyn>,
    gain: DMatrix<f64>,
    point: OperatingPoint,
    is_sampled: bool,
    ports: Ports,
}

/// The point about which a regulator acts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OperatingPoint {
    /// State, width n.
    pub state: Vec<f64>,
    /// Effort u_0 there, width m.
    pub effort: Vec<f64>,
    /// First number of each unit quaternion of the state. A quaternion and its negative are one orientation: of both
    /// the one nearer to the desired state counts.
    pub quaternions: Vec<usize>,
}

impl Lqr {
    /// State feedback with the gain K (m x n).
    ///
    /// # Errors
    /// The gain has a number that is not finite.
    pub fn new(gain: DMatrix<f64>) -> Result<Self, ParameterError> {
        let (m, n) = gain.shape();
        let point = OperatingPoint { state: vec![0.0; n], effort: vec![0.0; m], quaternions: Vec::new() };
        Self::about(gain, point, None)
    }

    /// State feedback with the gain K (m x n) about an operating point. With `sampling` the effort is computed at
    /// samples and held between them; before the first it is that of the operating point.
    ///
    /// # Errors
    /// Sizes that do not fit, a number that is not finite, a period that is not positive.
    pub fn about(
        gain: DMatrix<f64>,
        point: OperatingPoint,
        sampling: Option<Sampling>,
    ) -> Result<Self, ParameterError> {
        parameter::matrix("K", &gain, gain.shape())?;
        let (m, n) = gain.shape();
        parameter::size("state", point.state.len(), n)?;
        parameter::finite("state", &point.state)?;
        parameter::size("effort", point.effort.len(), m)?;
        parameter::finite("effort", &point.effort)?;
        let mut ports = Ports::new();
        let state = ports.input_of_width("state", n);
        let desired_state = ports.optional_input_of_width("desired_state", n);
        let effort = ports.output_of_width("effort", m);
        if let Some(sampling) = sampling {
            ports.no_feedthrough(effort);
            ports.periodic(parameter::sampling(sampling)?);
            ports.discrete_state("held", point.effort.clone());
        }
        Ok(Lqr { state, desired_state, effort, gain, point, is_sampled: sampling.is_some(), ports })
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
        Ok(Self::new(Self::gain_for(A, B, Q, R, None)?)?)
    }

    /// The optimal gain for `ẋ = A x + B u`: that of [`lqr_gain`], or, with a period \[s\], that of
    /// [`discrete_lqr_gain`] for the effort held over it, with the cost summed over the samples.
    ///
    /// # Errors
    /// Errors of [`lqr_gain`].
    pub fn gain_for(
        A: &DMatrix<f64>,
        B: &DMatrix<f64>,
        Q: &DMatrix<f64>,
        R: &DMatrix<f64>,
        period: Option<f64>,
    ) -> Result<DMatrix<f64>, RiccatiError> {
        let Some(period) = period else { return lqr_gain(A, B, Q, R) };
        let (A, B) = discretized(A, B, period)?;
        discrete_lqr_gain(&A, &B, Q, R)
    }

    /// The gain K (m x n).
    pub fn gain(&self) -> &DMatrix<f64> {
        &self.gain
    }

    /// The point about which it acts.
    pub fn operating_point(&self) -> &OperatingPoint {
        &self.point
    }

    fn law<S: Scalar>(&self, state: &[S], desired: Option<&[S]>, effort: &mut [S]) {
        let wanted = |i: usize| desired.map_or_else(|| S::constant(self.point.state[i]), |desired| desired[i]);
        effort.iter_mut().zip(&self.point.effort).for_each(|(u, start)| *u = S::constant(*start));
        for (i, (column, x)) in self.gain.column_iter().zip(state).enumerate() {
            let away = if self.is_reversed(i, |k| state[k].value() * wanted(k).value()) { -*x } else { *x } - wanted(i);
            for (u, &gain) in effort.iter_mut().zip(column.iter()) {
                *u -= S::constant(gain) * away;
            }
        }
    }

    /// True if number `i` of the state is of a quaternion whose negative is nearer to the desired one, by the products
    /// of their numbers.
    fn is_reversed(&self, i: usize, product: impl Fn(usize) -> f64) -> bool {
        let of = self.point.quaternions.iter().find(|start| (**start..**start + 4).contains(&i));
        of.is_some_and(|&start| (start..start + 4).map(product).sum::<f64>() < 0.0)
    }
}

impl LeafSystem for Lqr {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let effort = out.slice(self.effort);
        if self.is_sampled {
            effort.iter_mut().zip(ctx.discrete).for_each(|(u, held)| *u = S::constant(*held));
        } else {
            self.law(ctx.get(self.state), ctx.get_optional(self.desired_state), effort);
        }
    }

    fn update(&self, _tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        self.law(ctx.get(self.state), ctx.get_optional(self.desired_state), next);
    }
}
