//! Sensors that are functions of positions and velocities, with derivatives.
//!
//! With F the frame of the sensor and A the reference frame, all in world axes: `p_AF = R_WAᵀ (p_WF - p_WA)`,
//! `w_AF = R_WAᵀ (w_WF - w_WA)`, `v_AF = R_WAᵀ (v_WF - v_WA - w_WA × (p_WF - p_WA))`. Momentum of a subtree: each body
//! has the linear momentum m v at its centre of mass c, and an angular momentum about c, so that about the common
//! centre of mass C `L = Σ (I w + (c - C) × m (v - V))` with V the velocity of C (MuJoCo's documentation of
//! `subtreeangmom`).

use super::{Measure, Placed, PlacedLength, PlacedSensor, PlantSensors};
use crate::plant::spatial_tendon::PlacedTendon;
use crate::plant::spring::PlacedSpring;
use crate::plant::tendon_inertia::{Moved, TendonInertia};
use crate::sensor_data::{OfFrame, OfSubtree};
use crate::{Kinematics, SpatialVector, Tree, with_kinematics};
use kinegraph_core::context::{Context, Outputs};
use kinegraph_core::convex::JointLimit;
use kinegraph_core::scalar::Scalar;
use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};

/// The data of a plant that sensors of the state read.
#[derive(Clone, Copy)]
pub(in crate::plant) struct Surroundings<'a> {
    pub tree: &'a Tree,
    pub gravity: &'a Vector3<f64>,
    pub springs: &'a [PlacedSpring],
    pub tendons: &'a [PlacedTendon],
    pub tendon_inertias: &'a [TendonInertia],
    pub limits: &'a [JointLimit],
}

/// The state, with its kinematics and sensors' surroundings.
struct At<'a, S: Scalar> {
    around: Surroundings<'a>,
    time: S,
    q: &'a [S],
    v: &'a [S],
    k: &'a mut Kinematics<S>,
}

impl PlantSensors {
    /// Writes the wanted outputs. Those of the step are constants, which `held` locates.
    pub fn write<S: Scalar>(&self, around: Surroundings<'_>, ctx: &Context<S>, out: &mut Outputs<S>) {
        for ([of_state, of_step], ((_, sensors), held)) in self.ports.iter().zip(self.models.iter().zip(&self.held)) {
            if let Some(port) = of_step.filter(|port| out.wanted(*port)) {
                let values = ctx.discrete.get(held.clone()).unwrap_or(&[]);
                out.slice(port).iter_mut().zip(values).for_each(|(y, &x)| *y = S::constant(x));
            }
            let Some(port) = of_state.filter(|port| out.wanted(*port)) else { continue };
            let (q, v) = ctx.continuous.split_at(around.tree.num_positions());
            with_kinematics(|k| {
                around.tree.position_kinematics(q, k);
                around.tree.velocity_kinematics(v, k);
                let mut at = At { around, time: ctx.time, q, v, k };
                let to = out.slice(port);
                for PlacedSensor { measure, numbers, cutoff } in &sensors.of_state {
                    let to = &mut to[numbers.clone()];
                    at.measure(measure, to);
                    if cutoff.is_finite() {
                        let limit = S::constant(*cutoff);
                        to.iter_mut().for_each(|y| *y = y.clamp(-limit, limit));
                    }
                }
            });
        }
    }
}

/// Position and axes of a frame in world.
pub(super) fn pose_of<S: Scalar>(tree: &Tree, k: &Kinematics<S>, frame: &Placed) -> (Vector3<S>, Matrix3<S>) {
    let X = tree.X_WB(k, frame.body);
    let p = X.p_WB + X.R_WB * frame.X_BF.translation.vector.map(S::constant);
    (p, X.R_WB * frame.X_BF.rotation.to_rotation_matrix().matrix().map(S::constant))
}

/// Velocity of a frame at its origin, in world.
fn velocity_of<S: Scalar>(tree: &Tree, k: &Kinematics<S>, frame: &Placed) -> SpatialVector<S> {
    let arm = tree.X_WB(k, frame.body).R_WB * frame.X_BF.translation.vector.map(S::constant);
    tree.V_WB(k, frame.body).motion_at(&arm)
}

impl<S: Scalar> At<'_, S> {
    fn measure(&mut self, measure: &Measure, to: &mut [S]) {
        let zero = S::zero();
        let value = match measure {
            Measure::Time => self.time,
            Measure::PotentialEnergy => self.potential_energy(),
            Measure::KineticEnergy => {
                let Surroundings { tree, tendons, tendon_inertias: inertias, .. } = self.around;
                let with_tendons = Moved { tree, tendons, inertias }.energy(self.k, self.v);
                tree.kinetic_energy(self.k) + tree.armature_energy(self.v) + with_tendons
            }
            Measure::Length(PlacedLength::Joints(joints)) => {
                joints.iter().fold(zero, |sum, (q, _, c)| sum + self.q[*q] * S::constant(*c))
            }
            Measure::Rate(PlacedLength::Joints(joints)) => {
                joints.iter().fold(zero, |sum, (_, v, c)| sum + self.v[*v] * S::constant(*c))
            }
            Measure::Length(PlacedLength::Tendon(i, c)) => {
                self.around.tendons[*i].path.length(self.around.tree, self.k) * S::constant(*c)
            }
            Measure::Rate(PlacedLength::Tendon(i, c)) => {
                self.around.tendons[*i].path.rate(self.around.tree, self.k) * S::constant(*c)
            }
            Measure::StopDistance(stop) => self.beyond(*stop).map_or(zero, |(distance, _)| distance),
            Measure::StopRate(stop) => self.beyond(*stop).map_or(zero, |(_, rate)| rate),
            Measure::Turn(first) => {
                let turn = &self.q[*first..*first + 4];
                let length = turn.iter().fold(zero, |sum, x| sum + *x * *x).sqrt();
                to.iter_mut().zip(turn).for_each(|(y, x)| *y = *x / length);
                return;
            }
            Measure::TurnRate(first) => {
                to.copy_from_slice(&self.v[*first..*first + 3]);
                return;
            }
            Measure::Frame { frame, seen_from, what } => return self.frame(frame, seen_from.as_ref(), *what, to),
            Measure::Subtree { bodies, what } => {
                to.copy_from_slice(self.subtree(bodies, *what).as_slice());
                return;
            }
            Measure::Field { frame, field_W } => {
                let (_, R_WF) = pose_of(self.around.tree, self.k, frame);
                to.copy_from_slice((R_WF.transpose() * field_W.map(S::constant)).as_slice());
                return;
            }
            // Quantities of the step are not in this list.
            _ => zero,
        };
        to[0] = value;
    }

    fn potential_energy(&self) -> S {
        let Surroundings { tree, gravity, springs, tendons, .. } = self.around;
        let of_springs = springs.iter().fold(S::zero(), |sum, spring| {
            let stretched = self.q[spring.position] - S::constant(spring.rest);
            sum + S::constant(0.5 * spring.stiffness) * stretched * stretched
        });
        let of_tendons = tendons.iter().fold(S::zero(), |sum, tendon| sum + tendon.energy(tree, self.k));
        tree.potential_energy(self.k, gravity) + of_springs + of_tendons
    }

    /// Distance of a joint from a stop while it is beyond it (negative), and the rate of the distance.
    fn beyond(&self, stop: usize) -> Option<(S, S)> {
        let limit = &self.around.limits[stop];
        let (q, v) = (self.q[limit.position], self.v[limit.velocity]);
        limit.stops().find_map(|(away, place)| {
            let distance = (q - S::constant(place)) * S::constant(away);
            (distance.value() < 0.0).then(|| (distance, v * S::constant(away)))
        })
    }

    fn frame(&self, frame: &Placed, seen_from: Option<&Placed>, what: OfFrame, to: &mut [S]) {
        let (tree, k) = (self.around.tree, &*self.k);
        let (mut p, mut R) = pose_of(tree, k, frame);
        let V = || velocity_of(tree, k, frame);
        let reference = seen_from.map(|from| (pose_of(tree, k, from), velocity_of(tree, k, from)));
        if let Some(((p_WA, R_WA), _)) = &reference {
            (p, R) = (R_WA.transpose() * (p - p_WA), R_WA.transpose() * R);
        }
        let seen = match what {
            OfFrame::Position => p,
            OfFrame::Axis(axis) => R.column(axis).into_owned(),
            OfFrame::Orientation => {
                let q = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(R));
                to.copy_from_slice(&[q.w, q.i, q.j, q.k]);
                return;
            }
            OfFrame::OwnLinearVelocity => R.transpose() * V().linear,
            OfFrame::OwnAngularVelocity => R.transpose() * V().angular,
            OfFrame::AngularVelocity => match &reference {
                Some(((_, R_WA), V_WA)) => R_WA.transpose() * (V().angular - V_WA.angular),
                None => V().angular,
            },
            OfFrame::LinearVelocity => match &reference {
                // `p` is already in the axes of the reference.
                Some(((_, R_WA), V_WA)) => R_WA.transpose() * (V().linear - V_WA.motion_at(&(R_WA * p)).linear),
                None => V().linear,
            },
            _ => Vector3::zeros(),
        };
        to.copy_from_slice(seen.as_slice());
    }

    fn subtree(&self, bodies: &[usize], what: OfSubtree) -> Vector3<S> {
        let (tree, k) = (self.around.tree, &*self.k);
        let Some([center, velocity]) = tree.center_of_mass_of(k, bodies.iter().copied()) else {
            return Vector3::zeros();
        };
        match what {
            OfSubtree::CenterOfMass => center,
            OfSubtree::LinearVelocity => velocity,
            OfSubtree::AngularMomentum => bodies.iter().fold(Vector3::zeros(), |sum, &body| {
                let Some((inertia, p_WBcm, V_WBcm)) = tree.mass_at(k, body) else { return sum };
                let R_WB = tree.X_WB(k, body).R_WB;
                let turning = R_WB * (inertia.I_BBcm.map(S::constant) * (R_WB.transpose() * V_WBcm.angular));
                let moving = (V_WBcm.linear - velocity) * S::constant(inertia.mass);
                sum + turning + (p_WBcm - center).cross(&moving)
            }),
        }
    }
}
