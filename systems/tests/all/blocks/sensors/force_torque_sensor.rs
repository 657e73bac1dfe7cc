//! Force and torque on a link, at a frame of it.

use super::two_bodies::{askew, plant};
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::sensors::ForceTorqueSensor;
use nalgebra::{Isometry3, Vector3};

#[test]
fn conforms() {
    conformance::check(&ForceTorqueSensor::new(&plant(), "drone/body", askew()).unwrap());
}

/// The power of the force along any motion of the link is the same at the link's origin, in world axes, and at the
/// sensor, in its own axes.
#[test]
fn power_does_not_depend_on_the_frame() {
    let sensor = ForceTorqueSensor::new(&plant(), "drone/body", askew()).unwrap();
    let X_WL = Isometry3::new(Vector3::new(1.0, -2.0, 0.5), Vector3::new(-0.7, 0.3, 1.9));
    let (p, r) = (X_WL.translation, X_WL.rotation);
    let (t, f) = (Vector3::new(3.0, -1.0, 2.0), Vector3::new(-5.0, 0.5, 7.0));
    let poses = [[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], [p.x, p.y, p.z, r.w, r.i, r.j, r.k]].concat();
    let forces = [[9.0; 6], [t.x, t.y, t.z, f.x, f.y, f.z]].concat();
    let bench = Bench::new(&sensor).input(sensor.body_poses, poses).input(sensor.spatial_forces, forces);
    let (torque, force) = (bench.eval(sensor.torque), bench.eval(sensor.force));
    let (t_S, f_S) = (Vector3::from_column_slice(&torque), Vector3::from_column_slice(&force));
    for i in 0..6 {
        let unit = |j: usize| f64::from(u8::from(i == j));
        let (w, v) = (Vector3::new(unit(0), unit(1), unit(2)), Vector3::new(unit(3), unit(4), unit(5)));
        let R_WS = X_WL.rotation * askew().rotation;
        let arm = X_WL.rotation * askew().translation.vector;
        let at_sensor = t_S.dot(&(R_WS.inverse() * w)) + f_S.dot(&(R_WS.inverse() * (v + w.cross(&arm))));
        assert!((at_sensor - t.dot(&w) - f.dot(&v)).abs() < 1e-13, "motion {i}");
    }
}

#[test]
fn names_the_nearest_link() {
    let fault = ForceTorqueSensor::new(&plant(), "drone/bdy", askew()).err().unwrap().to_string();
    assert_eq!(fault, "the plant has no link `drone/bdy`; did you mean `drone/body`?");
}
