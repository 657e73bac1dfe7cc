//! Bilateral constraints: up to three rows `J v` that are driven to a target velocity. Welds, balls, distances,
//! couplers and bushings are one or two such groups each.
//!
//! **In a convex step** by a quadratic potential,
//!
//! ```text
//! cost = 1/2 |v_hat - vc|^2 / R,   gamma = (v_hat - vc)/R,   vc = J v
//! rigid:      R = eps w,                 v_hat = way/dt + R dt f
//! compliant:  R = 1/(dt (dt k + c)),     v_hat = -g0 k/(dt k + c)
//! ```
//!
//! with w the inverse effective mass. A rigid constraint yields by the same small part of its impulse whatever the
//! step, or not at all where it holds with the expected force f: bodies at rest stay at rest. Its only target velocity
//! is the one that removes, as a `way`, the violation from before the whole step. A target that depended on the
//! violation of each solve, which is of second order, would differ between steps of different lengths by the first
//! order, and shorten the steps. The integrator takes that velocity, and the part that the turning of the rows within a
//! step leaves, out of the end of the step.
//!
//! A compliant constraint is the implicit spring `gamma = -dt (k (g0 + dt vc) + c vc)`; it is no stiffer than a rigid
//! one, unless it is a material: a beam whose bending were capped by the small inertia of its cross section would sag.
//! Violations are removed at a bounded speed: an unbounded `v_hat` would throw a mechanism that starts far off.
//!
//! **Without a step** a rigid constraint is a spring and a damper with the natural frequency of all rigid elements
//! ([`RowGroup::force`]).

use super::rigid::RIGID_RATE;
use super::row_friction::RowFriction;
use super::row_range;
use kinegraph_core::Scalar;
use kinegraph_core::convex::RowRange;
use nalgebra::Vector3;
use std::ops::Range;

/// Stiffness \[N/m, N m/rad\] and damping \[N s/m, N m s/rad\] of a compliant constraint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowCompliance {
    /// Force per violation.
    pub stiffness: f64,
    /// Force per rate of violation.
    pub damping: f64,
}

/// Rows of one constraint. Unused rows have no violation and no velocity.
#[derive(Clone, Debug)]
pub struct RowGroup {
    /// Entries of the Jacobian of its rows.
    pub support: Range<usize>,
    /// Violation g0 of each row at the start of the step.
    pub violation: Vector3<f64>,
    /// Displacement of the rows of a rigid constraint within the step, to remove its violation.
    pub correction: Vector3<f64>,
    /// The longest such displacement in the island: all are as fast as they can be together.
    pub farthest: f64,
    /// Force with which a rigid constraint is expected to hold: to this it does not yield at all.
    pub expected: Vector3<f64>,
    /// Compliance of each row; `None`: the constraint is rigid.
    pub compliance: Option<[RowCompliance; 3]>,
    /// True if the compliance is of a material, and is never capped.
    pub material: bool,
    /// Largest speed at which a rigid constraint removes its violation.
    pub correction_speed: f64,
    /// Effective inverse mass, the mean over the rows; zero if nothing can move.
    pub delassus: f64,
    /// Number of rows.
    pub count: usize,
    /// Part of the inverse mass by which a rigid constraint may yield to unexpected forces.
    pub softness: f64,
    /// Dry friction along the rows, in place of a constraint: the group counts as compliant.
    pub friction: Option<RowFriction>,
    /// Range of the measure of its single row, in place of a constraint: the group counts as compliant, and its
    /// violation is the measure.
    pub range: Option<RowRange>,
    /// Growth of the measure of a range within the step beyond its rate times the step length, by the velocities at the
    /// start \[m, rad\]: a body on a taut rope goes round.
    pub bend: f64,
    /// Origin of its rows, where that is known.
    pub origin: Option<RowOrigin>,
}

/// Origin of the rows of a group.
#[derive(Clone, Copy, Debug)]
pub enum RowOrigin {
    /// A constraint, whose rows have a name.
    Constraint(RowName),
    /// Contacts, whose rows come and go with them.
    Contacts(Resisting),
}

impl RowGroup {
    /// Name of its rows; `None` of contacts.
    pub fn name(&self) -> Option<RowName> {
        match self.origin {
            Some(RowOrigin::Constraint(name)) => Some(name),
            _ => None,
        }
    }
}

/// Name by which rows of problems at two times are identified. Their numbers in the problems may differ: contacts that
/// begin or cease between have rows before them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowName {
    /// Plant, by the number of its first body.
    pub plant: usize,
    /// Constraint, or [`NO_CONSTRAINT`](kinegraph_core::convex::NO_CONSTRAINT) of ranges and of friction.
    pub constraint: usize,
    /// Index of the group among the rows of the constraint.
    pub part: usize,
}

/// The contact points of a patch with one normal, which resist spinning and rolling together.
#[derive(Clone, Copy, Debug)]
pub struct Resisting {
    /// Patch of the points.
    pub patch: usize,
    /// Their common normal.
    pub normal: Vector3<f64>,
}

impl RowGroup {
    /// True if no constraint holds its rows: dry friction or a range acts instead.
    pub fn acts_otherwise(&self) -> bool {
        self.friction.is_some() || self.range.is_some()
    }

    /// Part of the displacement that a step of length `dt` covers: at most at the speed of correction.
    pub fn part_within(&self, dt: f64) -> f64 {
        let most = self.correction_speed * dt;
        if self.farthest > most { most / self.farthest } else { 1.0 }
    }

    /// Displacement that a step of length `dt` covers.
    pub fn correction_within(&self, dt: f64) -> Vector3<f64> {
        self.correction * self.part_within(dt)
    }

    /// Force before any discretization, at the rates `velocity` of the rows. A compliant constraint is no stiffer than
    /// a rigid one.
    pub fn force(&self, velocity: &Vector3<f64>) -> Vector3<f64> {
        if self.delassus <= 0.0 {
            return Vector3::zeros();
        }
        if let Some(friction) = &self.friction {
            return friction.force(velocity);
        }
        if let Some(range) = &self.range {
            return Vector3::new(row_range::force(range, self.violation.x, velocity.x), 0.0, 0.0);
        }
        let (rigid, damper) = if self.material {
            (f64::INFINITY, f64::INFINITY)
        } else {
            (RIGID_RATE * RIGID_RATE / self.delassus, 2.0 * RIGID_RATE / self.delassus)
        };
        if let Some(compliance) = self.compliance {
            let force = |i: usize, law: &RowCompliance| {
                -self.violation[i] * law.stiffness.min(rigid) - velocity[i] * law.damping.min(damper)
            };
            return Vector3::from_fn(|i, _| force(i, &compliance[i]));
        }
        let speed = 0.5 * RIGID_RATE * self.violation.norm();
        let share = if speed > self.correction_speed { self.correction_speed / speed } else { 1.0 };
        -self.violation * (rigid * share) - velocity * damper
    }
}

/// Up to three rows within one solve.
#[derive(Clone, Copy, Debug)]
pub struct RowLaw {
    target: Vector3<f64>,
    inverse_regularization: Vector3<f64>,
}

impl RowLaw {
    /// The law of a group of rows in a step of length `dt`; zero for dry friction and ranges, which have laws of their
    /// own.
    pub fn new(group: &RowGroup, dt: f64) -> Self {
        if group.delassus <= 0.0 || group.acts_otherwise() {
            return RowLaw { target: Vector3::zeros(), inverse_regularization: Vector3::zeros() };
        }
        let rigid = if group.material { f64::INFINITY } else { 1.0 / (group.softness * group.delassus) };
        let Some(compliance) = group.compliance else {
            let target = group.correction_within(dt) / dt + group.expected * (dt / rigid);
            return RowLaw { target, inverse_regularization: Vector3::repeat(rigid) };
        };
        let hardness = compliance.map(|RowCompliance { stiffness: k, damping: c }| dt * (dt * k + c));
        let mut target = Vector3::from_fn(|i, _| {
            let RowCompliance { stiffness: k, damping: c } = compliance[i];
            if hardness[i] > 0.0 { group.violation[i] * (-k / (dt * k + c)) } else { 0.0 }
        });
        let speed = target.norm();
        if hardness.iter().any(|hardness| *hardness > rigid) && speed > group.correction_speed {
            target *= group.correction_speed / speed;
        }
        RowLaw { target, inverse_regularization: Vector3::from(hardness.map(|hardness| hardness.min(rigid))) }
    }

    /// The potential of row `row` \[J\].
    pub fn cost<S: Scalar>(&self, row: usize, vc: S) -> S {
        let e = vc - S::constant(self.target[row]);
        S::constant(0.5 * self.inverse_regularization[row]) * e * e
    }

    /// Impulse along row `row`: minus the gradient of the cost.
    #[inline]
    pub fn impulse<S: Scalar>(&self, row: usize, vc: S) -> S {
        S::constant(self.inverse_regularization[row]) * (S::constant(self.target[row]) - vc)
    }

    /// Impulses of all rows.
    #[inline]
    pub fn impulses(&self, vc: &Vector3<f64>) -> Vector3<f64> {
        (self.target - vc).component_mul(&self.inverse_regularization)
    }

    /// Second derivative of the cost of each row.
    #[inline]
    pub fn hessian(&self) -> Vector3<f64> {
        self.inverse_regularization
    }

    /// Second derivative of the cost along `u`.
    #[inline]
    pub(crate) fn curvature(&self, u: &Vector3<f64>) -> f64 {
        let w = &self.inverse_regularization;
        if w.x == w.y && w.y == w.z { w.x * u.dot(u) } else { w.component_mul(u).dot(u) }
    }
}
