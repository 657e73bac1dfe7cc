//! Tests of `systems/multibody/rigid_parts.rs`.

use kinegraph_multibody::{Armature, Inertia, Joint, JointKind, Kinematics, Link, Mimic, Model, Tree};
use nalgebra::{Isometry3, Matrix3, Translation3, Vector3};
use std::f64::consts::FRAC_PI_2;

fn link(name: &str, mass: f64, x: f64) -> Link {
    let inertia = Inertia { mass, p_BoBcm: Vector3::new(x, 0.0, 0.0), I_BBcm: Matrix3::identity() * 0.01 };
    Link { name: name.into(), inertia: Some(inertia), ..Link::default() }
}

fn arm() -> Model {
    Model {
        links: vec![link("base", 1.0, 0.0), link("rod", 2.0, 0.5)],
        joints: vec![Joint { axis: Vector3::z(), ..Joint::new("j", JointKind::Continuous, "base", "rod") }],
        ..Model::default()
    }
}

/// A palm with a finger that turns about z and one that slides after it.
fn hand() -> Model {
    let turns = Joint {
        axis: Vector3::z(),
        X_PF: Translation3::new(0.1, 0.0, 0.0).into(),
        ..Joint::new("turns", JointKind::Revolute, "palm", "finger")
    };
    let slides = Joint {
        axis: Vector3::y(),
        mimic: Some(Mimic { joint: "turns".into(), multiplier: 2.0, offset: 0.5 }),
        ..Joint::new("slides", JointKind::Prismatic, "palm", "thumb")
    };
    Model {
        links: vec![link("palm", 0.3, 0.0), link("finger", 0.2, 0.4), link("thumb", 0.1, 0.0)],
        joints: vec![turns, slides],
        ..Model::default()
    }
}

/// The inertia about the joint is the sum of those of all parts at their places: `I + m r^2` each.
#[test]
fn an_arm_carries_what_is_lumped_into_it() {
    let mut model = arm();
    let X_LR: Isometry3<f64> = Translation3::new(1.0, 0.0, 0.0).into();
    model.add_rigid_part("hand", &hand(), "rod", X_LR, |joint| if joint == "turns" { FRAC_PI_2 } else { 9.0 });
    let tree = Tree::of_model("arm", &model).unwrap();
    assert_eq!(tree.num_velocities(), 1);
    // The finger hangs 0.1 ahead of the palm and points along y; the thumb is 2 (pi/2) + 0.5 to the side.
    let thumb = 2.0 * FRAC_PI_2 + 0.5;
    let squares = [(2.0, 0.25), (0.3, 1.0), (0.2, 1.1 * 1.1 + 0.4 * 0.4), (0.1, 1.0 + thumb * thumb)];
    let expected: f64 = squares.iter().map(|(m, r2)| 0.01 + m * r2).sum();
    let (mut k, mut found) = (Kinematics::default(), [0.0]);
    tree.position_kinematics(&[0.7], &mut k);
    tree.mass_matrix(&mut k, Armature::Included, &mut found);
    let found = found[0];
    assert!((found - expected).abs() < 1e-14, "{found} instead of {expected}");
}

#[test]
fn the_pose_of_a_link_is_known_as_far_as_nothing_moves() {
    let mut model = arm();
    model.add_rigid_part("hand", &hand(), "base", Translation3::new(0.0, 0.0, 2.0).into(), |_| FRAC_PI_2);
    let finger = model.rigid_pose("hand/finger").unwrap();
    assert!((finger.translation.vector - Vector3::new(0.1, 0.0, 2.0)).norm() < 1e-15);
    assert!((finger * Vector3::x() - Vector3::y()).norm() < 1e-15);
    assert_eq!(model.rigid_pose("base"), Some(Isometry3::identity()));
    assert_eq!(model.rigid_pose("rod"), None);
    assert_eq!(model.rigid_pose("nose"), None);
}
