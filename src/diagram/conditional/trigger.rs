//! Count of the edges of a signal.

use super::level;
use kinegraph_core::port::{Crossing, Witness};
use kinegraph_core::{Context, Fixed, In, LeafSystem, Out, Outputs, Ports, Reset, Scalar};

/// Number of edges of a logical signal; or of another count, which it follows behind the event that changed it.
pub(super) struct Trigger {
    input: In<Fixed<1>>,
    count: Out<Fixed<1>>,
    follows: bool,
    ports: Ports,
}

impl Trigger {
    /// A count of edges in this direction; `None`: it follows another count.
    pub fn new(on: Option<Crossing>) -> Self {
        let mut ports = Ports::new();
        let (input, count) = (ports.input("input"), ports.output("count"));
        ports.no_feedthrough(count);
        ports.discrete_state("count", vec![0.0]);
        ports.witness("edge", on.unwrap_or(Crossing::Rising));
        Trigger { input, count, follows: on.is_none(), ports }
    }
}

impl LeafSystem for Trigger {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        out.set(self.count, [S::constant(ctx.discrete[0])]);
    }

    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        values[0] = match self.follows {
            true => level::count_due(ctx.discrete[0], ctx, self.input),
            false => level::above(ctx, self.input),
        };
    }

    fn reset(&self, _witness: Witness, ctx: &Context<f64>, state: &mut Reset) {
        state.discrete[0] = if self.follows { ctx.get(self.input)[0] } else { state.discrete[0] + 1.0 };
    }
}
