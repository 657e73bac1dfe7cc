//! A position and an orientation.

use kinegraph_files::blocks::multibody_plant::pose::from_rpy;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

#[test]
fn rpy_turns_about_fixed_axes_in_the_order_x_y_z() {
    let [w, x, y, z] = from_rpy([0.3, -0.7, 1.1]);
    let turn = |axis: Vector3<f64>, angle| UnitQuaternion::from_scaled_axis(axis * angle);
    let expected = turn(Vector3::z(), 1.1) * turn(Vector3::y(), -0.7) * turn(Vector3::x(), 0.3);
    let found = UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z));
    assert!(found.angle_to(&expected) < 1e-7);
}
