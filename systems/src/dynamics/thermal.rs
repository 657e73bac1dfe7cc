//! A thermal mass that loses heat through a resistance.

use kinegraph_core::parameter::{self, ParameterError, PerChannel};
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// `C dT/dt = heat - loss`, `loss = (T - ambient)/R` for n bodies, each of one temperature: winding, housing, heater.
///
/// After a change the temperature settles with the time constant R C at `ambient + R heat`. Bodies in a row: the loss
/// of one is heat of the next, whose temperature is its ambient.
pub struct Thermal {
    /// Heat that is brought in, width n \[W\].
    pub heat: In<Dyn>,
    /// Temperature behind the resistance, width n, on the scale of the body's.
    pub ambient: In<Dyn>,
    /// T, width n \[K or °C\].
    pub temperature: Out<Dyn>,
    /// Heat that flows out through the resistance, width n \[W\].
    pub loss: Out<Dyn>,
    capacity: Vec<f64>,
    resistance: Vec<f64>,
    ports: Ports,
}

impl Thermal {
    /// Bodies of `width` elements; heat capacities C \[J/K\], resistances R \[K/W\] and initial temperatures one for
    /// all or one each.
    ///
    /// # Errors
    /// A list that is not `width` long, a number that is not finite, a capacity or a resistance that is not positive.
    pub fn new(
        width: usize,
        capacity: impl Into<PerChannel>,
        resistance: impl Into<PerChannel>,
        initial: impl Into<PerChannel>,
    ) -> Result<Self, ParameterError> {
        let capacity = capacity.into().expand("capacity", width)?;
        let resistance = resistance.into().expand("resistance", width)?;
        let initial = initial.into().expand("initial", width)?;
        parameter::positive("capacity", &capacity)?;
        parameter::positive("resistance", &resistance)?;
        let mut ports = Ports::new();
        let [heat, ambient] = ["heat", "ambient"].map(|name| ports.input_of_width(name, width));
        let [temperature, loss] = ["temperature", "loss"].map(|name| ports.output_of_width(name, width));
        ports.no_feedthrough(temperature);
        ports.feedthrough(loss, ambient);
        ports.set_units(loss, vec!["W"; width]);
        ports.continuous_state("temperature", initial);
        Ok(Thermal { heat, ambient, temperature, loss, capacity, resistance, ports })
    }

    /// The loss of body `i`.
    fn loss<S: Scalar>(&self, ctx: &Context<S>, i: usize) -> S {
        (ctx.continuous[i] - ctx.get(self.ambient)[i]) / S::constant(self.resistance[i])
    }
}

impl LeafSystem for Thermal {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        out.set(self.temperature, ctx.continuous);
        if out.wanted(self.loss) {
            for (i, loss) in out.slice(self.loss).iter_mut().enumerate() {
                *loss = self.loss(ctx, i);
            }
        }
    }

    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        let heat = ctx.get(self.heat);
        for (i, rate) in derivatives.iter_mut().enumerate() {
            *rate = (heat[i] - self.loss(ctx, i)) / S::constant(self.capacity[i]);
        }
    }
}
