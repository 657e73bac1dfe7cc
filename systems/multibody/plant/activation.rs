//! Activations: the states between the controls and the forces of actuators.
//!
//! The state of a plant, for which a convex step solves, is positions and velocities. Activations depend on controls
//! alone: they are states of a block of their own, which comes with the plant ([`Companion`]) and gets the same signals
//! as the actuation ports of the plant. So their errors are controlled like those of any other block.
//!
//! With the control u within its range and the activation a:
//!
//! | kind | ȧ |
//! |---|---|
//! | integrator | u |
//! | filter | (u - a)/T |
//! | muscle | (u - a)/T(u, a), u between 0 and 1: `T = T₁ (1/2 + 3/2 a)` where u > a, else `T = T₂/(1/2 + 3/2 a)` |
//!
//! The times of a muscle are those of Millard et al. (2013, doi 10.1115/1.4023390). With a smoothing width w the time
//! goes from T₂ to T₁ by a polynomial of fifth degree, while u - a goes from -w/2 to w/2. An activation with a range
//! stays within it: at an end its rate does not lead further out.

use super::actuator::PlacedActuator;
use crate::scene_data::{Activation, ActivationLaw};
use kinegraph_core::scalar::Scalar;
use kinegraph_core::system::Companion;
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports};
use std::sync::Arc;

/// Name of the block within its plant.
pub(super) const BLOCK: &str = "activations";

/// The activations of all actuators of a plant.
pub struct Activations {
    ports: Ports,
    /// The activations a, one per actuator.
    output: Out<Dyn>,
    all: Vec<Activated>,
}

struct Activated {
    law: ActivationLaw,
    range: (f64, f64),
    control_range: (f64, f64),
    /// The control while nothing is connected.
    idle: f64,
    /// The port with all controls of the model, and the index of the actuator's own among them.
    whole: (In<Dyn>, usize),
    own: Option<In<Dyn>>,
}

impl Activations {
    /// The activations of a plant whose models have these actuators; `None` if none has an activation.
    pub(super) fn of(models: &[String], actuated: &[Vec<PlacedActuator>]) -> Option<Self> {
        let (mut ports, mut all) = (Ports::new(), Vec::new());
        let (mut names, mut initial) = (Vec::new(), Vec::new());
        for (model, actuators) in models.iter().zip(actuated) {
            if actuators.iter().all(|actuator| actuator.activation.is_none()) {
                continue;
            }
            // The ports have the names of the plant's ports: by them they are connected to the same sources.
            let whole = ports.optional_input_of_width(format!("{model}.actuation"), actuators.len());
            for (i, actuator) in actuators.iter().enumerate() {
                let Some(Activation { law, initial: start, range }) = actuator.activation else { continue };
                let free = ports.inputs().iter().all(|port| port.name != actuator.name);
                let own = free.then(|| ports.optional_input_of_width(actuator.name.clone(), 1));
                let (control_range, idle) = (actuator.control_range(), actuator.idle);
                all.push(Activated { law, range, control_range, idle, whole: (whole, i), own });
                names.push(format!("{}.activation", actuator.name));
                initial.push(start);
            }
        }
        if all.is_empty() {
            return None;
        }
        ports.named_continuous_state("a", names.clone(), initial);
        let output = ports.output_of_width("output", all.len());
        ports.name_elements(output, names);
        ports.no_feedthrough(output);
        Some(Activations { ports, output, all })
    }
}

impl LeafSystem for Activations {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        out.set(self.output, ctx.continuous);
    }

    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        for ((activated, &a), rate) in self.all.iter().zip(ctx.continuous).zip(derivatives) {
            let whole = ctx.get_optional(activated.whole.0).map(|u| u[activated.whole.1]);
            let own = activated.own.and_then(|own| ctx.get_optional(own)).map(|u| u[0]);
            // A diagram connects at most one of the two.
            let given = match (whole, own) {
                (Some(whole), Some(own)) => Some(whole + own),
                (whole, own) => whole.or(own),
            };
            let (least, most) = activated.control_range;
            let u = given.unwrap_or(S::constant(activated.idle)).clamp(S::constant(least), S::constant(most));
            let free = activated.law.rate(u, a);
            let outward = (a.value() <= activated.range.0 && free.value() < 0.0)
                || (a.value() >= activated.range.1 && free.value() > 0.0);
            *rate = if outward { S::zero() } else { free };
        }
    }

    fn has_kinks(&self) -> bool {
        true
    }
}

impl ActivationLaw {
    fn rate<S: Scalar>(&self, u: S, a: S) -> S {
        match *self {
            ActivationLaw::Integrator => u,
            ActivationLaw::Filter { time } => (u - a) / S::constant(time),
            ActivationLaw::Muscle { times: [up, down], width } => {
                let within = |x: S| x.clamp(S::zero(), S::one());
                let excess = within(u) - a;
                let scale = S::constant(0.5) + S::constant(1.5) * within(a);
                let (up, down) = (S::constant(up) * scale, S::constant(down) / scale);
                let share = if width > 0.0 {
                    let x = within(excess / S::constant(width) + S::constant(0.5));
                    x * x * x * (x * (x * S::constant(6.0) - S::constant(15.0)) + S::constant(10.0))
                } else {
                    S::constant(if excess.value() > 0.0 { 1.0 } else { 0.0 })
                };
                excess / (down + (up - down) * share)
            }
        }
    }
}

/// The block of activations that comes with a plant.
pub(super) fn companion(models: &[String], actuated: &[Vec<PlacedActuator>]) -> Option<Companion> {
    let system = Activations::of(models, actuated)?;
    Some(Companion { name: BLOCK, system: Arc::new(system), output: 0, drives: BLOCK })
}
