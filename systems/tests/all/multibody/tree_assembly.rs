//! Order of coordinates, cliques, welded models, and faults of models that cannot be built.

use kinegraph_systems::multibody::*;
use nalgebra::{Isometry3, Matrix3, Vector3};

fn link(name: &str, mass: f64) -> Link {
    let inertia = Inertia { mass, p_BoBcm: Vector3::new(0.1, 0.0, 0.2), I_BBcm: Matrix3::identity() * 0.1 * mass };
    Link { name: name.into(), inertia: (mass != 0.0).then_some(inertia), ..Link::default() }
}

fn joint(name: &str, kind: JointKind, parent: &str, child: &str) -> Joint {
    Joint {
        X_PF: Isometry3::translation(0.0, 0.1, 0.3),
        axis: Vector3::y(),
        limits: (-1.0, 2.0),
        effort: 5.0,
        damping: 0.5,
        ..Joint::new(name, kind, parent, child)
    }
}

/// Links `l0 … ln` of mass 1, one revolute joint `j1 … jn` between neighbours.
fn chain(n: usize) -> Model {
    let links = (0..=n).map(|i| link(&format!("l{i}"), 1.0)).collect();
    let joints = (1..=n)
        .map(|i| joint(&format!("j{i}"), JointKind::Revolute, &format!("l{}", i - 1), &format!("l{i}")))
        .collect();
    Model { links, joints, ..Model::default() }
}

fn instance<'a>(name: &str, model: &'a Model, base: Base) -> ModelInstance<'a> {
    ModelInstance { name: name.into(), model, base }
}

fn welded(model: &str, link: &str) -> Base {
    Base::Welded { model: model.into(), link: link.into(), X_LR: Isometry3::translation(0.0, 0.0, 0.5) }
}

fn build(instances: &[ModelInstance]) -> Tree {
    Tree::assemble(instances, InertiaCheck::Strict).unwrap().0
}

fn cliques(tree: &Tree) -> Vec<(usize, usize)> {
    tree.cliques().map(|c| (c.start, c.end)).collect()
}

fn faults(model: &Model) -> Vec<AssemblyError> {
    Tree::of_model("m", model).unwrap_err().0
}

#[test]
fn coordinates_follow_the_document_and_not_the_tree() {
    // The joint of the outer link stands first in the file.
    let mut model = chain(2);
    model.joints.reverse();
    let tree = build(&[instance("crate", &model, Base::floating(Isometry3::translation(1.0, 2.0, 3.0)))]);
    let names: Vec<_> = tree.joints().iter().map(|j| j.name.as_str()).collect();
    assert_eq!(names, ["crate/l0", "crate/j2", "crate/j1"]);
    let q = ["qw", "qx", "qy", "qz", "x", "y", "z"].map(|c| format!("crate.l0.{c}"));
    assert_eq!(tree.position_names(), [&q[..], &["crate.j2.q".into(), "crate.j1.q".into()]].concat());
    assert_eq!(tree.velocity_names()[3..], ["crate.l0.vx", "crate.l0.vy", "crate.l0.vz", "crate.j2.v", "crate.j1.v"]);
    assert_eq!(tree.initial_positions(), [1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 0.0, 0.0]);
    assert_eq!(tree.damping(), [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.5]);
    assert_eq!(tree.effort_limits()[5..], [f64::INFINITY, 5.0, 5.0]);
    assert_eq!((tree.limits()[1].position, tree.limits()[1].velocity, tree.limits()[1].upper), (8, 7, 2.0));
    // The bodies are in order of the tree all the same.
    assert!(tree.bodies().iter().enumerate().skip(1).all(|(i, b)| b.parent < i));
}

#[test]
fn cliques_are_the_velocities_that_the_mass_matrix_couples() {
    let (arm, hand, cube) = (chain(3), chain(1), chain(0));
    let free = || Base::floating(Isometry3::identity());
    let direct = build(&[
        instance("arm", &arm, Base::fixed()),
        instance("hand", &hand, welded("arm", "l3")),
        instance("cube", &cube, free()),
    ]);
    assert_eq!(cliques(&direct), [(0, 4), (4, 10)]);
    let body = direct.body("cube/l0").unwrap();
    assert!(direct.is_free(body) && direct.bodies()[body].clique == Some(1));
    // With the cube in between, its velocities stand between those of arm and hand: one range for all.
    let between = build(&[
        instance("arm", &arm, Base::fixed()),
        instance("cube", &cube, free()),
        instance("hand", &hand, welded("arm", "l3")),
    ]);
    assert_eq!(cliques(&between), [(0, 10)]);
    assert!(!between.is_free(between.body("cube/l0").unwrap()));
    // A link fixed to the world belongs to none.
    assert_eq!(direct.bodies()[direct.body("arm/l0").unwrap()].clique, None);
}

#[test]
fn two_arms_on_one_fixed_root_move_on_their_own() {
    let mut model = chain(2);
    model.links.extend([link("r1", 1.0), link("r2", 1.0)]);
    model.joints.push(joint("k1", JointKind::Prismatic, "l0", "r1"));
    model.joints.push(joint("k2", JointKind::Revolute, "r1", "r2"));
    assert_eq!(cliques(&Tree::of_model("m", &model).unwrap()), [(0, 2), (2, 4)]);
    model.joints.swap(1, 2);
    assert_eq!(cliques(&Tree::of_model("m", &model).unwrap()), [(0, 4)]);
}

#[test]
fn welded_models_move_like_one_model_with_a_fixed_joint() {
    let (arm, hand) = (chain(3), chain(2));
    // The hand is listed before the arm that carries it.
    let two = build(&[instance("hand", &hand, welded("arm", "l2")), instance("arm", &arm, Base::fixed())]);
    let mut one = chain(3);
    for l in &hand.links {
        one.links.push(Link { name: format!("h{}", l.name), ..l.clone() });
    }
    let weld = Joint { X_PF: Isometry3::translation(0.0, 0.0, 0.5), ..joint("w", JointKind::Fixed, "l2", "hl0") };
    let hand_joints = hand.joints.iter().map(|j| Joint {
        name: format!("h{}", j.name),
        parent: format!("h{}", j.parent),
        child: format!("h{}", j.child),
        ..j.clone()
    });
    one.joints = hand_joints.chain([weld]).chain(one.joints.clone()).collect();
    let one = Tree::of_model("m", &one).unwrap();
    let (q, v, v_dot) = ([0.3, -0.5, 0.7, 1.1, -0.2], [1.0, -2.0, 0.5, 0.3, 0.8], [0.1, 0.2, -0.3, 0.4, 2.0]);
    let tau = [&two, &one].map(|tree| {
        let (mut k, mut tau) = (Kinematics::default(), [0.0; 5]);
        tree.position_kinematics(&q, &mut k);
        tree.velocity_kinematics(&v, &mut k);
        tree.inverse_dynamics(&mut k, &v_dot, &Vector3::new(0.0, 0.0, -9.81), Armature::Included, &mut tau);
        tau
    });
    for (a, b) in tau[0].iter().zip(tau[1]) {
        assert!((a - b).abs() < 1e-12, "{tau:?}");
    }
}

#[test]
fn a_free_body_obeys_newton_and_euler() {
    let cube = chain(0);
    let tree = build(&[instance("cube", &cube, Base::floating(Isometry3::identity()))]);
    let mut k = Kinematics::default();
    let (w, v) = (Vector3::new(0.4, -1.0, 2.0), Vector3::new(3.0, 0.1, -0.7));
    tree.position_kinematics(tree.initial_positions(), &mut k);
    tree.velocity_kinematics(&[w.x, w.y, w.z, v.x, v.y, v.z], &mut k);
    let (alpha, a, g) = (Vector3::new(0.1, 0.2, 0.3), Vector3::new(-1.0, 2.0, 0.5), Vector3::new(0.0, 0.0, -9.81));
    let mut tau = [0.0; 6];
    let v_dot = [alpha.x, alpha.y, alpha.z, a.x, a.y, a.z];
    tree.inverse_dynamics(&mut k, &v_dot, &g, Armature::Included, &mut tau);
    let c = Vector3::new(0.1, 0.0, 0.2);
    let force = a + alpha.cross(&c) + w.cross(&w.cross(&c)) - g;
    let torque = 0.1 * alpha + c.cross(&force);
    let expected = [torque.x, torque.y, torque.z, force.x, force.y, force.z];
    for (ours, expected) in tau.iter().zip(expected) {
        assert!((ours - expected).abs() < 1e-14, "{tau:?} instead of {expected:?}");
    }
}

#[test]
fn all_faults_of_a_model_come_together() {
    let mut model = chain(4);
    model.joints[0].axis = Vector3::zeros();
    model.joints[1].limits = (1.0, -1.0);
    model.joints[2].damping = -0.1;
    model.joints[3].child = "l44".into();
    model.links[1].inertia.as_mut().unwrap().mass = f64::NAN;
    model.links[2].inertia.as_mut().unwrap().I_BBcm[(0, 0)] = -1.0;
    model.links[3].inertia.as_mut().unwrap().I_BBcm[(0, 1)] = 0.05;
    model.links.push(link("l0", 1.0));
    let faults = faults(&model);
    let m = || "m".to_owned();
    let expected = [
        AssemblyError::ZeroAxis { model: m(), joint: "j1".into() },
        AssemblyError::BadLimits { model: m(), joint: "j2".into(), lower: 1.0, upper: -1.0 },
        AssemblyError::Negative { model: m(), joint: "j3".into(), quantity: "damping", value: -0.1 },
        AssemblyError::UnknownLink {
            model: m(),
            joint: "j4".into(),
            role: "child",
            link: "l44".into(),
            nearest: Some("l4".into()),
        },
        AssemblyError::InertiaNotPositive { model: m(), link: "l2".into(), principal: [-1.0, 0.1, 0.1] },
        AssemblyError::InertiaNotSymmetric { model: m(), link: "l3".into() },
        AssemblyError::DuplicateLink { model: m(), link: "l0".into() },
    ];
    for fault in &expected {
        assert!(faults.contains(fault), "{fault} is missing in {faults:#?}");
    }
    assert!(faults.iter().any(|f| matches!(f, AssemblyError::BadMass { link, .. } if link == "l1")));
    assert_eq!(faults.len(), expected.len() + 1);
}

#[test]
fn links_that_are_no_tree_are_named() {
    let mut ring = chain(3);
    ring.joints.push(joint("back", JointKind::Fixed, "l3", "l1"));
    let names = |l: &[&str]| l.iter().map(|s| s.to_string()).collect::<Vec<_>>();
    assert!(matches!(&faults(&ring)[..], [AssemblyError::TwoParents { link, first, second, .. }]
        if link == "l1" && first == "j1" && second == "back"));
    ring.joints.remove(0);
    assert_eq!(
        faults(&ring),
        [AssemblyError::Ring { model: "m".into(), links: names(&["l2", "l3", "l1"]) }],
        "{:?}",
        faults(&ring)
    );
    let mut apart = chain(3);
    apart.joints.remove(1);
    assert_eq!(faults(&apart), [AssemblyError::SeveralRoots { model: "m".into(), roots: names(&["l0", "l2"]) }]);
    assert_eq!(faults(&Model::default()), [AssemblyError::NoLinks { model: "m".into() }]);
    let mut own_parent = chain(1);
    own_parent.joints[0].parent = "l1".into();
    assert_eq!(faults(&own_parent), [AssemblyError::Ring { model: "m".into(), links: names(&["l1"]) }]);
    let mut inner = chain(2);
    inner.joints[1].kind = JointKind::Floating;
    assert_eq!(faults(&inner), [AssemblyError::FloatingNotAtWorld { model: "m".into(), joint: "j2".into() }]);
}

#[test]
fn a_joint_that_moves_nothing_is_an_error() {
    let moves_nothing = |model: &Model, joint: &str| matches!(&faults(model)[..], [AssemblyError::NothingToMove { joint: j, .. }] if j == joint);
    let mut model = chain(2);
    model.links[2].inertia = None;
    assert!(moves_nothing(&model, "m/j2"));
    // An armature is enough, and so is mass further out.
    model.joints[1].armature = 0.1;
    assert!(Tree::of_model("m", &model).is_ok());
    let mut model = chain(3);
    model.links[2].inertia = None;
    assert!(Tree::of_model("m", &model).is_ok());
    // A point on the axis of rotation; a slide moves it well.
    model.links[3].inertia = Some(Inertia { mass: 1.0, p_BoBcm: Vector3::y() * 0.3, I_BBcm: Matrix3::zeros() });
    assert!(moves_nothing(&model, "m/j3"));
    model.joints[2].kind = JointKind::Prismatic;
    assert!(Tree::of_model("m", &model).is_ok());
}

#[test]
fn absurd_numbers_end_in_an_error() {
    let mut model = chain(2);
    for (mass, inertia) in [(1e300, 1e10), (1.0, 1e300), (f64::INFINITY, 1.0), (1.0, f64::NAN)] {
        for link in &mut model.links {
            let I_BBcm = Matrix3::identity() * inertia;
            link.inertia = Some(Inertia { mass, p_BoBcm: Vector3::new(1e100, 2.0, 1e200), I_BBcm });
        }
        assert!(Tree::of_model("m", &model).is_err(), "{mass} {inertia}");
    }
}

#[test]
fn doubtful_numbers_are_warnings() {
    let mut model = chain(1);
    model.links[1].inertia.as_mut().unwrap().I_BBcm = Matrix3::from_diagonal(&Vector3::new(0.1, 0.1, 0.3));
    model.joints[0].mimic = Some(Mimic { joint: "j11".into(), multiplier: 1.0, offset: 0.0 });
    let (_, warnings) = Tree::assemble(&[instance("m", &model, Base::fixed())], InertiaCheck::Strict).unwrap();
    assert!(matches!(&warnings[0], AssemblyWarning::TriangleInequality { link, .. } if link == "m/l1"));
    assert!(matches!(&warnings[1], AssemblyWarning::UnknownMimic { nearest: Some(near), .. } if near == "j1"));
    model.links[1].inertia.as_mut().unwrap().I_BBcm[(0, 0)] = -0.1;
    assert!(Tree::of_model("m", &model).is_err());
    let (_, warnings) = Tree::assemble(&[instance("m", &model, Base::fixed())], InertiaCheck::Lenient).unwrap();
    assert!(matches!(warnings[0], AssemblyWarning::Accepted(AssemblyError::InertiaNotPositive { .. })));
}

#[test]
fn faults_between_models_come_together() {
    let model = chain(1);
    let instances = [
        instance("arm", &model, Base::fixed()),
        instance("arm", &model, Base::fixed()),
        instance("hand", &model, welded("arm", "l11")),
        instance("a", &model, welded("b", "l1")),
        instance("b", &model, welded("a", "l0")),
    ];
    let faults = Tree::assemble(&instances, InertiaCheck::Strict).unwrap_err();
    let expected = [
        AssemblyError::DuplicateModel { model: "arm".into() },
        AssemblyError::UnknownBase { model: "hand".into(), base: "arm/l11".into(), nearest: Some("arm/l1".into()) },
        AssemblyError::WeldRing { models: vec!["a".into(), "b".into()] },
    ];
    assert_eq!(faults.0, expected);
    assert_eq!(faults.to_string().lines().count(), 3);
    assert!(faults.to_string().contains("did you mean `arm/l1`?"));
}
