//! Brushed motors behind gears, as drives of joints.
//!
//! ```text
//! L di/dt = u - R i - k_e N q̇,   u = voltage within ±voltage_limit,   i within ±current_limit
//! τ = N k_t i η^s,   s = sign(N i) tanh(q̇/q̇_r)
//! ```
//!
//! N is the motor's angle per joint position. While the motor drives the joint, the gear transmits the fraction η of
//! the motor's power; while the joint drives the motor, the fraction η of the joint's power arrives at the motor:
//! friction in proportion to load. Between the two, within the speed q̇_r, the exponent changes smoothly, so that the
//! gear always dissipates power. (Armstrong-Hélouvry, "Control of machines with friction", 1991, chapter 2.)

use crate::dynamics::limits::{Limits, Mode};
use kinegraph_core::parameter::{self, ParameterError, PerChannel};
use kinegraph_core::port::Witness;
use kinegraph_core::scalar::tanh;
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Reset, Scalar};

/// n brushed motors with their gears: voltage and joint velocity in, torque on the joint out.
///
/// Without inductance the current follows at once; with it, the current is state. At its limit the drive lets the
/// current rise no further, whatever the voltage. The inertia of a rotor is that of its joint in the plant: armature N²
/// J. Friction that does not grow with load is joint damping or joint friction there.
pub struct DcMotor {
    /// u, width n \[V\].
    pub voltage: In<Dyn>,
    /// q̇ of the joints, width n \[rad/s, m/s\].
    pub velocity: In<Dyn>,
    /// τ on the joints, width n \[N m, N\].
    pub torque: Out<Dyn>,
    /// i, width n \[A\].
    pub current: Out<Dyn>,
    motors: Vec<Motor>,
    /// The motors whose current is state, in order.
    inductive: Vec<usize>,
    limits: Limits,
    ports: Ports,
}

/// Properties of motors and gears, each one for all motors or one each.
#[derive(Clone, Debug, PartialEq)]
pub struct DcMotorSettings {
    /// R \[Ω\].
    pub resistance: PerChannel,
    /// L \[H\]; may be zero.
    pub inductance: PerChannel,
    /// k_t \[N m/A\].
    pub torque_constant: PerChannel,
    /// k_e \[V s/rad\]; by default k_t, which is the same number in a motor without losses of its own.
    pub back_emf_constant: Option<PerChannel>,
    /// N, angle of the motor per joint position \[-, rad/m\]; negative if they turn in opposite directions.
    pub gear_ratio: PerChannel,
    /// η of the gear, above 0 and at most 1.
    pub efficiency: PerChannel,
    /// q̇_r, the joint speed of the transition between driving and being driven, for a gear with losses \[rad/s, m/s\].
    pub reversal_speed: PerChannel,
    /// Largest current \[A\].
    pub current_limit: Option<PerChannel>,
    /// Largest voltage \[V\].
    pub voltage_limit: Option<PerChannel>,
}

impl DcMotorSettings {
    /// A motor without gear and limits.
    pub fn new(
        resistance: impl Into<PerChannel>,
        inductance: impl Into<PerChannel>,
        torque_constant: impl Into<PerChannel>,
    ) -> Self {
        DcMotorSettings {
            resistance: resistance.into(),
            inductance: inductance.into(),
            torque_constant: torque_constant.into(),
            back_emf_constant: None,
            gear_ratio: 1.0.into(),
            efficiency: 1.0.into(),
            reversal_speed: 0.01.into(),
            current_limit: None,
            voltage_limit: None,
        }
    }
}

/// One motor.
#[derive(Clone, Debug)]
struct Motor {
    resistance: f64,
    inductance: f64,
    torque_constant: f64,
    back_emf_constant: f64,
    gear_ratio: f64,
    efficiency: f64,
    reversal_speed: f64,
    /// Limit of the current; infinite for none.
    current_limit: f64,
    voltage_limit: f64,
    /// Index of its current among the states.
    state: Option<usize>,
}

impl Motor {
    /// Voltage across the winding, less the back EMF, at a joint speed.
    fn drive<S: Scalar>(&self, voltage: S, speed: S) -> S {
        let most = S::constant(self.voltage_limit);
        voltage.clamp(-most, most) - speed * S::constant(self.back_emf_constant * self.gear_ratio)
    }

    /// The current without inductance.
    fn resistive_current<S: Scalar>(&self, voltage: S, speed: S) -> S {
        let most = S::constant(self.current_limit);
        (self.drive(voltage, speed) / S::constant(self.resistance)).clamp(-most, most)
    }

    /// di/dt with inductance.
    fn current_rate<S: Scalar>(&self, voltage: S, speed: S, current: S) -> S {
        (self.drive(voltage, speed) - current * S::constant(self.resistance)) / S::constant(self.inductance)
    }

    fn torque<S: Scalar>(&self, current: S, speed: S) -> S {
        let ideal = current * S::constant(self.gear_ratio * self.torque_constant);
        if self.efficiency == 1.0 {
            return ideal;
        }
        // The power flows outwards where torque and speed of the joint agree.
        let outwards = tanh(speed / S::constant(self.reversal_speed));
        let exponent = if ideal.value() < 0.0 { -outwards } else { outwards };
        ideal * (exponent * S::constant(self.efficiency.ln())).exp()
    }
}

impl DcMotor {
    /// Motors of `channels` channels, initially without current.
    ///
    /// # Errors
    /// A list that is not `channels` long, a number that is not finite or not in its range.
    pub fn new(channels: usize, settings: DcMotorSettings) -> Result<Self, ParameterError> {
        let positive = |name: &str, value: PerChannel| -> Result<Vec<f64>, ParameterError> {
            let value = value.expand(name, channels)?;
            parameter::positive(name, &value)?;
            Ok(value)
        };
        let limit = |name: &str, value: Option<PerChannel>| {
            value.map_or(Ok(vec![f64::INFINITY; channels]), |value| positive(name, value))
        };
        let resistance = positive("resistance", settings.resistance)?;
        let inductance = settings.inductance.expand("inductance", channels)?;
        parameter::within("inductance", &inductance, "a number that is not negative", |x| x >= 0.0)?;
        let torque_constant = positive("torque_constant", settings.torque_constant)?;
        let back_emf = settings.back_emf_constant.map(|k| positive("back_emf_constant", k)).transpose()?;
        let gear_ratio = settings.gear_ratio.expand("gear_ratio", channels)?;
        parameter::within("gear_ratio", &gear_ratio, "a number other than 0", |x| x != 0.0)?;
        let efficiency = positive("efficiency", settings.efficiency)?;
        parameter::within("efficiency", &efficiency, "a number above 0 and at most 1", |x| x <= 1.0)?;
        let reversal_speed = positive("reversal_speed", settings.reversal_speed)?;
        let limited = settings.current_limit.is_some();
        let current_limit = limit("current_limit", settings.current_limit)?;
        let voltage_limit = limit("voltage_limit", settings.voltage_limit)?;
        let inductive: Vec<usize> = (0..channels).filter(|&i| inductance[i] > 0.0).collect();
        let motors: Vec<Motor> = (0..channels)
            .map(|i| Motor {
                resistance: resistance[i],
                inductance: inductance[i],
                torque_constant: torque_constant[i],
                back_emf_constant: back_emf.as_ref().map_or(torque_constant[i], |k| k[i]),
                gear_ratio: gear_ratio[i],
                efficiency: efficiency[i],
                reversal_speed: reversal_speed[i],
                current_limit: current_limit[i],
                voltage_limit: voltage_limit[i],
                state: inductive.binary_search(&i).ok(),
            })
            .collect();
        let mut ports = Ports::new();
        let voltage = ports.input_of_width("voltage", channels);
        let velocity = ports.input_of_width("velocity", channels);
        let torque = ports.output_of_width("torque", channels);
        let current = ports.output_of_width("current", channels);
        ports.set_input_units(voltage, vec!["V"; channels]);
        // Behind a gear to a carriage the speed is in m/s and the force in N.
        ports.set_units(current, vec!["A"; channels]);
        if inductive.len() == channels {
            ports.no_feedthrough(current);
            ports.no_feedthrough(torque);
            if efficiency.iter().any(|&x| x != 1.0) {
                ports.feedthrough(torque, velocity);
            }
        }
        if !inductive.is_empty() {
            ports.continuous_state("current", vec![0.0; inductive.len()]);
        }
        let limits = Limits::symmetric(inductive.iter().filter(|_| limited).map(|&i| current_limit[i]));
        limits.declare(&mut ports);
        Ok(DcMotor { voltage, velocity, torque, current, motors, inductive, limits, ports })
    }

    /// di/dt of inductive motor `x` without the current limit.
    fn free_rate<S: Scalar>(&self, ctx: &Context<S>, x: usize) -> S {
        let i = self.inductive[x];
        self.motors[i].current_rate(ctx.get(self.voltage)[i], ctx.get(self.velocity)[i], ctx.continuous[x])
    }
}

impl LeafSystem for DcMotor {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn has_kinks(&self) -> bool {
        let bends = |motor: &Motor| motor.current_limit.min(motor.voltage_limit).is_finite() || motor.efficiency != 1.0;
        self.motors.iter().any(bends)
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        for (i, motor) in self.motors.iter().enumerate() {
            let current = match motor.state {
                Some(x) => ctx.continuous[x],
                None => motor.resistive_current(ctx.get(self.voltage)[i], ctx.get(self.velocity)[i]),
            };
            out.slice(self.current)[i] = current;
            if out.wanted(self.torque) {
                out.slice(self.torque)[i] = motor.torque(current, ctx.get(self.velocity)[i]);
            }
        }
    }

    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        for (x, rate) in derivatives.iter_mut().enumerate() {
            let mode = ctx.discrete.get(x).map_or(Mode::Free, |&mode| Mode::of(mode));
            *rate = mode.hold(self.free_rate(ctx, x));
        }
    }

    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        self.limits.witnesses(ctx, |x| self.free_rate(ctx, x), values);
    }

    fn reset(&self, witness: Witness, _ctx: &Context<f64>, state: &mut Reset) {
        self.limits.reset(witness, state);
    }
}
