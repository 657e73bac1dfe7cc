//! Tests of `systems/multibody/plant/bushing.rs`.

use kinegraph_core::convex::{Compliance, ConstraintRows, RowMeasure};
use kinegraph_multibody::plant::BushingLaw;
use nalgebra::{Isometry3, Matrix3, Translation3, UnitQuaternion, Vector3};

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

/// Torque about the origin of the world and force on C, while A and C move with twists `[w; v]` in the world, where v
/// is the velocity of the material point at the origin of the world.
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
