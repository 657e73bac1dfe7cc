//! Tests of `systems/multibody/joint.rs`.

use kinegraph_multibody::joint::{JointMap, rotation_of_quaternion};
use nalgebra::{Isometry3, Matrix3, Quaternion, Translation3, UnitQuaternion, Vector3};

fn pose(x: f64, y: f64, z: f64) -> Isometry3<f64> {
    Isometry3::from_parts(Translation3::new(x, y, z), UnitQuaternion::from_euler_angles(y, z, x))
}

#[test]
fn folded_constants_give_the_product_of_poses() {
    let axis = Vector3::new(1.0, -2.0, 0.5).normalize();
    let (X_PF, X_BM, q) = (pose(0.3, -0.4, 1.2), pose(-0.7, 0.2, 0.1), 0.8);
    let joints = [
        (JointMap::rotation(&axis, &X_PF, &X_BM), Isometry3::new(Vector3::zeros(), axis * q)),
        (JointMap::translation(&axis, &X_PF, &X_BM), Isometry3::new(axis * q, Vector3::zeros())),
    ];
    for (joint, X_FM) in joints {
        let X_PN = X_PF * X_FM * X_BM.inverse();
        let across = joint.across(&[q]);
        assert!((across.R_PN - X_PN.rotation.to_rotation_matrix().matrix()).norm() < 1e-14);
        assert!((joint.p_PF() + across.p_FN.unwrap() - X_PN.translation.vector).norm() < 1e-14);
    }
}

#[test]
fn length_of_a_quaternion_does_not_matter() {
    let q = Quaternion::new(0.3, -1.2, 0.7, 2.0);
    let expected = UnitQuaternion::from_quaternion(q).to_rotation_matrix();
    assert!((rotation_of_quaternion(&[q.w, q.i, q.j, q.k]) - expected.matrix()).norm() < 1e-15);
}

/// Velocities and accelerations of a chain of all kinds of joints are the differences of its poses.
#[test]
fn velocities_and_accelerations_follow_from_the_poses() {
    use kinegraph_multibody::*;
    let kinds = [JointKind::Planar, JointKind::Universal, JointKind::Screw, JointKind::Revolute, JointKind::Planar];
    let link = |i: usize| {
        let inertia = Inertia { mass: 1.0, p_BoBcm: Vector3::x() * 0.1, I_BBcm: Matrix3::identity() };
        Link { name: format!("l{i}"), inertia: Some(inertia), ..Link::default() }
    };
    let joint = |(i, kind): (usize, &JointKind)| Joint {
        X_PF: pose(0.3, -0.4, 0.2 + i as f64),
        X_BM: pose(-0.7, 0.2, 0.1),
        axis: Vector3::new(1.0, -2.0, 0.5).normalize(),
        pitch: 0.4,
        ..Joint::new(format!("j{i}"), *kind, format!("l{i}"), format!("l{}", i + 1))
    };
    let joints: Vec<Joint> = kinds.iter().enumerate().map(joint).collect();
    let model = Model { links: (0..6).map(link).collect(), joints, ..Model::default() };
    let tree = Tree::of_model("m", &model).unwrap();
    let n = tree.num_velocities();
    assert_eq!((n, tree.num_positions()), (10, 10));
    let q: Vec<f64> = (0..n).map(|i| (1.7 * i as f64).sin()).collect();
    let v: Vec<f64> = (0..n).map(|i| (0.9 * i as f64).cos()).collect();
    let at = |h: f64| {
        let mut moved = vec![0.0; n];
        tree.integrate_positions(&q, &v, h, &mut moved);
        let mut k = Kinematics::default();
        tree.position_kinematics(&moved, &mut k);
        tree.velocity_kinematics(&v, &mut k);
        k
    };
    let (h, k) = (1e-5, at(0.0));
    let (before, after) = (at(-h), at(h));
    for body in 1..tree.bodies().len() {
        let p = |k: &Kinematics<f64>| tree.X_WB(k, body).p_WB;
        let velocity = tree.V_WB(&k, body);
        assert!(((p(&after) - p(&before)) / (2.0 * h) - velocity.linear).norm() < 1e-8, "{body}");
        let R = |k: &Kinematics<f64>| tree.X_WB(k, body).R_WB;
        let spin = (R(&after) - R(&before)) / (2.0 * h) * R(&k).transpose();
        assert!((spin - velocity.angular.cross_matrix()).norm() < 1e-8, "{body}");
        let V = |k: &Kinematics<f64>| tree.V_WB(k, body).to_vector();
        let frame = Frame::new(body, &Isometry3::identity());
        let A = tree.frame_acceleration(&k, &frame, |_| 0.0).to_vector();
        assert!(((V(&after) - V(&before)) / (2.0 * h) - A).norm() < 1e-7, "{body}: {A}");
    }
}
