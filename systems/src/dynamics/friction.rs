//! Dry and viscous friction as a function of the speed.

use super::stribeck::{Curve, Sliding};
use kinegraph_core::parameter::{self, ParameterError, PerChannel};
use kinegraph_core::scalar::tanh;
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// `force = -g(v) tanh(v/v_t) - σ₂ v`, element by element, with the Stribeck curve g that falls from the breakaway to
/// the Coulomb friction.
///
/// The force is smooth: within the transition speed v_t it grows from zero, and a body on a slope creeps with a speed
/// below v_t instead of sticking. [`LugreFriction`](super::LugreFriction) holds it to micrometres with a state of its
/// own, and the friction of a joint of a plant holds it exactly. The force never does positive work.
pub struct Friction {
    /// v, width n \[m/s or rad/s\].
    pub velocity: In<Dyn>,
    /// Force on what moves, width n \[N or N m\].
    pub force: Out<Dyn>,
    curves: Vec<Curve>,
    transition_speed: Vec<f64>,
    ports: Ports,
}

impl Friction {
    /// Friction of `width` elements; `transition_speed` \[m/s\], one for all or one each.
    ///
    /// # Errors
    /// A list that is not `width` long, a number that is not finite or not in its range.
    pub fn new(
        width: usize,
        sliding: Sliding,
        transition_speed: impl Into<PerChannel>,
    ) -> Result<Self, ParameterError> {
        let curves = Curve::of(sliding, width)?;
        let transition_speed = transition_speed.into().expand("transition_speed", width)?;
        parameter::positive("transition_speed", &transition_speed)?;
        let mut ports = Ports::new();
        let (velocity, force) = (ports.input_of_width("velocity", width), ports.output_of_width("force", width));
        Ok(Friction { velocity, force, curves, transition_speed, ports })
    }
}

impl LeafSystem for Friction {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let velocities = ctx.get(self.velocity);
        for (i, force) in out.slice(self.force).iter_mut().enumerate() {
            let (curve, v) = (&self.curves[i], velocities[i]);
            let dry = curve.at(v) * tanh(v / S::constant(self.transition_speed[i]));
            *force = -dry - S::constant(curve.viscous) * v;
        }
    }
}
