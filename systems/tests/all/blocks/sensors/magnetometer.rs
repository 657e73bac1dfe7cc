//! Magnetometers.

use super::two_bodies::{askew, plant};
use kinegraph_core::port::Tick;
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::sensors::{Magnetometer, SampleSettings};
use nalgebra::{UnitQuaternion, Vector3};

#[test]
fn reads_the_field_in_its_own_axes() {
    let field = [2e-5, 0.0, -4.5e-5];
    let (R_WL, R_LS) = (UnitQuaternion::from_euler_angles(0.3, -0.7, 2.0), askew().rotation);
    let sensor = Magnetometer::new(&plant(), "drone/body", R_LS, field, SampleSettings::every(0.1)).unwrap();
    conformance::check(&sensor);
    let poses = [[0.0; 7], [1.0, 2.0, 3.0, R_WL.w, R_WL.i, R_WL.j, R_WL.k]].concat();
    let bench = Bench::new(&sensor).input(sensor.body_poses, poses);
    let discrete = bench.update(Tick { index: 0 });
    let found = Vector3::from_column_slice(&bench.discrete(discrete).eval(sensor.field));
    let expected = (R_WL * R_LS).inverse() * Vector3::from(field);
    assert!((found - expected).norm() < 1e-19, "{found}");
}
