//! Tests of `systems/multibody/rigid_links.rs`.

use kinegraph_multibody::rigid_links::{impossible_links, nearest_possible, principal_moments};
use kinegraph_multibody::{Inertia, Joint, JointKind, Link, Model};
use nalgebra::{Matrix3, Vector3};

fn link(name: &str, mass: f64, moments: [f64; 3]) -> Link {
    let I_BBcm = Matrix3::from_diagonal(&Vector3::from(moments));
    let inertia = Some(Inertia { mass, p_BoBcm: Vector3::new(0.1, 0.0, 0.0), I_BBcm });
    Link { name: name.into(), inertia, ..Link::default() }
}

/// Only rigid bodies that move by themselves must be possible.
#[test]
fn a_negative_inertia_is_harmless_on_a_heavy_base_but_not_on_a_moving_link() {
    let links = vec![link("base", 10.0, [0.1; 3]), link("antenna", 1e-3, [-1e-8, 1e-8, 2e-8])];
    for (kind, impossible) in [(JointKind::Fixed, vec![]), (JointKind::Revolute, vec![1])] {
        let joints = vec![Joint::new("j", kind, "base", "antenna")];
        let model = Model { links: links.clone(), joints, ..Model::default() };
        assert_eq!(impossible_links(&model, 1e-6), impossible);
    }
    let model = Model { links: vec![link("alone", 0.0, [1.0; 3])], ..Model::default() };
    assert_eq!(impossible_links(&model, 1e-6), [0]);
}

/// The nearest tensor is possible, a possible one stays, and no second moment that was positive changes.
#[test]
fn the_nearest_inertia_is_possible() {
    let turn = nalgebra::Rotation3::from_euler_angles(0.3, -1.1, 2.0).into_inner();
    for second_moments in [[1.0, 2.0, 3.0], [1.0, 2.0, -0.5], [0.3, -0.1, -2.0]] {
        let P = turn * Matrix3::from_diagonal(&Vector3::from(second_moments)) * turn.transpose();
        let I = Matrix3::identity() * P.trace() - P;
        let near = nearest_possible(&I);
        let [least, middle, most] = principal_moments(&near).unwrap();
        assert!(least >= -1e-12 && least + middle >= most - 1e-12);
        let P = turn.transpose() * (Matrix3::identity() * (0.5 * near.trace()) - near) * turn;
        for (i, expected) in second_moments.into_iter().enumerate() {
            assert!((P[(i, i)] - expected.max(0.0)).abs() < 1e-12);
        }
    }
}
