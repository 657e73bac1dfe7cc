//! Spatial vectors and inertias: [angular; linear], in world axes, all taken at one reference point O.
//!
//! After R. Featherstone, *Rigid Body Dynamics Algorithms* (Springer 2008), chapter 2. Because every quantity of one
//! kinematic tree is taken at the same O, vectors and inertias of different bodies add without any transform.

use super::product::{compose_constant, turn};
use kinegraph_core::scalar::Scalar;
use nalgebra::{Matrix3, SMatrix, SVector, Vector3};
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// A motion (velocity, acceleration) or a force (torque, force) at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpatialVector<S: Scalar> {
    /// Angular velocity \[rad/s\], or torque \[N m\].
    pub angular: Vector3<S>,
    /// Velocity of the point \[m/s\], or force \[N\].
    pub linear: Vector3<S>,
}

impl<S: Scalar> SpatialVector<S> {
    /// A vector of its two halves.
    pub fn new(angular: Vector3<S>, linear: Vector3<S>) -> Self {
        SpatialVector { angular, linear }
    }

    /// The zero vector.
    pub fn zero() -> Self {
        SpatialVector::new(Vector3::zeros(), Vector3::zeros())
    }

    /// The vector of six numbers, angular first.
    pub fn from_slice(values: &[S]) -> Self {
        SpatialVector::new(Vector3::from_column_slice(&values[..3]), Vector3::from_column_slice(&values[3..6]))
    }

    /// The six numbers, angular first.
    pub fn to_array(self) -> [S; 6] {
        let (w, v) = (self.angular, self.linear);
        [w.x, w.y, w.z, v.x, v.y, v.z]
    }

    /// The vector of six numbers, angular first.
    pub fn to_vector(self) -> SVector<S, 6> {
        SVector::from(self.to_array())
    }

    /// Power of a force along a motion, both at the same point.
    pub fn dot(&self, other: &Self) -> S {
        self.angular.dot(&other.angular) + self.linear.dot(&other.linear)
    }

    /// The rate of change of motion `m` carried along by motion `self` (Featherstone's `v × m`).
    pub fn cross_motion(&self, m: &Self) -> Self {
        SpatialVector::new(
            self.angular.cross(&m.angular),
            self.angular.cross(&m.linear) + self.linear.cross(&m.angular),
        )
    }

    /// The rate of change of force `f` carried along by motion `self` (Featherstone's `v ×* f`).
    pub fn cross_force(&self, f: &Self) -> Self {
        SpatialVector::new(self.angular.cross(&f.angular) + self.linear.cross(&f.linear), self.angular.cross(&f.linear))
    }

    /// This motion, shifted to the point at `r` from the present one.
    pub fn motion_at(&self, r: &Vector3<S>) -> Self {
        SpatialVector::new(self.angular, self.linear + self.angular.cross(r))
    }

    /// This force, shifted to the point at `r` from the present one.
    pub fn force_at(&self, r: &Vector3<S>) -> Self {
        SpatialVector::new(self.angular - r.cross(&self.linear), self.linear)
    }
}

impl<S: Scalar> Add for SpatialVector<S> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        SpatialVector::new(self.angular + other.angular, self.linear + other.linear)
    }
}

impl<S: Scalar> Sub for SpatialVector<S> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        SpatialVector::new(self.angular - other.angular, self.linear - other.linear)
    }
}

impl<S: Scalar> Neg for SpatialVector<S> {
    type Output = Self;
    fn neg(self) -> Self {
        SpatialVector::new(-self.angular, -self.linear)
    }
}

impl<S: Scalar> AddAssign for SpatialVector<S> {
    fn add_assign(&mut self, other: Self) {
        self.angular += other.angular;
        self.linear += other.linear;
    }
}

impl<S: Scalar> Mul<S> for SpatialVector<S> {
    type Output = Self;
    fn mul(self, factor: S) -> Self {
        SpatialVector::new(self.angular * factor, self.linear * factor)
    }
}

/// Inertia of a rigid body, or of several moving as one, about O.
#[derive(Clone, Copy, Debug)]
pub struct SpatialInertia<S: Scalar> {
    /// Mass \[kg\].
    pub mass: S,
    /// First moment: mass times the vector from O to the centre of mass \[kg m\].
    pub moment: Vector3<S>,
    /// Rotational inertia about O \[kg m²\].
    pub rotational: Matrix3<S>,
}

impl<S: Scalar> SpatialInertia<S> {
    /// No inertia.
    pub fn zero() -> Self {
        SpatialInertia { mass: S::zero(), moment: Vector3::zeros(), rotational: Matrix3::zeros() }
    }

    /// Inertia of a body of this mass, whose centre of mass is at `c` from O, with the rotational inertia `about_com`
    /// about its centre of mass.
    pub fn new(mass: S, c: &Vector3<S>, about_com: &Matrix3<S>) -> Self {
        let moment = c * mass;
        SpatialInertia { mass, moment, rotational: about_com + parallel_axis(&moment, c) }
    }

    /// The force that produces the motion (an acceleration), or the momentum of the motion (a velocity).
    pub fn apply(&self, motion: &SpatialVector<S>) -> SpatialVector<S> {
        SpatialVector::new(
            turn(&self.rotational, &motion.angular) + self.moment.cross(&motion.linear),
            motion.linear * self.mass + motion.angular.cross(&self.moment),
        )
    }
}

impl<S: Scalar> AddAssign<&SpatialInertia<S>> for SpatialInertia<S> {
    fn add_assign(&mut self, other: &Self) {
        self.mass += other.mass;
        self.moment += other.moment;
        self.rotational += other.rotational;
    }
}

/// Articulated inertia: the inertia of a node as its parent sees it, while the joints of its subtree are free to move.
pub(crate) type ArticulatedInertia<S> = SMatrix<S, 6, 6>;

/// `(m·c) 1 - m cᵀ`: rotational inertia about O of a point mass at `c` with first moment `m`.
pub(crate) fn parallel_axis<S: Scalar>(m: &Vector3<S>, c: &Vector3<S>) -> Matrix3<S> {
    let (xx, yy, zz) = (m.x * c.x, m.y * c.y, m.z * c.z);
    let (xy, xz, yz) = (-m.x * c.y, -m.x * c.z, -m.y * c.z);
    Matrix3::new(yy + zz, xy, xz, xy, xx + zz, yz, xz, yz, xx + yy)
}

/// `R I Rᵀ`: a symmetric tensor in rotated axes; the result is exactly symmetric.
pub(crate) fn rotate_tensor<S: Scalar>(R: &Matrix3<S>, tensor: &Matrix3<f64>) -> Matrix3<S> {
    let half = compose_constant(R, tensor);
    let entry = |i: usize, j: usize| half[(i, 0)] * R[(j, 0)] + half[(i, 1)] * R[(j, 1)] + half[(i, 2)] * R[(j, 2)];
    let (xy, xz, yz) = (entry(0, 1), entry(0, 2), entry(1, 2));
    Matrix3::new(entry(0, 0), xy, xz, xy, entry(1, 1), yz, xz, yz, entry(2, 2))
}

/// A constant vector as a vector of scalars.
pub(crate) fn lift<S: Scalar>(v: &Vector3<f64>) -> Vector3<S> {
    v.map(S::constant)
}

/// A constant matrix as a matrix of scalars.
pub(crate) fn lift_matrix<S: Scalar>(m: &Matrix3<f64>) -> Matrix3<S> {
    m.map(S::constant)
}
