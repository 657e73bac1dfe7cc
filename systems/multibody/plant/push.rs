//! Actuators that push along all six components of their gear: at a frame of a link, or on a ball or floating joint.
//!
//! A moment arm is a covector on the velocities: the actuator's length changes at the rate `arm · v`, and its force f
//! exerts `arm f` on the velocities.
//!
//! - **At a frame S**: the arm is that of the wrench `R_WS gear` at the origin of S; its length is zero.
//! - **Between frames S and R**: the wrench `R_WR gear` acts at S and, reversed, at R, on the velocities that do not
//!   move both. The length is `gear_p · R_RW (p_S - p_R) + gear_r ·` rotation vector of R_RS.
//! - **At a crank C**, which a rod of length L joins to a point that slides along the axis a of a frame S: with
//!   `x = p_C - p_S` and `x_a = a · x`, that point is at `l = x_a - √D`, `D = x_a² + L² - x²`, and its rate is
//!   `g · (v_C - v_S) + h · (ω_S × a)` with `g = a (1 - x_a/√D) + x/√D` and `h = x (1 - x_a/√D)`. If the rod does not
//!   reach the axis (D < 0), it counts as a rod of no length: l = x_a, g = a, h = x.
//! - **On a ball joint**: the arm is the half of gear that counts, in axes of the child or of the parent; the length is
//!   the component of the rotation vector along it.
//! - **On a floating joint**: a force in world axes at the link's origin and a torque in axes of the link or of the
//!   world; its length is zero.

use super::error::PlantError;
use crate::rotation_vector::{rotation_vector, rotation_vector_of};
use crate::scene_data::{LinkPose, Push, PushOn};
use crate::tree::TreeJoint;
use crate::{JointKind, Kinematics, SpatialVector, Tree};
use kinegraph_core::names::nearest;
use kinegraph_core::scalar::Scalar;
use nalgebra::{Matrix3, Quaternion, Vector3};

/// A push with its bodies or joints found.
#[derive(Clone, Debug)]
pub(super) struct PlacedPush {
    along: Vector3<f64>,
    about: Vector3<f64>,
    at: At,
    /// The velocities that it acts on, in increasing order.
    pub velocities: Vec<usize>,
}

#[derive(Clone, Debug)]
enum At {
    Frame(Frame),
    Between([Frame; 2]),
    Crank { ends: [Frame; 2], rod: f64 },
    Ball { position: usize, in_parent: bool },
    Floating { body: usize, in_parent: bool },
}

#[derive(Clone, Debug)]
struct Frame {
    body: usize,
    R_BS: Matrix3<f64>,
    p_BS: Vector3<f64>,
}

impl Frame {
    fn of(tree: &Tree, model: &str, LinkPose { link, X_LF }: &LinkPose) -> Result<Self, PlantError> {
        let name = format!("{model}/{link}");
        let Some(body) = tree.body(&name) else {
            let nearest = nearest(&name, tree.bodies().iter().map(|b| &b.name));
            return Err(PlantError::Unknown { kind: "link", name, nearest });
        };
        Ok(Frame { body, R_BS: *X_LF.rotation.to_rotation_matrix().matrix(), p_BS: X_LF.translation.vector })
    }

    /// Rotation of its frame in the world, and the vector from the origin of the link to that of the frame.
    fn pose<S: Scalar>(&self, tree: &Tree, k: &Kinematics<S>) -> (Matrix3<S>, Vector3<S>) {
        let R_WB = tree.X_WB(k, self.body).R_WB;
        (R_WB * self.R_BS.map(S::constant), R_WB * self.p_BS.map(S::constant))
    }
}

impl PlacedPush {
    /// The push of an actuator of the model `model`.
    pub fn of(tree: &Tree, model: &str, push: &Push) -> Result<Self, PlantError> {
        let [x, y, z, a, b, c] = push.gear;
        let (along, about) = (Vector3::new(x, y, z), Vector3::new(a, b, c));
        let moving = |body: usize| -> Vec<usize> { tree.velocities_that_move(body).collect() };
        let (at, mut velocities) = match &push.on {
            PushOn::Frame { frame, reference: None } => {
                let frame = Frame::of(tree, model, frame)?;
                let velocities = moving(frame.body);
                (At::Frame(frame), velocities)
            }
            PushOn::Frame { frame, reference: Some(reference) } => {
                let frames = [Frame::of(tree, model, frame)?, Frame::of(tree, model, reference)?];
                let [a, b] = [0, 1].map(|i| moving(frames[i].body));
                let only = |these: &[usize], those: &[usize]| -> Vec<usize> {
                    these.iter().copied().filter(|v| !those.contains(v)).collect()
                };
                (At::Between(frames), [only(&a, &b), only(&b, &a)].concat())
            }
            PushOn::Crank { crank, slider, rod } => {
                let ends = [Frame::of(tree, model, crank)?, Frame::of(tree, model, slider)?];
                let mut velocities = [moving(ends[0].body), moving(ends[1].body)].concat();
                velocities.sort_unstable();
                velocities.dedup();
                (At::Crank { ends, rod: *rod }, velocities)
            }
            PushOn::Joint { joint, in_parent } => {
                let name = format!("{model}/{joint}");
                let found: Option<&TreeJoint> = tree.joint(&name).map(|index| &tree.joints()[index]);
                match found.map(|joint| (joint.kind, joint)) {
                    Some((JointKind::Ball, joint)) => (
                        At::Ball { position: joint.positions.start, in_parent: *in_parent },
                        joint.velocities.clone().collect(),
                    ),
                    Some((JointKind::Floating, joint)) => {
                        (At::Floating { body: joint.body, in_parent: *in_parent }, joint.velocities.clone().collect())
                    }
                    _ => {
                        let nearest = nearest(&name, tree.joints().iter().map(|joint| joint.name.as_str()));
                        return Err(PlantError::Unknown { kind: "ball or floating joint", name, nearest });
                    }
                }
            }
        };
        velocities.sort_unstable();
        Ok(PlacedPush { along, about, at, velocities })
    }

    /// Length of a full turn, if the length is that of a rotation alone.
    pub fn turn(&self) -> Option<f64> {
        let of_turn = match &self.at {
            At::Between(_) if self.along == Vector3::zeros() => self.about.norm(),
            At::Ball { .. } => self.along.norm(),
            _ => return None,
        };
        (of_turn > 0.0).then_some(std::f64::consts::TAU * of_turn)
    }

    /// Length and its rate; `k` has the positions `q` and the velocities `v`.
    pub fn motion<S: Scalar>(&self, tree: &Tree, k: &Kinematics<S>, q: &[S], v: &[S]) -> [S; 2] {
        let (along, about) = (self.along.map(S::constant), self.about.map(S::constant));
        let length = match &self.at {
            At::Frame(_) | At::Floating { .. } => S::zero(),
            At::Between([frame, reference]) => {
                let ((R_WS, s), (R_WR, r)) = (frame.pose(tree, k), reference.pose(tree, k));
                let apart = tree.X_WB(k, frame.body).p_WB + s - tree.X_WB(k, reference.body).p_WB - r;
                along.dot(&R_WR.tr_mul(&apart)) + about.dot(&rotation_vector(&R_WR.tr_mul(&R_WS)))
            }
            At::Crank { ends, rod } => along.x * Crank::of(tree, k, [&ends[0], &ends[1]], *rod).length,
            At::Ball { position, .. } => along.dot(&rotation_vector_of(&quaternion(&q[*position..]))),
        };
        let mut rate = S::zero();
        self.for_each_arm(tree, k, q, |velocity, arm| rate += arm * v[velocity]);
        [length, rate]
    }

    /// Adds its force to the generalized forces.
    pub fn push<S: Scalar>(&self, tree: &Tree, k: &Kinematics<S>, q: &[S], force: S, forces: &mut [S]) {
        self.for_each_arm(tree, k, q, |velocity, arm| forces[velocity] += arm * force);
    }

    fn for_each_arm<S: Scalar>(&self, tree: &Tree, k: &Kinematics<S>, q: &[S], mut see: impl FnMut(usize, S)) {
        let (along, about) = (self.along.map(S::constant), self.about.map(S::constant));
        let mut wrench = |body: usize, arm: &Vector3<S>, torque: Vector3<S>, force: Vector3<S>| {
            let at_origin = SpatialVector::new(torque, force).force_at(&-arm);
            tree.for_each_effort(k, body, &at_origin, |velocity, effort| {
                if self.velocities.binary_search(&velocity).is_ok() {
                    see(velocity, effort);
                }
            });
        };
        match &self.at {
            At::Frame(frame) => {
                let (R_WS, arm) = frame.pose(tree, k);
                wrench(frame.body, &arm, R_WS * about, R_WS * along);
            }
            At::Between([frame, reference]) => {
                let ((_, s), (R_WR, r)) = (frame.pose(tree, k), reference.pose(tree, k));
                let (torque, force) = (R_WR * about, R_WR * along);
                wrench(frame.body, &s, torque, force);
                wrench(reference.body, &r, -torque, -force);
            }
            At::Crank { ends: [end, slider], rod } => {
                let crank = Crank::of(tree, k, [end, slider], *rod);
                let force = crank.of_point * along.x;
                let torque = crank.axis.cross(&crank.of_axis) * along.x;
                wrench(end.body, &crank.arms[0], Vector3::zeros(), force);
                wrench(slider.body, &crank.arms[1], torque, -force);
            }
            At::Ball { position, in_parent } => {
                let arm = if *in_parent { rotated_back(&quaternion(&q[*position..]), along) } else { along };
                self.velocities.iter().zip(arm.iter()).for_each(|(velocity, arm)| see(*velocity, *arm));
            }
            At::Floating { body, in_parent } => {
                let torque = if *in_parent { about } else { tree.X_WB(k, *body).R_WB * about };
                let arms = torque.iter().chain(along.iter());
                self.velocities.iter().zip(arms).for_each(|(velocity, arm)| see(*velocity, *arm));
            }
        }
    }
}

/// Moment arms of a push of the model `model` on the velocities, where `k` has the positions `q`; `None` if it names a
/// missing link or joint.
pub fn arms_of_push(tree: &Tree, model: &str, push: &Push, k: &Kinematics<f64>, q: &[f64]) -> Option<Vec<f64>> {
    let mut arms = vec![0.0; tree.num_velocities()];
    PlacedPush::of(tree, model, push).ok()?.push(tree, k, q, 1.0, &mut arms);
    Some(arms)
}

/// A crank at given positions.
struct Crank<S: Scalar> {
    /// Position of the sliding point along the axis.
    length: S,
    axis: Vector3<S>,
    /// Derivatives of the length with respect to `p_C - p_S` and to the axis.
    of_point: Vector3<S>,
    of_axis: Vector3<S>,
    /// Vectors from the origins of the links to C and S.
    arms: [Vector3<S>; 2],
}

impl<S: Scalar> Crank<S> {
    fn of(tree: &Tree, k: &Kinematics<S>, [end, slider]: [&Frame; 2], rod: f64) -> Self {
        let ((_, c), (R_WS, s)) = (end.pose(tree, k), slider.pose(tree, k));
        let axis: Vector3<S> = R_WS.column(2).into_owned();
        let x = tree.X_WB(k, end.body).p_WB + c - tree.X_WB(k, slider.body).p_WB - s;
        let along = axis.dot(&x);
        let square = along * along + S::constant(rod * rod) - x.norm_squared();
        if square.value() <= 0.0 {
            return Crank { length: along, axis, of_point: axis, of_axis: x, arms: [c, s] };
        }
        let root = square.sqrt();
        let part = S::one() - along / root;
        let (of_point, of_axis) = (axis * part + x / root, x * part);
        Crank { length: along - root, axis, of_point, of_axis, arms: [c, s] }
    }
}

fn quaternion<S: Scalar>(q: &[S]) -> Quaternion<S> {
    Quaternion::new(q[0], q[1], q[2], q[3])
}

/// `Rᵀ x` of a quaternion of any length.
fn rotated_back<S: Scalar>(q: &Quaternion<S>, x: Vector3<S>) -> Vector3<S> {
    let (u, two) = (-q.imag(), S::constant(2.0));
    let twist = u.cross(&x) * (two / q.norm_squared());
    x + twist * q.w + u.cross(&twist)
}
