//! The kinematic map `q̇ = N(q) v`, its left inverse, and the step `q + h N v`.
//!
//! Single-axis, universal and planar joints: `q̇ = v`. Floating base: `ṗ` as it is, and `q̇ = ½ [0, ω] ⊗ q` with ω in
//! world axes. Ball:
//! `q̇ = ½ q ⊗ [0, ω]` with ω in the child's axes, which is `q̇* = ½ [0, -ω] ⊗ q*`. The map preserves the length of any
//! quaternion.

use super::joint::JointMap;
use super::tree::Tree;
use kinegraph_core::scalar::Scalar;

impl Tree {
    /// `rates = N(q) v`.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn position_rates<S: Scalar>(&self, q: &[S], v: &[S], rates: &mut [S]) {
        assert_eq!((q.len(), v.len(), rates.len()), (self.num_positions, self.num_velocities, self.num_positions));
        for node in &self.nodes {
            let (i, j) = (node.q, node.v);
            match node.map {
                JointMap::Floating => {
                    let rate = quaternion_rate([q[i], q[i + 1], q[i + 2], q[i + 3]], [v[j], v[j + 1], v[j + 2]]);
                    rates[i..i + 4].copy_from_slice(&rate);
                    rates[i + 4..i + 7].copy_from_slice(&v[j + 3..j + 6]);
                }
                JointMap::Ball { .. } => {
                    let conjugate = [q[i], -q[i + 1], -q[i + 2], -q[i + 3]];
                    let [w, x, y, z] = quaternion_rate(conjugate, [-v[j], -v[j + 1], -v[j + 2]]);
                    rates[i..i + 4].copy_from_slice(&[w, -x, -y, -z]);
                }
                JointMap::Rotation { .. } | JointMap::Translation { .. } | JointMap::Screw { .. } => rates[i] = v[j],
                JointMap::Universal { .. } => rates[i..i + 2].copy_from_slice(&v[j..j + 2]),
                JointMap::Planar { .. } => rates[i..i + 3].copy_from_slice(&v[j..j + 3]),
            }
        }
    }

    /// `v = N⁺(q) rates`: the velocity whose rates are closest to the given ones (and equal to them if they preserve
    /// the length of quaternions).
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn velocities_of_rates<S: Scalar>(&self, q: &[S], rates: &[S], v: &mut [S]) {
        assert_eq!((q.len(), v.len(), rates.len()), (self.num_positions, self.num_velocities, self.num_positions));
        for node in &self.nodes {
            let (i, j) = (node.q, node.v);
            match node.map {
                JointMap::Floating => {
                    let rate = [rates[i], rates[i + 1], rates[i + 2], rates[i + 3]];
                    v[j..j + 3].copy_from_slice(&angular_velocity([q[i], q[i + 1], q[i + 2], q[i + 3]], rate));
                    v[j + 3..j + 6].copy_from_slice(&rates[i + 4..i + 7]);
                }
                JointMap::Ball { .. } => {
                    let rate = [rates[i], -rates[i + 1], -rates[i + 2], -rates[i + 3]];
                    let w = angular_velocity([q[i], -q[i + 1], -q[i + 2], -q[i + 3]], rate);
                    v[j..j + 3].copy_from_slice(&w.map(|w| -w));
                }
                JointMap::Rotation { .. } | JointMap::Translation { .. } | JointMap::Screw { .. } => v[j] = rates[i],
                JointMap::Universal { .. } => v[j..j + 2].copy_from_slice(&rates[i..i + 2]),
                JointMap::Planar { .. } => v[j..j + 3].copy_from_slice(&rates[i..i + 3]),
            }
        }
    }

    /// `next = q + h N(q) v`, with quaternions normalized.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn integrate_positions<S: Scalar>(&self, q: &[S], v: &[S], h: S, next: &mut [S]) {
        self.position_rates(q, v, next);
        for (next, q) in next.iter_mut().zip(q) {
            *next = *q + h * *next;
        }
        self.normalize_quaternions(next);
    }

    /// Normalizes every quaternion among the positions; a zero quaternion becomes the identity.
    ///
    /// # Panics
    /// If `q` has the wrong length.
    pub fn normalize_quaternions<S: Scalar>(&self, q: &mut [S]) {
        for &i in &self.quaternions {
            let quaternion = &mut q[i..i + 4];
            let square = quaternion.iter().fold(S::zero(), |sum, x| sum + *x * *x);
            if square.value() == 0.0 {
                quaternion.copy_from_slice(&[S::one(), S::zero(), S::zero(), S::zero()]);
            } else {
                let length = square.sqrt();
                quaternion.iter_mut().for_each(|x| *x /= length);
            }
        }
    }
}

/// `½ [0, ω] ⊗ q`.
fn quaternion_rate<S: Scalar>(q: [S; 4], w: [S; 3]) -> [S; 4] {
    let half = S::constant(0.5);
    let (x, y, z) = (half * w[0], half * w[1], half * w[2]);
    [
        -x * q[1] - y * q[2] - z * q[3],
        x * q[0] + y * q[3] - z * q[2],
        y * q[0] + z * q[1] - x * q[3],
        z * q[0] + x * q[2] - y * q[1],
    ]
}

/// The vector part of `2 q̇ ⊗ q* / |q|²`.
fn angular_velocity<S: Scalar>(q: [S; 4], rate: [S; 4]) -> [S; 3] {
    let s = S::constant(2.0) / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    [
        s * (-rate[0] * q[1] + rate[1] * q[0] - rate[2] * q[3] + rate[3] * q[2]),
        s * (-rate[0] * q[2] + rate[1] * q[3] + rate[2] * q[0] - rate[3] * q[1]),
        s * (-rate[0] * q[3] - rate[1] * q[2] + rate[2] * q[1] + rate[3] * q[0]),
    ]
}
