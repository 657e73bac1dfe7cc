//! Encoders of joints and motors.

use super::sampled::{SampleSettings, Sampled};
use super::sensor_error::SensorError;
use kinegraph_core::convex::ConvexPlant;
use kinegraph_core::names::nearest;
use kinegraph_core::port::Tick;
use kinegraph_core::signal::{Dyn, MultibodyState};
use kinegraph_core::unit_rules::UnitRule;
use kinegraph_core::{Context, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// Positions of joints as encoders read them (rounded to their resolution, with latency), and velocities as a
/// controller computes them from encoders: the difference of the last two readings over the period, zero until there
/// are two.
///
/// Wire it to `state` of its plant.
pub struct JointEncoder {
    /// Positions, then velocities, of the whole plant.
    pub state: In<MultibodyState>,
    /// The readings, in the order of the joints \[rad, m\].
    pub position: Out<Dyn>,
    /// Differences of the readings over the period \[rad/s, m/s\].
    pub velocity: Out<Dyn>,
    /// Indices of the positions in the state.
    places: Vec<usize>,
    sampled: Sampled,
    period: f64,
    /// Index of the differences in the discrete state; behind them is a flag of whether there was a reading.
    differences: usize,
    ports: Ports,
}

impl JointEncoder {
    /// Encoders on joints of one coordinate with these full names (`arm/elbow`).
    ///
    /// # Errors
    /// A joint that the plant does not have or that has several coordinates, numbers that do not fit.
    pub fn new(plant: &dyn ConvexPlant, joints: &[String], settings: SampleSettings) -> Result<Self, SensorError> {
        let structure = plant.structure();
        let names: Vec<String> =
            structure.position_names.iter().filter_map(|q| Some(q.strip_suffix(".q")?.replacen('.', "/", 1))).collect();
        let mut places = Vec::new();
        for joint in joints {
            let port = format!("{}.q", joint.replacen('/', ".", 1));
            let unknown = || SensorError::UnknownJoint {
                joint: joint.clone(),
                nearest: nearest(joint, names.iter().map(String::as_str)),
            };
            places.push(structure.position_names.iter().position(|name| *name == port).ok_or_else(unknown)?);
        }
        let width = joints.len();
        let period = settings.sampling.period;
        let mut ports = Ports::new();
        let state = ports.input_of_width("state", structure.num_positions + structure.num_velocities);
        let (position, velocity) = (ports.output_of_width("position", width), ports.output_of_width("velocity", width));
        let named = |what: &str| joints.iter().map(|joint| format!("{}.{what}", joint.replacen('/', ".", 1))).collect();
        ports.name_elements(position, named("position"));
        ports.name_elements(velocity, named("velocity"));
        ports.no_feedthrough(position);
        ports.no_feedthrough(velocity);
        let sampled = Sampled::declare(&mut ports, width, settings)?;
        let from = places.iter().map(|place| Some((state.index, *place))).collect();
        ports.unit_rule(UnitRule::Gather { output: position.index, from });
        let differences = ports.discrete_width();
        ports.discrete_state("differences", vec![0.0; width]);
        ports.discrete_state("has_read", vec![0.0]);
        Ok(JointEncoder { state, position, velocity, places, sampled, period, differences, ports })
    }
}

impl LeafSystem for JointEncoder {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        self.sampled.write(ctx, out.slice(self.position));
        let differences = &ctx.discrete[self.differences..];
        out.slice(self.velocity).iter_mut().zip(differences).for_each(|(y, &x)| *y = S::constant(x));
    }

    fn update(&self, tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        let measure = |y: &mut [f64]| {
            let state = ctx.get(self.state);
            y.iter_mut().zip(&self.places).for_each(|(y, &place)| *y = state[place]);
        };
        if self.sampled.update(tick, ctx, next, measure, |_, _| ()).is_none() {
            return;
        }
        let (before, width) = (self.sampled.held(ctx), self.places.len());
        let first = self.sampled.reading().start;
        let has_read = ctx.discrete[self.differences + width];
        for (i, before) in before.iter().enumerate() {
            next[self.differences + i] = has_read * (next[first + i] - before) / self.period;
        }
        next[self.differences + width] = 1.0;
    }
}
