//! Joint maps: the pose across a joint as a function of its positions, with all constants folded.
//!
//! P is the frame that the joint is attached to (the leading frame of the parent node, or the world), F the joint's
//! frame fixed in P, M its frame fixed in the child, N the child's frame. With `X_PN(q) = X_PF X_FM(q) X_MN`:
//!
//! * rotation about unit `a` (in P axes): `R_PN = (a aᵀ + cos q (1 - a aᵀ) + sin q [a]×) R_PF R_MN`, so that the
//!   rotation and the vector from F to N are both `c₀ + cos q c₁ + sin q c₂` with constant coefficients;
//! * translation along `a`: constant rotation, the vector from F to N is `c₀ + q a`;
//! * screw: as rotation, with the vector from F to N lengthened by `q travel a`;
//! * universal: `R_PF R_x(q₀) R_y(q₁)` turns M, about the origin of F;
//! * planar: M is moved by x and y in F, and turned about z there;
//! * ball: the quaternion turns M in F, and the velocity is that of M in F, in M axes;
//! * floating: P is the world, and the positions are the pose itself.

use super::spatial::{SpatialVector, lift, lift_matrix};
use kinegraph_core::scalar::Scalar;
use nalgebra::{Isometry3, Matrix3, Vector3};

/// A movable joint, constants folded.
#[derive(Clone, Debug)]
pub enum JointMap {
    /// One rotation.
    Rotation { axis_P: Vector3<f64>, p_PF: Vector3<f64>, R: [Matrix3<f64>; 3], p_FN: Option<[Vector3<f64>; 3]> },
    /// One translation.
    Translation { axis_P: Vector3<f64>, p_PF: Vector3<f64>, R: Matrix3<f64>, p_FN: Vector3<f64> },
    /// One rotation, and a translation along its axis in proportion to the angle.
    Screw { axis_P: Vector3<f64>, p_PF: Vector3<f64>, R: [Matrix3<f64>; 3], p_FN: [Vector3<f64>; 3], travel: f64 },
    /// Two rotations, about x and y.
    Universal { R_PF: Matrix3<f64>, p_PF: Vector3<f64>, X_MN: Isometry3<f64> },
    /// Two translations and a rotation: q = [x y angle].
    Planar { R_PF: Matrix3<f64>, p_PF: Vector3<f64>, X_MN: Isometry3<f64> },
    /// Three rotations: q = [qw qx qy qz].
    Ball { R_PF: Matrix3<f64>, p_PF: Vector3<f64>, X_MN: Isometry3<f64> },
    /// Free in the world: q = [qw qx qy qz x y z].
    Floating,
}

/// The pose of N in P at some positions.
pub struct Across<S: Scalar> {
    /// Rotation from N to P axes.
    pub R_PN: Matrix3<S>,
    /// Vector from F to N, in P axes; `None` if the two coincide.
    pub p_FN: Option<Vector3<S>>,
}

impl JointMap {
    /// Rotation about `axis` (unit, in F axes).
    pub fn rotation(axis: &Vector3<f64>, X_PF: &Isometry3<f64>, X_BM: &Isometry3<f64>) -> Self {
        let X_MN = X_BM.inverse();
        let R_PF = X_PF.rotation.to_rotation_matrix();
        let a = R_PF * axis;
        let along = a * a.transpose();
        let coefficients = [along, Matrix3::identity() - along, a.cross_matrix()];
        let R_PN = R_PF.matrix() * X_MN.rotation.to_rotation_matrix().matrix();
        let arm = R_PF * X_MN.translation.vector;
        JointMap::Rotation {
            axis_P: a,
            p_PF: X_PF.translation.vector,
            R: coefficients.map(|c| c * R_PN),
            p_FN: (arm != Vector3::zeros()).then(|| coefficients.map(|c| c * arm)),
        }
    }

    /// Translation along `axis` (unit, in F axes).
    pub fn translation(axis: &Vector3<f64>, X_PF: &Isometry3<f64>, X_BM: &Isometry3<f64>) -> Self {
        let X_MN = X_BM.inverse();
        let R_PF = X_PF.rotation.to_rotation_matrix();
        JointMap::Translation {
            axis_P: R_PF * axis,
            p_PF: X_PF.translation.vector,
            R: R_PF.matrix() * X_MN.rotation.to_rotation_matrix().matrix(),
            p_FN: R_PF * X_MN.translation.vector,
        }
    }

    /// Rotation about all axes.
    pub fn ball(X_PF: &Isometry3<f64>, X_BM: &Isometry3<f64>) -> Self {
        let R_PF = *X_PF.rotation.to_rotation_matrix().matrix();
        JointMap::Ball { R_PF, p_PF: X_PF.translation.vector, X_MN: X_BM.inverse() }
    }

    /// Rotation about `axis` (unit, in F axes), and a translation along it of `travel` per radian.
    pub fn screw(axis: &Vector3<f64>, travel: f64, X_PF: &Isometry3<f64>, X_BM: &Isometry3<f64>) -> Self {
        let JointMap::Rotation { axis_P, p_PF, R, p_FN } = Self::rotation(axis, X_PF, X_BM) else {
            unreachable!("a rotation is a rotation")
        };
        JointMap::Screw { axis_P, p_PF, R, p_FN: p_FN.unwrap_or_default(), travel }
    }

    /// Rotation about x, then y.
    pub fn universal(X_PF: &Isometry3<f64>, X_BM: &Isometry3<f64>) -> Self {
        let R_PF = *X_PF.rotation.to_rotation_matrix().matrix();
        JointMap::Universal { R_PF, p_PF: X_PF.translation.vector, X_MN: X_BM.inverse() }
    }

    /// Motion in the plane of x and y.
    pub fn planar(X_PF: &Isometry3<f64>, X_BM: &Isometry3<f64>) -> Self {
        let R_PF = *X_PF.rotation.to_rotation_matrix().matrix();
        JointMap::Planar { R_PF, p_PF: X_PF.translation.vector, X_MN: X_BM.inverse() }
    }

    /// Number of positions.
    pub fn nq(&self) -> usize {
        match self {
            JointMap::Rotation { .. } | JointMap::Translation { .. } | JointMap::Screw { .. } => 1,
            JointMap::Universal { .. } => 2,
            JointMap::Planar { .. } => 3,
            JointMap::Ball { .. } => 4,
            JointMap::Floating => 7,
        }
    }

    /// Number of velocities.
    pub fn nv(&self) -> usize {
        match self {
            JointMap::Rotation { .. } | JointMap::Translation { .. } | JointMap::Screw { .. } => 1,
            JointMap::Universal { .. } => 2,
            JointMap::Ball { .. } | JointMap::Planar { .. } => 3,
            JointMap::Floating => 6,
        }
    }

    /// Origin of F in P.
    pub fn p_PF(&self) -> Vector3<f64> {
        match self {
            JointMap::Rotation { p_PF, .. }
            | JointMap::Translation { p_PF, .. }
            | JointMap::Screw { p_PF, .. }
            | JointMap::Universal { p_PF, .. }
            | JointMap::Planar { p_PF, .. }
            | JointMap::Ball { p_PF, .. } => *p_PF,
            JointMap::Floating => Vector3::zeros(),
        }
    }

    /// The pose of N at positions `q` (this joint's only).
    pub fn across<S: Scalar>(&self, q: &[S]) -> Across<S> {
        match self {
            JointMap::Rotation { R, p_FN, .. } => {
                let (sin, cos) = q[0].sin_cos();
                let mix = |c: [f64; 3]| S::constant(c[0]) + cos * S::constant(c[1]) + sin * S::constant(c[2]);
                Across {
                    R_PN: Matrix3::from_fn(|i, j| mix([R[0][(i, j)], R[1][(i, j)], R[2][(i, j)]])),
                    p_FN: p_FN.as_ref().map(|p| Vector3::from_fn(|i, _| mix([p[0][i], p[1][i], p[2][i]]))),
                }
            }
            JointMap::Translation { axis_P, R, p_FN, .. } => {
                Across { R_PN: lift_matrix(R), p_FN: Some(lift::<S>(p_FN) + lift::<S>(axis_P) * q[0]) }
            }
            JointMap::Screw { axis_P, R, p_FN, travel, .. } => {
                let (sin, cos) = q[0].sin_cos();
                let mix = |c: [f64; 3]| S::constant(c[0]) + cos * S::constant(c[1]) + sin * S::constant(c[2]);
                let turned = Vector3::from_fn(|i, _| mix([p_FN[0][i], p_FN[1][i], p_FN[2][i]]));
                Across {
                    R_PN: Matrix3::from_fn(|i, j| mix([R[0][(i, j)], R[1][(i, j)], R[2][(i, j)]])),
                    p_FN: Some(turned + lift::<S>(axis_P) * (q[0] * S::constant(*travel))),
                }
            }
            JointMap::Universal { R_PF, X_MN, .. } => {
                let R_PM = lift_matrix::<S>(R_PF) * (about_x(q[0]) * about_y(q[1]));
                Across::turned(R_PM, X_MN)
            }
            JointMap::Planar { R_PF, X_MN, .. } => {
                let R_PF = lift_matrix::<S>(R_PF);
                let across = Across::turned(R_PF * about_z(q[2]), X_MN);
                let shift = R_PF * Vector3::new(q[0], q[1], S::zero());
                Across { p_FN: across.p_FN.map(|p| p + shift), ..across }
            }
            JointMap::Ball { R_PF, X_MN, .. } => {
                let R_PM = lift_matrix::<S>(R_PF) * rotation_of_quaternion(q);
                Across::turned(R_PM, X_MN)
            }
            JointMap::Floating => {
                Across { R_PN: rotation_of_quaternion(q), p_FN: Some(Vector3::from_column_slice(&q[4..7])) }
            }
        }
    }

    /// Writes the motion subspace at O at positions `q`: one column per velocity. `r_F` is the vector from O to F,
    /// `turn` gives P axes in world.
    pub fn columns<S: Scalar>(
        &self,
        q: &[S],
        r_F: &Vector3<S>,
        turn: impl Fn(Vector3<S>) -> Vector3<S>,
        columns: &mut [SpatialVector<S>],
    ) {
        match self {
            JointMap::Rotation { axis_P, .. } => {
                let axis = turn(lift(axis_P));
                columns[0] = SpatialVector::new(axis, r_F.cross(&axis));
            }
            JointMap::Translation { axis_P, .. } => {
                columns[0] = SpatialVector::new(Vector3::zeros(), turn(lift(axis_P)))
            }
            JointMap::Screw { axis_P, travel, .. } => {
                let axis = turn(lift(axis_P));
                columns[0] = SpatialVector::new(axis, r_F.cross(&axis) + axis * S::constant(*travel));
            }
            JointMap::Universal { R_PF, .. } => {
                let R_PF = lift_matrix::<S>(R_PF);
                let axes = [R_PF.column(0).into_owned(), (R_PF * about_x(q[0])).column(1).into_owned()];
                for (column, axis) in columns.iter_mut().zip(axes) {
                    let axis = turn(axis);
                    *column = SpatialVector::new(axis, r_F.cross(&axis));
                }
            }
            JointMap::Planar { R_PF, .. } => {
                let R_PF = lift_matrix::<S>(R_PF);
                let [x, y, z] = [0, 1, 2].map(|i| turn(R_PF.column(i).into_owned()));
                columns[0] = SpatialVector::new(Vector3::zeros(), x);
                columns[1] = SpatialVector::new(Vector3::zeros(), y);
                columns[2] = SpatialVector::new(z, (r_F + x * q[0] + y * q[1]).cross(&z));
            }
            JointMap::Ball { R_PF, .. } => {
                let R_PM = lift_matrix::<S>(R_PF) * rotation_of_quaternion(q);
                for (i, column) in columns.iter_mut().enumerate() {
                    let axis = turn(R_PM.column(i).into_owned());
                    *column = SpatialVector::new(axis, r_F.cross(&axis));
                }
            }
            // A floating body leads its tree, so that O is its origin.
            JointMap::Floating => {
                for i in 0..3 {
                    columns[i] = SpatialVector::zero();
                    columns[i].angular[i] = S::one();
                    columns[i + 3] = SpatialVector::zero();
                    columns[i + 3].linear[i] = S::one();
                }
            }
        }
    }
}

impl<S: Scalar> Across<S> {
    /// Pose of N, which is at X_MN in M, where M is turned in P and has its origin at F.
    fn turned(R_PM: Matrix3<S>, X_MN: &Isometry3<f64>) -> Self {
        Across {
            R_PN: R_PM * lift_matrix::<S>(X_MN.rotation.to_rotation_matrix().matrix()),
            p_FN: Some(R_PM * lift::<S>(&X_MN.translation.vector)),
        }
    }
}

fn about_x<S: Scalar>(angle: S) -> Matrix3<S> {
    let ((s, c), o, l) = (angle.sin_cos(), S::zero(), S::one());
    Matrix3::new(l, o, o, o, c, -s, o, s, c)
}

fn about_y<S: Scalar>(angle: S) -> Matrix3<S> {
    let ((s, c), o, l) = (angle.sin_cos(), S::zero(), S::one());
    Matrix3::new(c, o, s, o, l, o, -s, o, c)
}

fn about_z<S: Scalar>(angle: S) -> Matrix3<S> {
    let ((s, c), o, l) = (angle.sin_cos(), S::zero(), S::one());
    Matrix3::new(c, -s, o, s, c, o, o, o, l)
}

/// The rotation matrix of the quaternion (w, x, y, z), which need not have unit length: its length does not matter.
pub fn rotation_of_quaternion<S: Scalar>(q: &[S]) -> Matrix3<S> {
    let (w, x, y, z) = (q[0], q[1], q[2], q[3]);
    let s = S::constant(2.0) / (w * w + x * x + y * y + z * z);
    let (sx, sy, sz) = (x * s, y * s, z * s);
    let (xx, yy, zz) = (x * sx, y * sy, z * sz);
    let (xy, xz, yz) = (x * sy, x * sz, y * sz);
    let (wx, wy, wz) = (w * sx, w * sy, w * sz);
    let one = S::one();
    Matrix3::new(one - yy - zz, xy - wz, xz + wy, xy + wz, one - xx - zz, yz - wx, xz - wy, yz + wx, one - xx - yy)
}
