//! Actuators in their place: an effort on a joint, or a law of the model file that turns a control into forces on one
//! or more joints.
//!
//! A law that depends on its length or on the rate of it (a position or velocity servo) is feedback inside the plant.
//! It is a force of the plant's inputs like any other, so that an integrator takes its derivatives with those of the
//! controllers outside, and meets its stiffness implicitly.

use super::error::PlantError;
use super::single_axis::single_axis;
use super::spatial_tendon::PlacedTendon;
use crate::multibody::Tree;
use crate::multibody::scene_data::Actuator;
use crate::names::nearest;
use crate::scalar::Scalar;

/// An actuator of a plant.
#[derive(Clone, Debug)]
pub(super) struct PlacedActuator {
    /// Its name among the channels: `model.joint`, or `model.actuator`.
    pub name: String,
    /// Position, velocity and coefficient of the joints that it drives.
    joints: Vec<(usize, usize, f64)>,
    /// The spatial tendon that it pulls, by its number in the plant, and the coefficient of its length.
    tendon: Option<(usize, f64)>,
    /// The velocities that this tendon moves.
    tendon_velocities: Vec<usize>,
    /// `None`: the control is the effort.
    law: Option<Law>,
    /// The control where nothing is connected.
    pub idle: f64,
}

/// See [`Actuator`].
#[derive(Clone, Copy, Debug)]
struct Law {
    gain: [f64; 3],
    bias: [f64; 3],
    control_range: (f64, f64),
    force_range: (f64, f64),
}

impl PlacedActuator {
    /// A motor on a joint of one axis.
    pub fn motor(name: String, position: usize, velocity: usize) -> Self {
        PlacedActuator {
            name,
            joints: vec![(position, velocity, 1.0)],
            tendon: None,
            tendon_velocities: Vec::new(),
            law: None,
            idle: 0.0,
        }
    }

    /// An actuator of the model `model`.
    pub fn of(
        tree: &Tree,
        model: &str,
        actuator: &Actuator,
        tendons: &[PlacedTendon],
        faults: &mut Vec<PlantError>,
    ) -> Self {
        let pulled = actuator.tendon.as_ref().and_then(|(name, gear)| {
            let full = format!("{model}/{name}");
            let found = tendons.iter().position(|tendon| tendon.name == full);
            if found.is_none() {
                let nearest = nearest(&full, tendons.iter().map(|tendon| &tendon.name));
                faults.push(PlantError::Unknown { kind: "spatial tendon", name: full, nearest });
            }
            Some((found?, *gear))
        });
        let place = |(joint, coefficient): &(String, f64)| {
            let joint = single_axis(tree, &format!("{model}/{joint}"), "an actuator", faults)?;
            Some((joint.positions.start, joint.velocities.start, *coefficient))
        };
        let Actuator { gain, bias, control_range, force_range, .. } = *actuator;
        PlacedActuator {
            name: format!("{model}.{}", actuator.name),
            joints: actuator.joints.iter().filter_map(place).collect(),
            tendon: pulled,
            tendon_velocities: pulled.map_or(Vec::new(), |(tendon, _)| tendons[tendon].velocities.clone()),
            law: Some(Law { gain, bias, control_range, force_range }),
            idle: actuator.idle,
        }
    }

    /// The velocities that it drives.
    pub fn velocities(&self) -> impl Iterator<Item = usize> + '_ {
        self.joints.iter().map(|(_, velocity, _)| *velocity).chain(self.tendon_velocities.iter().copied())
    }

    /// Whether it pushes without a control.
    pub fn acts_alone(&self) -> bool {
        self.idle != 0.0 || self.law.is_some_and(|law| law.bias != [0.0; 3])
    }

    /// Whether its force depends on where its joints are or how they move.
    pub fn is_feedback(&self) -> bool {
        // The moment arms of a spatial tendon turn with the bodies.
        self.tendon.is_some()
            || self.law.is_some_and(|law| [law.gain, law.bias].iter().any(|f| f[1] != 0.0 || f[2] != 0.0))
    }

    /// The spatial tendon that it pulls, by its number in the plant, and the coefficient of its length.
    pub fn tendon(&self) -> Option<(usize, f64)> {
        self.tendon
    }

    /// Adds its efforts on joints under the control `u` at positions `q` and velocities `v` of the plant.
    pub fn add_efforts<S: Scalar>(&self, u: S, q: &[S], v: &[S], efforts: &mut [S]) {
        let sum = |of: &[S], index: fn(&(usize, usize, f64)) -> usize| {
            self.joints.iter().fold(S::zero(), |sum, joint| sum + of[index(joint)] * S::constant(joint.2))
        };
        let force = self.force(u, || [sum(q, |joint| joint.0), sum(v, |joint| joint.1)]);
        for (_, velocity, coefficient) in &self.joints {
            efforts[*velocity] += force * S::constant(*coefficient);
        }
    }

    /// Its force under the control `u`; `motion` gives its length and the rate of that, where they count.
    pub fn force<S: Scalar>(&self, u: S, motion: impl Fn() -> [S; 2]) -> S {
        self.law.map_or(u, |law| {
            let along = |factors: [f64; 3]| {
                if factors[1] == 0.0 && factors[2] == 0.0 {
                    return S::constant(factors[0]);
                }
                let [length, rate] = motion();
                let state = [S::one(), length, rate];
                state.iter().zip(factors).fold(S::zero(), |sum, (x, factor)| sum + *x * S::constant(factor))
            };
            within(along(law.gain) * within(u, law.control_range) + along(law.bias), law.force_range)
        })
    }
}

fn within<S: Scalar>(x: S, (least, most): (f64, f64)) -> S {
    if least == f64::NEG_INFINITY && most == f64::INFINITY {
        return x;
    }
    x.clamp(S::constant(least), S::constant(most))
}
