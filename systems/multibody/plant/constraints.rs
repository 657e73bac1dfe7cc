//! Placed constraints and locks of a plant: their measures, and the inputs that switch them.
//!
//! **Weld.** Frame P of A and frame Q of B. The target is the pose X_PT of a target frame T in P (the identity, or the
//! captured pose): the violation is the rotation vector from T to Q and the vector from T to Q, both in world axes.
//! Both bodies are pushed at the midpoint of T and Q, so that equal and opposite forces make no torque however far the
//! two are apart. **Ball.** As a weld without rotation, with T a point of A. **Distance.** Along the line from P to Q.
//! **Coupler, relation.** Along two coordinates, or several. **Bushing, beam.** See `bushing.rs` and `beam.rs`.
//!
//! **Switches** are read at the start of a step and held over it. A step ends where sources jump and where discrete
//! state changes, so that a switch driven by these acts at once; one driven by a continuous signal acts from the next
//! step on. A constraint that captures has a witness function of its input: there the step ends at the crossing, and
//! the state at that time is captured.

use super::bushing::BushingLaw;
use super::joint_relation::JointRelation;
use super::mocap::{self, Follower, Mocap};
use crate::fibre::{BeamLaw, LARGEST_TURN};
use crate::{Kinematics, Tree, with_kinematics};
use kinegraph_core::Context;
use kinegraph_core::convex::{Compliance, ConstraintKind, ConstraintRows, PlantPoint, RowMeasure, Switches};
use kinegraph_core::port::{Crossing, In, Ports, Sampling};
use kinegraph_core::signal::Dyn;
use nalgebra::{Isometry3, Matrix3, Rotation3, Translation3, UnitQuaternion, Vector3};
use std::ops::Range;

/// A switch is on above this value.
pub(super) const ON: f64 = 0.5;
/// Points closer than this \[m\] have no direction.
const COINCIDENT: f64 = 1e-14;

/// A frame fixed in a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub body: usize,
    pub X_BF: Isometry3<f64>,
}

/// A constraint law with its frames and joints found.
#[derive(Clone, Debug)]
pub(super) enum PlacedLaw {
    Weld { a: Frame, b: Frame, linear: Option<Compliance>, angular: Option<Compliance> },
    Bushing { a: Frame, b: Frame, law: BushingLaw },
    Beam { a: Frame, b: Frame, law: BeamLaw },
    Ball { a: Frame, b: Frame, compliance: Option<Compliance> },
    Distance { a: Frame, b: Frame, length: f64, compliance: Option<Compliance> },
    Coupler { positions: [usize; 2], velocities: [usize; 2], ratio: f64, offset: f64, compliance: Option<Compliance> },
    Relation { relation: JointRelation, offset: f64, compliance: Option<Compliance> },
}

impl PlacedLaw {
    pub fn kind(&self) -> ConstraintKind {
        match self {
            PlacedLaw::Weld { .. } => ConstraintKind::Weld,
            PlacedLaw::Bushing { .. } => ConstraintKind::Bushing,
            PlacedLaw::Beam { .. } => ConstraintKind::Beam,
            PlacedLaw::Ball { .. } => ConstraintKind::Ball,
            PlacedLaw::Distance { .. } => ConstraintKind::Distance,
            PlacedLaw::Coupler { .. } | PlacedLaw::Relation { .. } => ConstraintKind::Coupler,
        }
    }

    /// Its frames.
    pub fn frames(&self) -> Vec<Frame> {
        match self {
            PlacedLaw::Weld { a, b, .. }
            | PlacedLaw::Bushing { a, b, .. }
            | PlacedLaw::Beam { a, b, .. }
            | PlacedLaw::Ball { a, b, .. }
            | PlacedLaw::Distance { a, b, .. } => {
                vec![*a, *b]
            }
            PlacedLaw::Coupler { .. } | PlacedLaw::Relation { .. } => Vec::new(),
        }
    }

    /// The target unless it captures: the pose of T in P (quaternion, position), the position of T, the length, the
    /// offset.
    fn target(&self) -> Vec<f64> {
        match self {
            PlacedLaw::Weld { .. } | PlacedLaw::Bushing { .. } => vec![1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            PlacedLaw::Ball { .. } => vec![0.0; 3],
            // A beam has a reference of its own.
            PlacedLaw::Beam { .. } => Vec::new(),
            PlacedLaw::Distance { length, .. } => vec![*length],
            PlacedLaw::Coupler { offset, .. } | PlacedLaw::Relation { offset, .. } => vec![*offset],
        }
    }

    /// The target that is met at the given poses and positions.
    fn measure(&self, pose: impl Fn(usize) -> Isometry3<f64>, q: &[f64], target: &mut [f64]) {
        let frame = |f: &Frame| pose(f.body) * f.X_BF;
        match self {
            PlacedLaw::Weld { a, b, .. } | PlacedLaw::Bushing { a, b, .. } => {
                let X = frame(a).inverse() * frame(b);
                let (r, p) = (X.rotation, X.translation);
                target.copy_from_slice(&[r.w, r.i, r.j, r.k, p.x, p.y, p.z]);
            }
            PlacedLaw::Beam { .. } => {}
            PlacedLaw::Ball { a, b, .. } => {
                let X = frame(a).inverse() * frame(b);
                target.copy_from_slice(X.translation.vector.as_slice());
            }
            PlacedLaw::Distance { a, b, .. } => {
                target[0] = (frame(b).translation.vector - frame(a).translation.vector).norm();
            }
            PlacedLaw::Coupler { positions: [i, j], ratio, .. } => target[0] = q[*i] - ratio * q[*j],
            PlacedLaw::Relation { relation, .. } => target[0] = relation.measure(q),
        }
    }

    /// Adds the rows at the given poses and positions; rows of many velocities go to `arms`.
    fn rows(
        &self,
        constraint: usize,
        target: &[f64],
        pose: impl Fn(usize) -> Isometry3<f64>,
        q: &[f64],
        arms: &mut Vec<(usize, f64)>,
        out: &mut Vec<ConstraintRows>,
    ) {
        let frame = |f: &Frame| pose(f.body) * f.X_BF;
        let push = |measure, violation, compliance: &Option<Compliance>, out: &mut Vec<ConstraintRows>| {
            out.push(ConstraintRows {
                constraint,
                measure,
                violation,
                compliance: compliance.map(|law| [law; 3]),
                material: false,
                friction: None,
                range: None,
                curve: None,
            });
        };
        match self {
            PlacedLaw::Bushing { a, b, law } => {
                law.rows(constraint, [a.body, b.body], &(frame(a) * pose_of(target)), &frame(b), out);
            }
            PlacedLaw::Beam { a, b, law } => law.rows(constraint, [a.body, b.body], &frame(a), &frame(b), out),
            PlacedLaw::Weld { a, b, linear, angular } => {
                let X_PT = pose_of(target);
                let (X_WT, X_WQ) = (frame(a) * X_PT, frame(b));
                let turn = X_WT.rotation * (X_WT.rotation.inverse() * X_WQ.rotation).scaled_axis();
                let (body_a, body_b) = (a.body, b.body);
                push(RowMeasure::Orientation { body_a, body_b }, turn.into(), angular, out);
                let (gap, p_WC) = midpoint(&X_WT.translation.vector, &X_WQ.translation.vector);
                push(RowMeasure::Point { body_a, body_b, p_WC }, gap, linear, out);
            }
            PlacedLaw::Ball { a, b, compliance } => {
                let p_WT = frame(a) * nalgebra::Point3::new(target[0], target[1], target[2]);
                let (gap, p_WC) = midpoint(&p_WT.coords, &frame(b).translation.vector);
                push(RowMeasure::Point { body_a: a.body, body_b: b.body, p_WC }, gap, compliance, out);
            }
            PlacedLaw::Distance { a, b, compliance, .. } => {
                let (p_WP, p_WQ) = (frame(a).translation.vector, frame(b).translation.vector);
                let line = p_WQ - p_WP;
                let length = line.norm();
                // Coincident points have no direction: any will do.
                let direction = if length < COINCIDENT { Vector3::x() } else { line / length };
                let measure = RowMeasure::Distance {
                    body_a: a.body,
                    body_b: b.body,
                    p_WP: p_WP.into(),
                    p_WQ: p_WQ.into(),
                    direction: direction.into(),
                };
                push(measure, [length - target[0], 0.0, 0.0], compliance, out);
            }
            PlacedLaw::Coupler { positions: [i, j], velocities: [vi, vj], ratio, compliance, .. } => {
                let gap = q[*i] - ratio * q[*j] - target[0];
                let unused = (*vi, 0.0);
                let measure = RowMeasure::Coordinates([(*vi, 1.0), (*vj, -ratio), unused, unused]);
                push(measure, [gap, 0.0, 0.0], compliance, out);
            }
            PlacedLaw::Relation { relation, compliance, .. } => {
                let row = relation.row(target[0], q, arms);
                push(row.measure, [row.gap, 0.0, 0.0], compliance, out);
                out.iter_mut().last().into_iter().for_each(|rows| rows.curve = row.curve);
            }
        }
    }
}

/// A captured pose: quaternion, position.
fn pose_of(target: &[f64]) -> Isometry3<f64> {
    let turn = nalgebra::Quaternion::new(target[0], target[1], target[2], target[3]);
    let place = Translation3::new(target[4], target[5], target[6]);
    Isometry3::from_parts(place, UnitQuaternion::from_quaternion(turn))
}

/// The vector from T to Q, and the point midway.
fn midpoint(p_WT: &Vector3<f64>, p_WQ: &Vector3<f64>) -> ([f64; 3], [f64; 3]) {
    ((p_WQ - p_WT).into(), ((p_WT + p_WQ) * 0.5).into())
}

/// A constraint with its bodies and joints found.
#[derive(Clone, Debug)]
pub(super) struct PlacedConstraint {
    pub name: String,
    pub law: PlacedLaw,
    pub active: bool,
    pub capture: bool,
    /// True if it has an input (mimic joints have none).
    pub switched: bool,
}

/// A joint that may be locked.
#[derive(Clone, Debug)]
pub(super) struct PlacedLock {
    /// Full name of the joint.
    pub name: String,
    pub velocities: Range<usize>,
    pub locked: bool,
}

/// The constraints and locks of a plant, with their ports.
#[derive(Debug)]
pub(super) struct Constraints {
    pub constraints: Vec<PlacedConstraint>,
    pub locks: Vec<PlacedLock>,
    /// The inputs of constraints (`None` for those without) and of locks.
    active: Vec<Option<In<Dyn>>>,
    lock: Vec<In<Dyn>>,
    inputs: Vec<usize>,
    /// Targets as stated, and the range of each constraint among them.
    targets: Vec<f64>,
    target_of: Vec<Range<usize>>,
    /// The constraints that capture, in the order of their witnesses, with the range of the target of each in the
    /// discrete state.
    captures: Vec<(usize, Range<usize>)>,
    /// The constraints that follow mocap bodies.
    followers: Vec<Follower>,
    num_velocities: usize,
}

impl Constraints {
    /// Declares the inputs, and the state and witnesses of captures, on the plant's ports.
    pub fn new(
        constraints: Vec<PlacedConstraint>,
        locks: Vec<PlacedLock>,
        mocaps: &[Mocap],
        num_velocities: usize,
        ports: &mut Ports,
    ) -> Self {
        let (mut targets, mut target_of, mut captures) = (Vec::new(), Vec::new(), Vec::new());
        let mut active = Vec::new();
        for (i, constraint) in constraints.iter().enumerate() {
            let name = format!("constraints.{}", constraint.name);
            active.push(constraint.switched.then(|| ports.optional_input_of_width(format!("{name}.active"), 1)));
            let target = constraint.law.target();
            if constraint.capture {
                let start = ports.discrete_width();
                ports.discrete_state(format!("{name}.held"), target.clone());
                ports.witness(format!("{name}.active"), Crossing::Rising);
                captures.push((i, start..start + target.len()));
            }
            target_of.push(targets.len()..targets.len() + target.len());
            targets.extend(target);
        }
        if !captures.is_empty() {
            ports.periodic(Sampling::once(0.0));
        }
        let lock: Vec<_> = locks
            .iter()
            .map(|l| ports.optional_input_of_width(format!("{}.lock", l.name.replacen('/', ".", 1)), 1))
            .collect();
        let followers = mocap::followers(mocaps, &constraints, ports);
        let mut inputs: Vec<usize> = active.iter().flatten().chain(&lock).map(|port| port.index).collect();
        inputs.extend(followers.iter().map(|follower| follower.pose.index));
        Constraints {
            constraints,
            locks,
            active,
            lock,
            inputs,
            targets,
            target_of,
            captures,
            followers,
            num_velocities,
        }
    }

    /// Indices of the inputs.
    pub fn inputs(&self) -> &[usize] {
        &self.inputs
    }

    /// The input that switches a constraint.
    pub fn active(&self, name: &str) -> Option<In<Dyn>> {
        self.active[self.constraints.iter().position(|c| c.name == name)?]
    }

    /// The input that locks a joint.
    pub fn lock(&self, joint: &str) -> Option<In<Dyn>> {
        Some(self.lock[self.locks.iter().position(|l| l.name == joint)?])
    }

    fn is_active(&self, constraint: usize, ctx: &Context<f64>) -> bool {
        let input = self.active[constraint].and_then(|port| ctx.get_optional(port));
        input.map_or(self.constraints[constraint].active, |u| u[0] > ON)
    }

    /// Reads the inputs and the captured targets.
    pub fn switches(&self, ctx: &Context<f64>, out: &mut Switches) {
        out.active.clear();
        out.active.extend((0..self.constraints.len()).map(|i| self.is_active(i, ctx)));
        out.targets.clear();
        out.targets.extend_from_slice(&self.targets);
        for (constraint, state) in &self.captures {
            out.targets[self.target_of[*constraint].clone()].copy_from_slice(&ctx.discrete[state.clone()]);
        }
        for follower in &self.followers {
            follower.follow(ctx, &mut out.targets[self.target_of[follower.constraint].clone()]);
        }
        out.locked.clear();
        if self.locks.is_empty() {
            return;
        }
        out.locked.resize(self.num_velocities, false);
        for (lock, port) in self.locks.iter().zip(&self.lock) {
            let on = ctx.get_optional(*port).map_or(lock.locked, |u| u[0] > ON);
            out.locked[lock.velocities.clone()].fill(on);
        }
    }

    /// Rows of the active constraints at the poses of `point`.
    pub fn rows(&self, q: &[f64], switches: &Switches, point: &mut PlantPoint) {
        let (mut rows, mut arms) = (std::mem::take(&mut point.constraints), std::mem::take(&mut point.arms));
        rows.clear();
        arms.clear();
        let pose = |body: usize| {
            let R = Rotation3::from_matrix_unchecked(Matrix3::from_column_slice(&point.R_WB[body]));
            Isometry3::from_parts(Translation3::from(Vector3::from(point.p_WB[body])), R.into())
        };
        for (i, constraint) in self.constraints.iter().enumerate() {
            if switches.active[i] {
                let target = &switches.targets[self.target_of[i].clone()];
                constraint.law.rows(i, target, pose, q, &mut arms, &mut rows);
            }
        }
        (point.constraints, point.arms) = (rows, arms);
    }

    /// Energy of beams \[J\], where `k` has the positions.
    pub fn energy(&self, tree: &Tree, k: &Kinematics<f64>) -> f64 {
        let frame = |f: &Frame| {
            let X = tree.X_WB(k, f.body);
            let R = Rotation3::from_matrix_unchecked(X.R_WB);
            Isometry3::from_parts(Translation3::from(X.p_WB), R.into()) * f.X_BF
        };
        let of = |constraint: &PlacedConstraint| match &constraint.law {
            PlacedLaw::Beam { a, b, law } => law.energy(&frame(a), &frame(b)),
            _ => 0.0,
        };
        self.constraints.iter().map(of).sum()
    }

    /// The first beam that bends beyond the angle that its rotation vector measures well, and the angle \[rad\].
    pub fn overbent(&self, tree: &Tree, q: &[f64]) -> Option<(usize, f64)> {
        if !self.constraints.iter().any(|constraint| matches!(constraint.law, PlacedLaw::Beam { .. })) {
            return None;
        }
        with_kinematics(|k| {
            tree.position_kinematics(q, k);
            let turn = |f: &Frame| tree.X_WB(k, f.body).R_WB * f.X_BF.rotation.to_rotation_matrix().matrix();
            self.constraints.iter().enumerate().find_map(|(i, constraint)| {
                let PlacedLaw::Beam { a, b, .. } = &constraint.law else { return None };
                let cosine = 0.5 * ((turn(a).transpose() * turn(b)).trace() - 1.0);
                let angle = cosine.clamp(-1.0, 1.0).acos();
                (angle > LARGEST_TURN).then_some((i, angle))
            })
        })
    }

    fn capture(&self, tree: &Tree, capture: usize, q: &[f64], discrete: &mut [f64]) {
        let (constraint, state) = &self.captures[capture];
        with_kinematics(|k| {
            tree.position_kinematics(q, k);
            let pose = |body: usize| {
                let X = tree.X_WB(k, body);
                let R = Rotation3::from_matrix_unchecked(X.R_WB);
                Isometry3::from_parts(Translation3::from(X.p_WB), R.into())
            };
            self.constraints[*constraint].law.measure(pose, q, &mut discrete[state.clone()]);
        });
    }

    /// Captures the targets of constraints that are active at the start.
    pub fn update(&self, tree: &Tree, ctx: &Context<f64>, next: &mut [f64]) {
        let q = &ctx.continuous[..tree.num_positions()];
        for (c, (constraint, _)) in self.captures.iter().enumerate() {
            if self.is_active(*constraint, ctx) {
                self.capture(tree, c, q, next);
            }
        }
    }

    /// The inputs of capturing constraints, relative to the switching value.
    pub fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        for (value, (constraint, _)) in values.iter_mut().zip(&self.captures) {
            let input = self.active[*constraint].and_then(|port| ctx.get_optional(port));
            *value = input.map_or(-ON, |u| u[0] - ON);
        }
    }

    /// Captures the target of a constraint that is switched on.
    pub fn reset(&self, tree: &Tree, witness: usize, ctx: &Context<f64>, discrete: &mut [f64]) {
        self.capture(tree, witness, &ctx.continuous[..tree.num_positions()], discrete);
    }
}
