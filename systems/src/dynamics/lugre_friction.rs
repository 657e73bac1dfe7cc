//! LuGre friction: bristles that bend and slip.
//!
//! ```text
//! ż = v - σ₀ |v| z/g(v),   force = -(σ₀ z + σ₁ ż + σ₂ v)
//! ```
//!
//! z is the mean deflection of the bristles, g the Stribeck curve. Below the breakaway friction the contact is a spring
//! of the stiffness σ₀ with the damping σ₁; in steady sliding z = g(v)/σ₀ and the force is that of the curve. (Canudas
//! de Wit, Olsson, Åström, Lischinsky, "A new model for control of systems with friction", IEEE Transactions on
//! Automatic Control 40, 1995.)

use super::stribeck::{Curve, Sliding};
use kinegraph_core::parameter::{self, ParameterError, PerChannel};
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// Friction that sticks, breaks away and slips, element by element, by the LuGre model; its bristles are state.
///
/// A body at rest stays within the deflection of the bristles, of the order of F_s/σ₀. From zero on, the bristles never
/// bend beyond that.
pub struct LugreFriction {
    /// v, width n \[m/s or rad/s\].
    pub velocity: In<Dyn>,
    /// Force on what moves, width n \[N or N m\].
    pub force: Out<Dyn>,
    /// z, width n \[m or rad\].
    pub deflection: Out<Dyn>,
    curves: Vec<Curve>,
    stiffness: Vec<f64>,
    damping: Vec<f64>,
    ports: Ports,
}

impl LugreFriction {
    /// Friction of `width` elements whose bristles start unbent; their stiffness σ₀ \[N/m\] and damping σ₁ \[N s/m\]
    /// are one for all or one each.
    ///
    /// # Errors
    /// A list that is not `width` long, a number that is not finite or not in its range.
    pub fn new(
        width: usize,
        sliding: Sliding,
        stiffness: impl Into<PerChannel>,
        damping: impl Into<PerChannel>,
    ) -> Result<Self, ParameterError> {
        let curves = Curve::of(sliding, width)?;
        let stiffness = stiffness.into().expand("stiffness", width)?;
        let damping = damping.into().expand("damping", width)?;
        parameter::positive("stiffness", &stiffness)?;
        parameter::within("damping", &damping, "a number that is not negative", |x| x >= 0.0)?;
        let mut ports = Ports::new();
        let velocity = ports.input_of_width("velocity", width);
        let (force, deflection) = (ports.output_of_width("force", width), ports.output_of_width("deflection", width));
        ports.no_feedthrough(deflection);
        ports.continuous_state("deflection", vec![0.0; width]);
        Ok(LugreFriction { velocity, force, deflection, curves, stiffness, damping, ports })
    }

    /// ż of element `i` for the speed v and the deflection z.
    fn rate<S: Scalar>(&self, i: usize, v: S, z: S) -> S {
        v - S::constant(self.stiffness[i]) * v.abs() * z / self.curves[i].at(v)
    }
}

impl LeafSystem for LugreFriction {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn has_kinks(&self) -> bool {
        true
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        out.set(self.deflection, ctx.continuous);
        if !out.wanted(self.force) {
            return;
        }
        let velocities = ctx.get(self.velocity);
        for (i, force) in out.slice(self.force).iter_mut().enumerate() {
            let (v, z) = (velocities[i], ctx.continuous[i]);
            let bristles = S::constant(self.stiffness[i]) * z + S::constant(self.damping[i]) * self.rate(i, v, z);
            *force = -bristles - S::constant(self.curves[i].viscous) * v;
        }
    }

    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        let velocities = ctx.get(self.velocity);
        for (i, rate) in derivatives.iter_mut().enumerate() {
            *rate = self.rate(i, velocities[i], ctx.continuous[i]);
        }
    }
}
