//! Tests of `systems/core/scene/pose.rs`.

use kinegraph_core::scene::Pose;
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};

#[test]
fn the_scalar_comes_first_and_matrices_give_the_same_pose() {
    let turn = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), 1.0);
    let X = Isometry3::from_parts(Translation3::new(1.0, 2.0, 3.0), turn);
    let pose = Pose::from(&X);
    let (sin, cos) = 0.5_f64.sin_cos();
    assert_eq!((pose.xyz, pose.quat), ([1.0, 2.0, 3.0], [cos, 0.0, sin, 0.0]));
    let R = turn.to_rotation_matrix();
    let columns: [f64; 9] = R.matrix().as_slice().try_into().unwrap();
    let same = Pose::from_rotation(pose.xyz, &columns);
    assert!(same.quat.iter().zip(pose.quat).all(|(a, b)| (a - b).abs() < 1e-15), "{same:?}");
}
