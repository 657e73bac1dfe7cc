//! Block that is put into a wire to disturb it.

use kinegraph_core::signal::{BodyPoses, BodyVelocities, Dyn, Image, MultibodyState, SpatialForces};
use kinegraph_core::{Context, LeafSystem, Outputs, Ports, Scalar, SignalKind};

/// `output = signal + disturbance`, all of one kind and width.
pub(super) struct Disturbance {
    ports: Ports,
}

impl Disturbance {
    pub fn new(kind: SignalKind, width: usize) -> Self {
        let mut ports = Ports::new();
        macro_rules! declare {
            ($($kind:ident => $signal:ty),*) => {
                match kind {$(
                    SignalKind::$kind => {
                        ports.input_of_width::<$signal>("signal", width);
                        ports.input_of_width::<Dyn>("disturbance", width);
                        ports.output_of_width::<$signal>("output", width);
                    }
                )*}
            };
        }
        declare!(Vector => Dyn, MultibodyState => MultibodyState, BodyPoses => BodyPoses,
            BodyVelocities => BodyVelocities, SpatialForces => SpatialForces, Image => Image);
        Disturbance { ports }
    }
}

impl LeafSystem for Disturbance {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let (Some(signal), Some(disturbance)) = (ctx.input(0), ctx.input(1)) else { return };
        let sum: Vec<S> = signal.iter().zip(disturbance).map(|(a, b)| *a + *b).collect();
        out.set_index(0, &sum);
    }
}
