//! Tests of `systems/multibody/free_body.rs`.

use kinegraph_multibody::{Armature, Base, Inertia, InertiaCheck, Kinematics, Link, Model, ModelInstance, Tree};
use nalgebra::{DMatrix, DVector, Isometry3, Matrix3, Vector3};

#[test]
fn a_body_alone_obeys_the_equations_of_the_tree() {
    // The centre of mass is not the origin, the inertia not diagonal.
    let I_BBcm = Matrix3::new(0.3, 0.02, -0.01, 0.02, 0.4, 0.03, -0.01, 0.03, 0.5);
    let inertia = Inertia { mass: 2.0, p_BoBcm: Vector3::new(0.1, -0.2, 0.3), I_BBcm };
    let links = vec![Link { name: "body".into(), inertia: Some(inertia), ..Link::default() }];
    let model = Model { name: "m".into(), links, ..Model::default() };
    let instance = ModelInstance { name: "m".into(), model: &model, base: Base::floating(Isometry3::identity()) };
    let (tree, _) = Tree::assemble(&[instance], InertiaCheck::Strict).unwrap();
    assert!(tree.spins()[0].alone.is_some());
    let gravity = Vector3::new(0.3, 0.1, -9.81);
    let (q, v) = ([0.7, -0.3, 0.4, 0.2, 1.0, 2.0, -3.0], [0.4, -1.2, 2.0, 0.3, 0.5, -0.7]);
    let tau = [0.3, 0.8, -0.4, 1.5, -2.0, 4.0];
    let mut k = Kinematics::default();
    tree.position_kinematics(&q, &mut k);
    tree.velocity_kinematics(&v, &mut k);
    let (mut M, mut bias, mut v_dot) = ([0.0; 36], [0.0; 6], [0.0; 6]);
    tree.mass_matrix(&mut k, Armature::Included, &mut M);
    tree.bias(&mut k, &gravity, &mut bias);
    tree.forward_dynamics(&mut k, &tau, &gravity, Armature::Included, &mut v_dot);
    // The bias is found by the recursion over the tree, the mass matrix by unit accelerations of it.
    for j in 0..6 {
        let (mut unit, mut column) = ([0.0; 6], [0.0; 6]);
        unit[j] = 1.0;
        tree.inverse_dynamics(&mut k, &unit, &gravity, Armature::Included, &mut column);
        for i in 0..6 {
            assert!((M[6 * j + i] - (column[i] - bias[i])).abs() < 1e-13, "{i} {j}");
        }
    }
    let left = DMatrix::from_column_slice(6, 6, &M) * DVector::from_column_slice(&v_dot);
    for i in 0..6 {
        assert!((left[i] + bias[i] - tau[i]).abs() < 1e-13, "{i}");
    }
}
