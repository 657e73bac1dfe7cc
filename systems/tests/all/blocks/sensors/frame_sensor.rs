//! Pose and velocity of a frame of a link.

use super::two_bodies::{askew, plant};
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::sensors::FrameSensor;
use nalgebra::{Isometry3, Quaternion, UnitQuaternion, Vector3};

#[test]
fn conforms() {
    for reference in [None, Some("other/body")] {
        conformance::check(&FrameSensor::new(&plant(), "drone/body", askew(), reference).unwrap());
    }
}

/// The links at time `t`: each turns at a constant rate of its own and moves along a line.
fn moving(t: f64) -> [(Isometry3<f64>, Vector3<f64>, Vector3<f64>); 2] {
    [(Vector3::new(0.3, -2.0, 1.0), Vector3::new(1.0, 2.0, -3.0)), (Vector3::new(4.0, 1.0, 0.5), Vector3::x())].map(
        |(w, v)| {
            let start = UnitQuaternion::from_scaled_axis(v * 0.3);
            (Isometry3::from_parts((v * t + w * 0.1).into(), UnitQuaternion::from_scaled_axis(w * t) * start), w, v)
        },
    )
}

fn reading(sensor: &FrameSensor, t: f64) -> (Isometry3<f64>, Vec<f64>) {
    let links = moving(t);
    let poses: Vec<f64> = links
        .iter()
        .flat_map(|(X, ..)| {
            let (p, r) = (X.translation, X.rotation);
            [p.x, p.y, p.z, r.w, r.i, r.j, r.k]
        })
        .collect();
    let velocities: Vec<f64> = links.iter().flat_map(|(_, w, v)| [w.x, w.y, w.z, v.x, v.y, v.z]).collect();
    let bench = Bench::new(sensor).input(sensor.body_poses, poses).input(sensor.body_velocities, velocities);
    let y = bench.eval(sensor.pose);
    let rotation = UnitQuaternion::new_unchecked(Quaternion::new(y[3], y[4], y[5], y[6]));
    (Isometry3::from_parts(Vector3::new(y[0], y[1], y[2]).into(), rotation), bench.eval(sensor.velocity))
}

/// The pose is that of the frame, and the velocity is its rate, relative to the world and to another link.
#[test]
fn velocity_is_the_rate_of_the_pose() {
    for reference in [None, Some("other/body")] {
        let sensor = FrameSensor::new(&plant(), "drone/body", askew(), reference).unwrap();
        let (t, dt) = (0.7, 1e-5);
        let (X, velocity) = reading(&sensor, t);
        let [(X_WA, ..), (X_WL, ..)] = moving(t);
        let expected = if reference.is_some() { X_WA.inverse() * X_WL * askew() } else { X_WL * askew() };
        assert!((X.translation.vector - expected.translation.vector).norm() < 1e-13);
        assert!(X.rotation.angle_to(&expected.rotation) < 1e-7);
        let ((before, _), (after, _)) = (reading(&sensor, t - dt), reading(&sensor, t + dt));
        let v = (after.translation.vector - before.translation.vector) / (2.0 * dt);
        let w = (after.rotation * before.rotation.inverse()).scaled_axis() / (2.0 * dt);
        let found = Vector3::from_column_slice(&velocity[..3]) - w;
        assert!(found.norm() < 1e-7, "angular velocity is off by {found}");
        let found = Vector3::from_column_slice(&velocity[3..]) - v;
        assert!(found.norm() < 1e-7, "velocity is off by {found}");
    }
}
