//! The drive of a conveyor belt.

use kinegraph_core::parameter::{self, ParameterError};
use kinegraph_core::{Context, Fixed, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// `u̇ = (command - u)/τ` within `±acceleration`, `ẋ = u`: a belt that follows its commanded speed as fast as its motor
/// allows, and slows down at the same rate when switched off. `speed` drives the input `BELT.speed` of a plant, whose
/// belt carries the bodies on it.
pub struct ConveyorBelt {
    /// Commanded speed \[m/s\].
    pub command: In<Fixed<1>>,
    /// Switch: the belt runs at 0.5 and above, stops below. It runs if not connected.
    pub on: In<Fixed<1>>,
    /// u \[m/s\].
    pub speed: Out<Fixed<1>>,
    /// x, the distance that the belt has run \[m\].
    pub travel: Out<Fixed<1>>,
    acceleration: f64,
    time_constant: f64,
    ports: Ports,
}

impl ConveyorBelt {
    /// A belt with the initial speed `initial_speed` \[m/s\], a largest acceleration \[m/s²\] and a time constant of
    /// its speed control \[s\].
    ///
    /// # Errors
    /// A number that is not finite; an acceleration or time constant that is not positive.
    pub fn new(initial_speed: f64, acceleration: f64, time_constant: f64) -> Result<Self, ParameterError> {
        parameter::finite("initial_speed", &[initial_speed])?;
        for (name, value) in [("acceleration", acceleration), ("time_constant", time_constant)] {
            parameter::finite(name, &[value])?;
            parameter::positive(name, &[value])?;
        }
        let mut ports = Ports::new();
        let command = ports.input("command");
        let on = ports.optional_input_of_width("on", 1);
        let (speed, travel) = (ports.output("speed"), ports.output("travel"));
        ports.no_feedthrough(speed);
        ports.no_feedthrough(travel);
        let names = ["speed", "travel"].map(str::to_owned).into();
        ports.named_continuous_state("x", names, vec![initial_speed, 0.0]);
        Ok(ConveyorBelt { command, on, speed, travel, acceleration, time_constant, ports })
    }
}

impl LeafSystem for ConveyorBelt {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        out.set(self.speed, [ctx.continuous[0]]);
        out.set(self.travel, [ctx.continuous[1]]);
    }

    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        let [command] = ctx.get(self.command);
        let runs = ctx.get_optional(self.on).is_none_or(|[on]| on.value() >= 0.5);
        let (goal, speed) = (if runs { command } else { S::zero() }, ctx.continuous[0]);
        let most = S::constant(self.acceleration);
        derivatives[0] = ((goal - speed) / S::constant(self.time_constant)).clamp(-most, most);
        derivatives[1] = speed;
    }
}
