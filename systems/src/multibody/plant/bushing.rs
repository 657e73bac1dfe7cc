//! Bushings: six springs and dampers between two frames, each axis with its own.
//!
//! With the frames A and C, the pose of C in A is the position x and the rotation vector θ, both in axes of A. The
//! bushing holds the energy
//!
//! ```text
//! V = 1/2 Σ k_i x_i² + 1/2 Σ κ_i θ_i²
//! ```
//!
//! and dampens the rates of x and θ. Its forces are minus the gradient of that, so that it gives back what it took:
//! with the relative angular velocity ω in axes of A, `θ' = L(θ)⁻¹ ω`, L the left Jacobian of the rotation vector, and
//! the torque is `-L⁻ᵀ (κ θ + δ θ')`. Where all κ are alike that is `-κ θ`, and the whole is a weld that yields.
//! Forces act on both bodies at the origin of C, so that equal and opposite they leave both momenta as they are.
//!
//! It is two groups of rows, with a compliance for every axis: the step of every solver meets it implicitly, and joins
//! the two bodies into one island.

use crate::convex::{Compliance, ConstraintRows, RowMeasure};
use crate::scalar::Scalar;
use nalgebra::{Isometry3, Matrix3, Vector3};

/// Turns below this \[rad\] have the series: its error is of the fourth order.
const SERIES_THRESHOLD: f64 = 1e-3;

/// The springs and dampers of a bushing, axis by axis of its first frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BushingLaw {
    /// Along the axes \[N/m, N s/m\].
    pub linear: [Compliance; 3],
    /// About the axes \[N m/rad, N m s/rad\].
    pub angular: [Compliance; 3],
}

impl BushingLaw {
    /// Its rows between body `body_a`, on which the frame A is, and `body_c`, on which C is.
    pub(super) fn rows(
        &self,
        constraint: usize,
        [body_a, body_c]: [usize; 2],
        X_WA: &Isometry3<f64>,
        X_WC: &Isometry3<f64>,
        out: &mut Vec<ConstraintRows>,
    ) {
        let (x, theta) = coordinates(X_WA, X_WC);
        let R_AW = X_WA.rotation.to_rotation_matrix().inverse();
        let axes = (inverse_left_jacobian(&theta) * R_AW.matrix()).into();
        let measure = RowMeasure::Turn { body_a, body_b: body_c, axes };
        out.push(ConstraintRows {
            constraint,
            measure,
            violation: theta.into(),
            compliance: Some(self.angular),
            material: false,
            friction: None,
        });
        let p_WC = X_WC.translation.vector.into();
        let measure =
            RowMeasure::Shift { body_a, body_b: body_c, p_WC, axes: (*R_AW.matrix()).into(), turn: [[0.0; 3]; 3] };
        out.push(ConstraintRows {
            constraint,
            measure,
            violation: x.into(),
            compliance: Some(self.linear),
            material: false,
            friction: None,
        });
    }

    /// The energy that it holds \[J\].
    pub fn energy(&self, X_WA: &Isometry3<f64>, X_WC: &Isometry3<f64>) -> f64 {
        let (x, theta) = coordinates(X_WA, X_WC);
        self.energy_at(&x, &theta)
    }

    /// The same where C is at `x` and turned by `theta` in A.
    pub(super) fn energy_at<S: Scalar>(&self, x: &Vector3<S>, theta: &Vector3<S>) -> S {
        let stored = |laws: &[Compliance; 3], by: &Vector3<S>| {
            let of_axis = |(law, by): (&Compliance, &S)| S::constant(0.5 * law.stiffness) * *by * *by;
            laws.iter().zip(by.iter()).map(of_axis).fold(S::zero(), |sum, energy| sum + energy)
        };
        stored(&self.linear, x) + stored(&self.angular, theta)
    }
}

/// Position and rotation vector of C in A.
fn coordinates(X_WA: &Isometry3<f64>, X_WC: &Isometry3<f64>) -> (Vector3<f64>, Vector3<f64>) {
    let X_AC = X_WA.inverse() * X_WC;
    (X_AC.translation.vector, X_AC.rotation.scaled_axis())
}

/// `L(θ)⁻¹ = 1 - [θ]/2 + (1 - θ/2 cot(θ/2))/θ² [θ]²`: the rate of the rotation vector by the angular velocity.
fn inverse_left_jacobian(theta: &Vector3<f64>) -> Matrix3<f64> {
    let (cross, angle) = (theta.cross_matrix(), theta.norm());
    let factor = if angle < SERIES_THRESHOLD {
        1.0 / 12.0 + angle * angle / 720.0
    } else {
        (1.0 - 0.5 * angle / (0.5 * angle).tan()) / (angle * angle)
    };
    Matrix3::identity() - cross * 0.5 + cross * cross * factor
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{Translation3, UnitQuaternion};

    const LAW: BushingLaw = BushingLaw {
        linear: [
            Compliance { stiffness: 300.0, damping: 2.0 },
            Compliance { stiffness: 70.0, damping: 0.5 },
            Compliance { stiffness: 1000.0, damping: 0.0 },
        ],
        angular: [
            Compliance { stiffness: 5.0, damping: 0.2 },
            Compliance { stiffness: 12.0, damping: 0.0 },
            Compliance { stiffness: 0.5, damping: 0.1 },
        ],
    };

    fn pose(turn: [f64; 3], at: [f64; 3]) -> Isometry3<f64> {
        Isometry3::from_parts(Translation3::from(at), UnitQuaternion::from_scaled_axis(Vector3::from(turn)))
    }

    /// Torque about the origin of the world and force on C, while A and C move by twists `[w; v]` in the world, v that
    /// of the material point at the origin of the world.
    fn wrench(X_WA: &Isometry3<f64>, X_WC: &Isometry3<f64>, twists: [[Vector3<f64>; 2]; 2]) -> [Vector3<f64>; 2] {
        let mut rows = Vec::new();
        LAW.rows(0, [0, 1], X_WA, X_WC, &mut rows);
        let force = |rows: &ConstraintRows, rate: Vector3<f64>| {
            let compliance = rows.compliance.unwrap();
            Vector3::from_fn(|i, _| -compliance[i].stiffness * rows.violation[i] - compliance[i].damping * rate[i])
        };
        let (RowMeasure::Turn { axes: turn, .. }, RowMeasure::Shift { axes: shift, p_WC, .. }) =
            (rows[0].measure, rows[1].measure)
        else {
            panic!("two groups of rows");
        };
        let (turn, shift, p) = (Matrix3::from(turn), Matrix3::from(shift), Vector3::from(p_WC));
        let [[wa, va], [wc, vc]] = twists;
        let torque = turn.transpose() * force(&rows[0], turn * (wc - wa));
        let rate = shift * ((vc + wc.cross(&p)) - (va + wa.cross(&p)));
        let pull = shift.transpose() * force(&rows[1], rate);
        [torque + p.cross(&pull), pull]
    }

    const STILL: [[Vector3<f64>; 2]; 2] = [[Vector3::new(0.0, 0.0, 0.0); 2]; 2];

    /// Moves a pose by a twist for a short time.
    fn moved(X: &Isometry3<f64>, [w, v]: [Vector3<f64>; 2], by: f64) -> Isometry3<f64> {
        let turn = UnitQuaternion::from_scaled_axis(w * by);
        let p = X.translation.vector;
        Isometry3::from_parts(Translation3::from(turn * p + v * by), turn * X.rotation)
    }

    #[test]
    fn forces_are_the_gradient_of_the_energy_and_leave_momenta_as_they_are() {
        let a = pose([0.3, -0.7, 0.4], [0.1, 0.2, -0.3]);
        for turn in [[1e-5, 2e-5, -1e-5], [0.3, 0.1, -0.5], [1.5, -1.0, 0.8], [0.0, 0.0, 0.0]] {
            let c = a * pose(turn, [0.02, -0.05, 0.01]);
            let [torque, force] = wrench(&a, &c, STILL);
            for i in 0..6 {
                let mut twist = [Vector3::zeros(); 2];
                twist[i / 3][i % 3] = 1.0;
                let h = 1e-6;
                let power = [torque, force][i / 3][i % 3];
                let slope = (LAW.energy(&a, &moved(&c, twist, h)) - LAW.energy(&a, &moved(&c, twist, -h))) / (2.0 * h);
                assert!((power + slope).abs() < 1e-7, "{turn:?}, {i}: {power} {slope}");
                // The frame A has the opposite wrench: moved with it, nothing changes.
                let slope = (LAW.energy(&moved(&a, twist, h), &c) - LAW.energy(&moved(&a, twist, -h), &c)) / (2.0 * h);
                assert!((power - slope).abs() < 1e-7, "{turn:?}, {i}: {power} {slope}");
            }
        }
    }

    #[test]
    fn dampers_take_energy_and_nothing_from_a_common_motion() {
        let a = pose([0.3, -0.7, 0.4], [0.1, 0.2, -0.3]);
        let c = a * pose([0.9, 0.1, -0.5], [0.02, -0.05, 0.01]);
        let [torque, force] = wrench(&a, &c, STILL);
        let twist = [Vector3::new(0.4, -1.0, 0.3), Vector3::new(-0.2, 0.5, 1.0)];
        let other = [Vector3::new(1.4, 0.2, -0.3), Vector3::new(0.1, -0.5, 0.7)];
        let common = wrench(&a, &c, [twist, twist]);
        assert!((common[0] - torque).norm() + (common[1] - force).norm() < 1e-12);
        let damped = wrench(&a, &c, [other, twist]);
        let (w, v) = (twist[0] - other[0], twist[1] - other[1]);
        let power = (damped[0] - torque).dot(&w) + (damped[1] - force).dot(&v);
        assert!(power < -0.1, "{power}");
    }
}
