//! Inertial measurement units.
//!
//! A strapdown unit integrates its gyroscopes and accelerometers over a sampling period and outputs the changes of
//! orientation and velocity, divided by the period: mean readings, which contain every impact between two samples. Here
//! they are computed from the motion itself, without accelerations: with T the period, R and v orientation and velocity
//! of the sensor at the two events, g gravity,
//!
//! ```text
//! exp([ω T]×) = R₁ᵀ R₂
//! R₁ J_l(ω T) f T = v₂ - v₁ - g T,   J_l(φ) = ∫₀¹ exp([φ]× s) ds
//! ```
//!
//! ω and f are the constant angular velocity and specific force, in the axes of the sensor, that take it from one event
//! to the other. Values that are constant in the sensor are read exactly (rest, free fall, a turntable), and
//! integrating the readings gives the true orientation and velocity (Savage, "Strapdown inertial navigation integration
//! algorithm design", 1998, equations 20 and 36 to first order in the period). Of values that change within a period,
//! the reading is the mean, up to the order of T².

use super::link::{UnknownLink, place_of};
use kinegraph_core::convex::ConvexPlant;
use kinegraph_core::names::did_you_mean;
use kinegraph_core::parameter::{self, ParameterError, PerChannel};
use kinegraph_core::port::{Sampling, Tick};
use kinegraph_core::random::{normal, seed};
use kinegraph_core::signal::{BodyPoses, BodyVelocities};
use kinegraph_core::{Context, Fixed, In, LeafSystem, Out, Outputs, Ports, Scalar};
use kinegraph_multibody::rotation_vector::{inverse_left_jacobian, rotation_vector_of};
use nalgebra::{Isometry3, Quaternion, UnitQuaternion, Vector3};

/// First random channel of this block. It differs from those of [`Noise`](crate::sources::Noise), so that the same seed
/// gives other numbers.
const FIRST_CHANNEL: u64 = 1 << 32;

/// Accelerometer and gyroscope on a link of a plant: `specific_force = f + bias + noise`,
/// `angular_velocity = ω + bias + noise`, new every period and held in between.
///
/// The specific force is the reading of an accelerometer, acceleration minus gravity: at rest it is g upwards, in free
/// fall zero. Both readings are means over the period before, from one event to the next; at the first event they are
/// those of a link without acceleration. Wire it to `body_poses` and `body_velocities` of its plant.
pub struct Imu {
    /// Poses of all links of the plant.
    pub body_poses: In<BodyPoses>,
    /// Velocities of all links of the plant.
    pub body_velocities: In<BodyVelocities>,
    /// Specific force in the axes of the sensor \[m/s²\].
    pub specific_force: Out<Fixed<3>>,
    /// Angular velocity of the link in the world, in the axes of the sensor \[rad/s\].
    pub angular_velocity: Out<Fixed<3>>,
    /// Index of the link in `body_poses`.
    link: usize,
    gravity: Vector3<f64>,
    X_LS: Isometry3<f64>,
    /// Bias and standard deviation of the specific force, then of the angular velocity.
    bias: Vec<f64>,
    noise: Vec<f64>,
    period: f64,
    ports: Ports,
}

/// Pose and errors of an [`Imu`]; values for three axes, one for all or one each.
#[derive(Clone, Debug, PartialEq)]
pub struct ImuSettings {
    /// Pose of the sensor in the link's frame.
    pub X_LS: Isometry3<f64>,
    /// Time between two readings \[s\].
    pub period: f64,
    /// Bias of the specific force \[m/s²\].
    pub accelerometer_bias: PerChannel,
    /// Standard deviation of each reading \[m/s²\]. A data sheet's noise density N, in m/s²/√Hz, means N/√period.
    pub accelerometer_noise: PerChannel,
    /// Bias of the angular velocity \[rad/s\].
    pub gyroscope_bias: PerChannel,
    /// Standard deviation of each reading \[rad/s\]; from a noise density likewise.
    pub gyroscope_noise: PerChannel,
    /// Seed of the noise.
    pub seed: u64,
}

impl ImuSettings {
    /// A perfect sensor at the link's frame.
    pub fn new(period: f64) -> Self {
        ImuSettings {
            X_LS: Isometry3::identity(),
            period,
            accelerometer_bias: 0.0.into(),
            accelerometer_noise: 0.0.into(),
            gyroscope_bias: 0.0.into(),
            gyroscope_noise: 0.0.into(),
            seed: 0,
        }
    }
}

/// Reasons why an [`Imu`] cannot be made.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum ImuError {
    /// A link that the plant does not have.
    #[error("the plant has no link `{link}`{}", did_you_mean(nearest))]
    UnknownLink {
        /// The name.
        link: String,
        /// The most similar name there is.
        nearest: Option<String>,
    },
    /// A number is invalid.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
}

kinegraph_core::debug_is_message!(ImuError);

impl Imu {
    /// A unit on the link of this full name (`drone/body`).
    ///
    /// # Errors
    /// A link that the plant does not have, a list that is not 3 long, a number that is not finite, a period that is
    /// not positive, a negative standard deviation.
    pub fn new(plant: &dyn ConvexPlant, link: &str, settings: ImuSettings) -> Result<Self, ImuError> {
        let place =
            place_of(plant, link).map_err(|UnknownLink { link, nearest }| ImuError::UnknownLink { link, nearest })?;
        let count = plant.structure().bodies.len() - 1;
        let sampling = parameter::sampling(Sampling::every(settings.period))?;
        let both = |names: [&str; 2], values: [PerChannel; 2]| -> Result<Vec<f64>, ParameterError> {
            let [accelerometer, gyroscope] = values;
            Ok([accelerometer.expand(names[0], 3)?, gyroscope.expand(names[1], 3)?].concat())
        };
        let biases = [settings.accelerometer_bias, settings.gyroscope_bias];
        let bias = both(["accelerometer_bias", "gyroscope_bias"], biases)?;
        let names = ["accelerometer_noise", "gyroscope_noise"];
        let noise = both(names, [settings.accelerometer_noise, settings.gyroscope_noise])?;
        for (name, noise) in names.into_iter().zip(noise.chunks_exact(3)) {
            parameter::within(name, noise, "a number that is not negative", |s| s >= 0.0)?;
        }
        let mut ports = Ports::new();
        let body_poses = ports.input_of_width("body_poses", 7 * count);
        let body_velocities = ports.input_of_width("body_velocities", 6 * count);
        let (specific_force, angular_velocity) = (ports.output("specific_force"), ports.output("angular_velocity"));
        ports.no_feedthrough(specific_force);
        ports.no_feedthrough(angular_velocity);
        ports.periodic(sampling);
        ports.discrete_state("reading", vec![0.0; 6]);
        // Orientation and velocity at the last event, and a flag of whether there was one; number of the reading.
        ports.discrete_state("sample", vec![0.0; 8]);
        ports.discrete_state("count", vec![0.0]);
        seed::declare(&mut ports, settings.seed);
        Ok(Imu {
            body_poses,
            body_velocities,
            specific_force,
            angular_velocity,
            link: place,
            gravity: plant.structure().gravity.into(),
            X_LS: settings.X_LS,
            bias,
            noise,
            period: sampling.period,
            ports,
        })
    }

    /// Orientation, velocity and angular velocity of the sensor in world.
    fn motion(&self, ctx: &Context<f64>) -> (UnitQuaternion<f64>, Vector3<f64>, Vector3<f64>) {
        let pose = &ctx.get(self.body_poses)[7 * self.link..][..7];
        let velocity = &ctx.get(self.body_velocities)[6 * self.link..][..6];
        let R_WL = UnitQuaternion::from_quaternion(Quaternion::new(pose[3], pose[4], pose[5], pose[6]));
        let (w, v) = (Vector3::from_column_slice(&velocity[..3]), Vector3::from_column_slice(&velocity[3..]));
        (R_WL * self.X_LS.rotation, v + w.cross(&(R_WL * self.X_LS.translation.vector)), w)
    }
}

impl LeafSystem for Imu {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let (reading, k, seed) = (&ctx.discrete[..6], ctx.discrete[14] as u64, seed::held(&ctx.discrete[15..]));
        let faulty = |i: usize| {
            let n = if self.noise[i] == 0.0 { 0.0 } else { normal(seed, FIRST_CHANNEL + i as u64, k) };
            S::constant(reading[i] + self.bias[i] + self.noise[i] * n)
        };
        out.set(self.specific_force, [0, 1, 2].map(faulty));
        out.set(self.angular_velocity, [3, 4, 5].map(faulty));
    }

    fn update(&self, _tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        let (R, v, w) = self.motion(ctx);
        let (reading, sample) = next.split_at_mut(6);
        let (f, w) = if sample[7] == 0.0 {
            (R.inverse() * -self.gravity, R.inverse() * w)
        } else {
            let R_before = UnitQuaternion::new_unchecked(Quaternion::new(sample[0], sample[1], sample[2], sample[3]));
            let change = (v - Vector3::from_column_slice(&sample[4..7])) / self.period - self.gravity;
            let phi = rotation_vector_of(&(R_before.inverse() * R));
            (inverse_left_jacobian(&phi, &(R_before.inverse() * change)), phi / self.period)
        };
        reading[..3].copy_from_slice(f.as_slice());
        reading[3..].copy_from_slice(w.as_slice());
        sample[..4].copy_from_slice(&[R.w, R.i, R.j, R.k]);
        sample[4..7].copy_from_slice(v.as_slice());
        sample[7] = 1.0;
        sample[8] = (ctx.time / self.period).round();
    }
}
