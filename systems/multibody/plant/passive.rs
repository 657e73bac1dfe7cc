//! Passive forces of the models besides those of single joints and of constraints: springs, dampers and stops of fixed
//! tendons, stops and springs of ball joints.
//!
//! A fixed tendon has the length `l = Σ c q`. Its spring pulls where the length is outside of its rest lengths,
//! `f = -k (l - clamp(l, rest)) - d l̇`, and both may have terms of second and third degree. A stop at l₁ has the
//! compliance of a contact (Hunt-Crossley): with the excess `x = l - l₁ > 0`, `f = -k x (1 + e ẋ)₊`. Each joint gets
//! `c f`. For a ball joint with the quaternion (w, u), the angle `θ = 2 atan2(|u|, |w|)` is that of the rotation from
//! rest; its gradient with respect to the angular velocity, in axes of the joint's child, is the axis
//! `sign(w) u / |u|`, along which the stop acts.
//!
//! A spring of a ball joint exerts the torque `-k φ`, with φ the rotation vector from the rest pose: minus the gradient
//! of `k |φ|²/2`. A spring of a floating joint exerts the force `-k (p - p₀)` as well.
//!
//! These forces depend on positions and velocities: an integrator treats them implicitly, like servos. Stops, and
//! springs that are slack between two lengths, are rows of a step: see `ranges.rs`.

use super::error::PlantError;
use super::model::PlantModel;
use super::ranges::Ranges;
use super::single_axis::single_axis;
use crate::rotation_vector::rotation_vector_of;
use crate::scene_data::{HigherTerms, Stop, Tendon, TurnSpring};
use crate::tree::TreeJoint;
use crate::{JointKind, Tree};
use kinegraph_core::names::nearest;
use kinegraph_core::scalar::Scalar;
use nalgebra::{Isometry3, Quaternion, Vector3};

/// A passive force.
#[derive(Clone, Debug)]
pub(super) enum Passive {
    /// A fixed tendon on the joints with these positions, velocities and coefficients.
    Tendon { joints: Vec<(usize, usize, f64)>, law: Tendon },
    /// A spring on the ball or floating joint with this position and velocity.
    Turn { position: usize, velocity: usize, floating: bool, stiffness: f64, rest: Isometry3<f64> },
    /// A stop on the ball joint with this position and velocity.
    Cone { position: usize, velocity: usize, angle: f64, stop: Stop },
}

/// The passive forces of all models.
pub(super) fn place(tree: &Tree, models: &[PlantModel], faults: &mut Vec<PlantError>) -> Vec<Passive> {
    let mut placed = Vec::new();
    for PlantModel { name, model, .. } in models {
        for tendon in &model.scene.tendons {
            let place = |(joint, coefficient): &(String, f64)| {
                let joint = single_axis(tree, &format!("{name}/{joint}"), "a tendon", faults)?;
                Some((joint.positions.start, joint.velocities.start, *coefficient))
            };
            let joints = tendon.joints.iter().filter_map(place).collect();
            if tendon.pulls() {
                placed.push(Passive::Tendon { joints, law: tendon.clone() });
            }
        }
        for TurnSpring { joint, stiffness, rest } in &model.scene.turns {
            let Some(joint) = turning(tree, format!("{name}/{joint}"), faults) else { continue };
            let (position, velocity) = (joint.positions.start, joint.velocities.start);
            let floating = joint.kind == JointKind::Floating;
            placed.push(Passive::Turn { position, velocity, floating, stiffness: *stiffness, rest: *rest });
        }
        for cone in &model.scene.cones {
            let full = format!("{name}/{}", cone.joint);
            let joint = tree.joint(&full).map(|joint| &tree.joints()[joint]);
            match joint.filter(|joint| joint.kind == JointKind::Ball) {
                Some(joint) => {
                    let (position, velocity) = (joint.positions.start, joint.velocities.start);
                    placed.push(Passive::Cone { position, velocity, angle: cone.angle, stop: cone.stop });
                }
                None => {
                    let balls = tree.joints().iter().filter(|joint| joint.kind == JointKind::Ball);
                    let nearest = nearest(&full, balls.map(|joint| joint.name.as_str()));
                    faults.push(PlantError::Unknown { kind: "ball joint", name: full, nearest });
                }
            }
        }
    }
    placed
}

/// The ball or floating joint of this name; `None` after a fault was added.
fn turning<'t>(tree: &'t Tree, full: String, faults: &mut Vec<PlantError>) -> Option<&'t TreeJoint> {
    let joint = tree.joint(&full).map(|joint| &tree.joints()[joint]);
    let found = joint.filter(|joint| matches!(joint.kind, JointKind::Ball | JointKind::Floating));
    if found.is_none() {
        let nearest = nearest(&full, tree.joints().iter().map(|joint| joint.name.as_str()));
        faults.push(PlantError::Unknown { kind: "ball or floating joint", name: full, nearest });
    }
    found
}

impl Passive {
    /// The velocities on which it acts, and on which its force depends.
    pub fn velocities(&self) -> Box<dyn Iterator<Item = usize> + '_> {
        match self {
            Passive::Tendon { joints, .. } => Box::new(joints.iter().map(|joint| joint.1)),
            Passive::Cone { velocity, .. } => Box::new(*velocity..velocity + 3),
            Passive::Turn { velocity, floating, .. } => Box::new(*velocity..velocity + if *floating { 6 } else { 3 }),
        }
    }

    /// True if it has forces besides those of its range.
    pub fn acts_within(&self) -> bool {
        match self {
            Passive::Tendon { law, .. } => {
                let spring = law.stiffness != 0.0 && !slackens(law.rest, law.stiffness);
                spring || law.damping != 0.0 || law.terms != HigherTerms::default()
            }
            Passive::Turn { .. } => true,
            Passive::Cone { .. } => false,
        }
    }

    /// True if its damper adds energy at some speed.
    pub fn excites(&self) -> bool {
        matches!(self, Passive::Tendon { law, .. } if excites(law.damping, law.terms))
    }

    /// Adds its forces at positions `q` and velocities `v` of the plant.
    pub fn add<S: Scalar>(&self, q: &[S], v: &[S], ranges: Ranges, forces: &mut [S]) {
        match self {
            Passive::Tendon { joints, law } => {
                let sum = |of: &[S], index: fn(&(usize, usize, f64)) -> usize| {
                    joints.iter().fold(S::zero(), |sum, joint| sum + of[index(joint)] * S::constant(joint.2))
                };
                let (length, rate) = (sum(q, |joint| joint.0), sum(v, |joint| joint.1));
                let mut force = -spring(excess(length, law.rest), linear(law.rest, law.stiffness, ranges), law.terms);
                force -= damper(rate, law.damping, law.terms);
                if let Some((range, stop)) = law.stop.as_ref().filter(|_| ranges == Ranges::Included) {
                    force += push_back(excess(length, *range), rate, stop);
                }
                for (_, velocity, coefficient) in joints {
                    forces[*velocity] += force * S::constant(*coefficient);
                }
            }
            Passive::Turn { position, velocity, floating, stiffness, rest } => {
                let k = S::constant(-stiffness);
                // The axes of the child and of the rest pose give the same components.
                let (turned, q_WR) = turned(&q[*position..], rest);
                let torque = if *floating { rotated(&q_WR, turned) } else { turned } * k;
                forces[*velocity..].iter_mut().zip(torque.iter()).for_each(|(to, torque)| *to += *torque);
                if *floating {
                    let (places, place) = (&q[position + 4..position + 7], rest.translation.vector);
                    for (i, (to, x)) in forces[velocity + 3..velocity + 6].iter_mut().zip(places).enumerate() {
                        *to += k * (*x - S::constant(place[i]));
                    }
                }
            }
            Passive::Cone { .. } if ranges == Ranges::Excluded => {}
            Passive::Cone { position, velocity, angle, stop } => {
                let Some((turn, axis)) = turn(&q[*position..position + 4]) else { return };
                let excess = turn - S::constant(*angle);
                if excess.value() <= 0.0 {
                    return;
                }
                let own = *velocity..velocity + 3;
                let rate = v[own.clone()].iter().zip(&axis).fold(S::zero(), |sum, (v, a)| sum + *v * *a);
                let force = push_back(excess, rate, stop);
                for (to, axis) in forces[own].iter_mut().zip(axis) {
                    *to += axis * force;
                }
            }
        }
    }

    /// Energy of its springs and stops \[J\].
    pub fn energy(&self, q: &[f64]) -> f64 {
        match self {
            Passive::Tendon { joints, law } => {
                let length: f64 = joints.iter().map(|(position, _, coefficient)| q[*position] * coefficient).sum();
                let stop = law.stop.map_or(0.0, |(range, stop)| stop.stiffness * excess(length, range).powi(2));
                let stretched = excess(length, law.rest);
                0.5 * (law.stiffness * stretched.powi(2) + stop) + energy_of_terms(stretched, law.terms)
            }
            Passive::Turn { position, floating, stiffness, rest, .. } => {
                let way = if *floating {
                    Vector3::from_column_slice(&q[position + 4..position + 7]) - rest.translation.vector
                } else {
                    Vector3::zeros()
                };
                0.5 * stiffness * (turned(&q[*position..], rest).0.norm_squared() + way.norm_squared())
            }
            Passive::Cone { position, angle, stop, .. } => {
                let turn = turn(&q[*position..position + 4]).map_or(0.0, |(turn, _)| turn);
                0.5 * stop.stiffness * (turn - angle).max(0.0).powi(2)
            }
        }
    }
}

/// True if a spring is slack between two lengths: then it is handled as a range.
pub(super) fn slackens(rest: (f64, f64), stiffness: f64) -> bool {
    rest.0 < rest.1 && stiffness > 0.0
}

/// Stiffness of the linear term of a spring, zero if it is handled as a range and `ranges` excludes these.
pub(super) fn linear(rest: (f64, f64), stiffness: f64, ranges: Ranges) -> f64 {
    if ranges == Ranges::Excluded && slackens(rest, stiffness) { 0.0 } else { stiffness }
}

/// `a x + b x² + c x³` of a spring.
pub(super) fn spring<S: Scalar>(x: S, stiffness: f64, HigherTerms { spring: [b, c], .. }: HigherTerms) -> S {
    x * (S::constant(stiffness) + x * (S::constant(b) + x * S::constant(c)))
}

/// `a v + b v |v| + c v³` of a damper.
pub(super) fn damper<S: Scalar>(v: S, damping: f64, HigherTerms { damper: [b, c], .. }: HigherTerms) -> S {
    let speed = if v.value() < 0.0 { -v } else { v };
    v * (S::constant(damping) + speed * (S::constant(b) + speed * S::constant(c)))
}

/// True if a damper adds energy at some speed.
pub(super) fn excites(damping: f64, HigherTerms { damper: [b, c], .. }: HigherTerms) -> bool {
    [damping, b, c].iter().any(|d| *d < 0.0)
}

/// Energy of the nonlinear terms of a spring \[J\].
pub(super) fn energy_of_terms<S: Scalar>(x: S, HigherTerms { spring: [b, c], .. }: HigherTerms) -> S {
    x * x * x * (S::constant(b / 3.0) + x * S::constant(c / 4.0))
}

/// Distance of `x` from a range: negative below it.
pub(super) fn excess<S: Scalar>(x: S, (least, most): (f64, f64)) -> S {
    if x.value() < least {
        x - S::constant(least)
    } else if x.value() > most {
        x - S::constant(most)
    } else {
        S::zero()
    }
}

/// The force of a stop against an excess of either sign.
pub(super) fn push_back<S: Scalar>(excess: S, rate: S, stop: &Stop) -> S {
    let outward = if excess.value() < 0.0 { -rate } else { rate };
    let damping = S::one() + outward * S::constant(stop.dissipation);
    if damping.value() <= 0.0 { S::zero() } else { -excess * S::constant(stop.stiffness) * damping }
}

/// Rotation vector from the rest pose to the quaternion at the start of `q`, and the rest orientation.
fn turned<S: Scalar>(q: &[S], rest: &Isometry3<f64>) -> (Vector3<S>, Quaternion<S>) {
    let q_WR = Quaternion::from(rest.rotation.coords.map(S::constant));
    (rotation_vector_of(&(q_WR.conjugate() * Quaternion::new(q[0], q[1], q[2], q[3]))), q_WR)
}

/// `R x` of a quaternion of unit length.
fn rotated<S: Scalar>(q: &Quaternion<S>, x: Vector3<S>) -> Vector3<S> {
    let u = q.imag();
    let twist = u.cross(&x) * S::constant(2.0);
    x + twist * q.w + u.cross(&twist)
}

/// Angle of a rotation, 0 to π, and its axis; `None` if it has none.
pub(super) fn turn<S: Scalar>(q: &[S]) -> Option<(S, [S; 3])> {
    let [w, x, y, z] = [q[0], q[1], q[2], q[3]];
    let squared = x * x + y * y + z * z;
    if squared.value() <= f64::MIN_POSITIVE {
        return None;
    }
    let length = squared.sqrt();
    let (sign, w) = if w.value() < 0.0 { (-1.0, -w) } else { (1.0, w) };
    let two = S::constant(2.0);
    let angle = if w.value() > length.value() {
        two * (length / w).atan()
    } else {
        S::constant(std::f64::consts::PI) - two * (w / length).atan()
    };
    let scale = S::constant(sign) / length;
    Some((angle, [x * scale, y * scale, z * scale]))
}
