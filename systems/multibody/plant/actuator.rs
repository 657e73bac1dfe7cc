//! Placed actuators: an effort on a joint, or a law of the model file that turns a control into forces on one or more
//! joints.
//!
//! A law that depends on its length or on the rate of its length (a position or velocity servo) is feedback inside the
//! plant. It counts as a force of the plant's inputs, so that an integrator takes its derivatives together with those
//! of the controllers outside, and treats its stiffness implicitly.

use super::adhesion::{self, Bond};
use super::collision::CollisionWorld;
use super::error::PlantError;
use super::ports::effort_unit;
use super::push::PlacedPush;
use super::single_axis::single_axis;
use super::spatial_tendon::PlacedTendon;
use super::strings::StringMotion;
use crate::Tree;
use crate::scene_data::{Activation, ActivationLaw, Actuator, Factor};
use kinegraph_core::names::nearest;
use kinegraph_core::scalar::Scalar;

/// An actuator of a plant.
#[derive(Clone, Debug)]
pub(super) struct PlacedActuator {
    /// Its channel name: `model.joint`, or `model.actuator`.
    pub name: String,
    /// Position, velocity and coefficient of the joints that it drives.
    joints: Vec<(usize, usize, f64)>,
    /// Its path of moment arms, if these turn with the bodies.
    path: Path,
    /// The velocities that the path moves.
    path_velocities: Vec<usize>,
    /// The law; `None`: the control is the effort.
    law: Option<Law>,
    /// The control while nothing is connected.
    pub idle: f64,
    /// The state between control and force.
    pub activation: Option<Activation>,
}

/// Moment arms that turn with the bodies.
#[derive(Clone, Debug)]
enum Path {
    None,
    /// A spatial tendon, by its number in the plant, and the coefficient of its length.
    Tendon(usize, f64),
    Push(Box<PlacedPush>),
    /// The contacts of this body.
    Contacts(usize),
}

/// See [`Actuator`].
#[derive(Clone, Copy, Debug)]
struct Law {
    gain: Factor,
    bias: Factor,
    control_range: (f64, f64),
    force_range: (f64, f64),
    /// Length of a full turn, for a servo of a rotation: it takes the shorter way to its target.
    turn: Option<f64>,
}

impl Law {
    /// True if the law is a spring about a target position.
    fn is_servo(gain: Factor, bias: Factor, activation: Option<Activation>) -> bool {
        let integrates = activation.is_none_or(|of| of.law == ActivationLaw::Integrator);
        matches!((gain, bias), (Factor::Affine([k, 0.0, 0.0]), Factor::Affine([_, spring, _])) if k == -spring)
            && integrates
    }

    /// True if the force depends on the length or its rate.
    fn reacts(&self) -> bool {
        [self.gain, self.bias].into_iter().any(|factor| match factor {
            Factor::Affine(f) => f[1] != 0.0 || f[2] != 0.0,
            Factor::Muscle(_) => true,
        })
    }
}

/// Motion of a plant, as paths of actuators need it.
pub(super) struct PlantMotion<'a, S: Scalar> {
    pub tendons: &'a [PlacedTendon],
    pub strings: StringMotion<'a, S>,
    /// Positions.
    pub q: &'a [S],
    /// Contacts within reach of adhesion.
    pub bonds: &'a [Bond],
}

impl PlacedActuator {
    /// Unit of the control, if it is the effort of one joint; else empty. `velocities` are the units of all velocities.
    pub fn control_unit(&self, velocities: &[&'static str]) -> &'static str {
        match self.joints.as_slice() {
            [(_, v, factor)] if self.law.is_none() && self.activation.is_none() && *factor == 1.0 => {
                effort_unit(&velocities[*v])
            }
            _ => "",
        }
    }

    /// A motor on a joint of one axis.
    pub fn motor(name: String, position: usize, velocity: usize) -> Self {
        PlacedActuator {
            name,
            joints: vec![(position, velocity, 1.0)],
            path: Path::None,
            path_velocities: Vec::new(),
            law: None,
            idle: 0.0,
            activation: None,
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
        let (mut path, mut path_velocities) = (Path::None, Vec::new());
        if let Some((name, gear)) = &actuator.tendon {
            let full = format!("{model}/{name}");
            match tendons.iter().position(|tendon| tendon.name == full) {
                Some(tendon) => {
                    path_velocities.clone_from(&tendons[tendon].velocities);
                    path = Path::Tendon(tendon, *gear);
                }
                None => {
                    let nearest = nearest(&full, tendons.iter().map(|tendon| &tendon.name));
                    faults.push(PlantError::Unknown { kind: "spatial tendon", name: full, nearest });
                }
            }
        } else if let Some(link) = &actuator.contacts {
            let full = format!("{model}/{link}");
            match tree.body(&full) {
                // The velocities are known once the possible contacts are known.
                Some(body) => path = Path::Contacts(body),
                None => {
                    let nearest = nearest(&full, tree.bodies().iter().map(|body| &body.name));
                    faults.push(PlantError::Unknown { kind: "link", name: full, nearest });
                }
            }
        } else if let Some(push) = &actuator.push {
            match PlacedPush::of(tree, model, push) {
                Ok(push) => {
                    path_velocities.clone_from(&push.velocities);
                    path = Path::Push(Box::new(push));
                }
                Err(fault) => faults.push(fault),
            }
        }
        let place = |(joint, coefficient): &(String, f64)| {
            let joint = single_axis(tree, &format!("{model}/{joint}"), "an actuator", faults)?;
            Some((joint.positions.start, joint.velocities.start, *coefficient))
        };
        let Actuator { gain, bias, control_range, force_range, activation, .. } = *actuator;
        let turn = match &path {
            Path::Push(push) if Law::is_servo(gain, bias, activation) => push.turn(),
            _ => None,
        };
        PlacedActuator {
            name: format!("{model}.{}", actuator.name),
            joints: actuator.joints.iter().filter_map(place).collect(),
            path,
            path_velocities,
            law: Some(Law { gain, bias, control_range, force_range, turn }),
            idle: actuator.idle,
            activation,
        }
    }

    /// The velocities that it drives.
    pub fn velocities(&self) -> impl Iterator<Item = usize> + '_ {
        self.joints.iter().map(|(_, velocity, _)| *velocity).chain(self.path_velocities.iter().copied())
    }

    /// True if it may exert a force without a control.
    pub fn acts_alone(&self) -> bool {
        self.idle != 0.0 || self.activation.is_some() || self.law.is_some_and(|law| law.bias != Factor::ZERO)
    }

    /// True if its force depends on the positions or velocities of its joints.
    pub fn is_feedback(&self) -> bool {
        // Moment arms of a path turn with the bodies; those of a pull at contacts are constant while the contacts are.
        let turns = matches!(self.path, Path::Tendon(..) | Path::Push(_));
        turns || self.law.is_some_and(|law| law.reacts())
    }

    /// True if it pulls together the contacts of a body.
    pub fn adheres(&self) -> bool {
        matches!(self.path, Path::Contacts(_))
    }

    /// Finds the velocities that a pull at contacts may act on.
    pub fn find_touched(&mut self, tree: &Tree, world: &CollisionWorld) {
        if let Path::Contacts(body) = self.path {
            self.path_velocities = adhesion::velocities(tree, world, body);
        }
    }

    /// True if it acts through moment arms that turn with the bodies.
    pub fn drives_path(&self) -> bool {
        !matches!(self.path, Path::None)
    }

    /// True if it pushes bodies, other than along a tendon.
    pub fn pushes(&self) -> bool {
        matches!(self.path, Path::Push(_))
    }

    /// The range of controls.
    pub fn control_range(&self) -> (f64, f64) {
        self.law.map_or((f64::NEG_INFINITY, f64::INFINITY), |law| law.control_range)
    }

    /// Adds its forces along its path under the control `u`.
    pub fn add_along_path<S: Scalar>(&self, u: S, motion: &PlantMotion<'_, S>, efforts: &mut [S]) {
        let &PlantMotion { tendons, strings: StringMotion { tree, k, v, .. }, q, bonds } = motion;
        match &self.path {
            Path::None => {}
            Path::Contacts(body) => {
                let force = self.force(u, || [S::zero(); 2]);
                adhesion::pull(tree, k, bonds, *body, force, efforts);
            }
            Path::Tendon(tendon, gear) => {
                let (string, gear) = (&tendons[*tendon], S::constant(*gear));
                let law = |of_string: [S; 2]| self.force(u, || of_string.map(|x| x * gear)) * gear;
                motion.strings.pull(&string.path, &string.velocities, law, efforts);
            }
            Path::Push(push) => {
                let force = self.force(u, || push.motion(tree, k, q, v));
                push.push(tree, k, q, force, efforts);
            }
        }
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

    /// Force under the control `u`; `motion` gives the length and its rate, if the law depends on them.
    fn force<S: Scalar>(&self, u: S, motion: impl Fn() -> [S; 2]) -> S {
        self.law.map_or(u, |law| {
            let [length, rate] = if law.reacts() { motion() } else { [S::zero(); 2] };
            let affine = |factors: [f64; 3]| {
                if factors[1] == 0.0 && factors[2] == 0.0 {
                    return S::constant(factors[0]);
                }
                let state = [S::one(), length, rate];
                state.iter().zip(factors).fold(S::zero(), |sum, (x, factor)| sum + *x * S::constant(factor))
            };
            let gain = match law.gain {
                Factor::Affine(factors) => affine(factors),
                Factor::Muscle(muscle) => muscle.active(length, rate),
            };
            let bias = match law.bias {
                Factor::Affine(factors) => affine(factors),
                Factor::Muscle(muscle) => muscle.passive(length),
            };
            // For an actuator with an activation, the range of controls applies to the input of the activation.
            let u = if self.activation.is_some() { u } else { within(u, law.control_range) };
            let turns = |turn: f64| turn * ((u.value() - length.value()) / turn).round();
            let u = law.turn.map_or(u, |turn| u - S::constant(turns(turn)));
            within(gain * u + bias, law.force_range)
        })
    }
}

fn within<S: Scalar>(x: S, (least, most): (f64, f64)) -> S {
    if least == f64::NEG_INFINITY && most == f64::INFINITY {
        return x;
    }
    x.clamp(S::constant(least), S::constant(most))
}
