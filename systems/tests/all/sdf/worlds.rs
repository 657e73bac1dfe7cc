//! Worlds: models beside each other, from other files, connected by joints; against the numbers of another reader on
//! the same file, closed forms, and random worlds whose poses are composed here.

use super::link;
use kinegraph_systems::models::{LoadOptions, Loaded, parse_sdf, read_model};
use kinegraph_systems::multibody::{Armature, JointKind, Kinematics, Model, Tree};
use nalgebra::{Isometry3, Matrix3, Translation3, UnitQuaternion, Vector3};
use std::path::{Path, PathBuf};

fn parse(text: &str) -> Loaded {
    parse_sdf(text, "w.sdf", &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn world(inside: &str) -> Loaded {
    parse(&format!("<sdf version='1.9'><world name='w'>{inside}</world></sdf>"))
}

fn refuse(inside: &str) -> String {
    let text = format!("<sdf version='1.9'>\n<world name='w'>{inside}</world></sdf>");
    parse_sdf(&text, "w.sdf", &LoadOptions::default()).expect_err("must be refused").to_string()
}

/// The pose of a link with all joints at zero.
fn pose_of(model: &Model, link: &str) -> Isometry3<f64> {
    let tree = Tree::of_model("m", model).unwrap();
    let mut k = Kinematics::default();
    tree.position_kinematics(tree.initial_positions(), &mut k);
    let X = tree.X_WB(&k, tree.body(&format!("m/{link}")).unwrap_or_else(|| panic!("no {link}")));
    let turn = UnitQuaternion::from_matrix(&X.R_WB);
    Isometry3::from_parts(X.p_WB.into(), turn)
}

fn euler([x, y, z, roll, pitch, yaw]: [f64; 6]) -> Isometry3<f64> {
    Isometry3::from_parts(Translation3::new(x, y, z), UnitQuaternion::from_euler_angles(roll, pitch, yaw))
}

fn assert_near(found: &Isometry3<f64>, expected: &Isometry3<f64>, what: &str) {
    let apart = (found.to_matrix() - expected.to_matrix()).amax();
    assert!(apart < 1e-12, "{what}: {apart:.1e} apart, {found} instead of {expected}");
}

/// Each model is at its pose, at that of the including element, or at that of its placement frame.
#[test]
fn models_of_a_world_stand_where_it_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/sdf/workcell/cell.sdf");
    let model = read_model(&path, &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}")).model;
    let table = euler([0.5, -0.2, 0.1, 0.0, 0.0, 0.4]) * euler([0.3, 0.1, 0.2, 0.0, 0.0, 0.25]);
    let foot = table * euler([0.1, 0.2, 0.05, 0.0, 0.1, 0.3]) * euler([0.0, 0.0, 0.02, 0.1, 0.0, 0.0]);
    let arm = foot * euler([0.05, 0.0, -0.1, 0.0, 0.0, 0.7]).inverse();
    let upper = arm * euler([0.0, 0.0, 0.2, 0.0, -0.3, 0.0]);
    let palm = upper * euler([0.0, 0.0, 0.4, 0.2, 0.0, 0.1]);
    let pad = palm * euler([0.0, 0.03, 0.15, 0.0, 0.0, 0.0]);
    for (link, expected) in [
        ("table::top", table),
        ("arm::base", arm),
        ("arm::upper", upper),
        ("hand::body", palm * euler([0.01, 0.02, -0.06, 0.3, 0.0, 0.0]).inverse()),
        ("hand::jaw::pad", pad),
        ("box::body", euler([1.0, 1.0, 1.0, 0.1, 0.2, 0.3]) * euler([0.1, 0.0, 0.0, 0.0, 0.0, 0.0])),
        ("pendulum::bob", euler([-1.0, 0.0, 2.0, 0.0, 0.0, 1.2]) * euler([0.0, 0.0, -0.5, 0.0, 0.0, 0.0])),
    ] {
        assert_near(&pose_of(&model, link), &expected, link);
    }
    let kind = |child: &str| model.joints.iter().find(|joint| joint.child == child).map(|joint| joint.kind);
    assert_eq!(kind("table::top"), Some(JointKind::Fixed));
    assert_eq!(kind("box::body"), Some(JointKind::Floating));
    assert_eq!(kind("hand::body"), Some(JointKind::Revolute));
    assert!(model.scene.root_is_world && model.scene.gravity == Some(Vector3::new(0.0, 0.0, -9.81)));
    assert_eq!(model.transmissions, ["arm::shoulder", "hand::slide", "wrist", "hang"]);
}

/// pydrake 1.58.0 on the same file (its world as a model, since only worlds have fixed joints there): accelerations
/// with joints at nonzero positions and velocities, without damping, which is a force of the plant.
#[test]
fn joints_between_models_accelerate_as_in_another_reader() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/sdf/workcell/cell.sdf");
    let model = read_model(&path, &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}")).model;
    let tree = Tree::of_model("m", &model).unwrap();
    let (mut q, mut v) = (tree.initial_positions().to_vec(), vec![0.0; tree.num_velocities()]);
    let joints = [
        ("arm::shoulder", 0.3, 0.7, 4.154157350323649),
        ("hand::slide", 0.02, -0.2, -1.9260957161086891),
        ("wrist", -0.4, 1.1, -0.6799191654704291),
        ("hang", 0.5, -0.6, -9.162008831897204),
    ];
    let of = |name: &str| tree.joints()[tree.joint(&format!("m/{name}")).unwrap()].clone();
    for (name, position, velocity, _) in joints {
        (q[of(name).positions.start], v[of(name).velocities.start]) = (position, velocity);
    }
    let mut k = Kinematics::default();
    tree.position_kinematics(&q, &mut k);
    tree.velocity_kinematics(&v, &mut k);
    let p = tree.X_WB(&k, tree.body("m/hand::jaw::pad").unwrap()).p_WB;
    assert!((p - Vector3::new(0.6991108246153935, 0.33939099520285493, 1.2192847941746303)).norm() < 1e-12, "{p}");
    let gravity = Vector3::new(0.0, 0.0, -9.81);
    let mut found = vec![0.0; v.len()];
    tree.forward_dynamics(&mut k, &vec![0.0; v.len()], &gravity, Armature::Included, &mut found);
    for (name, _, _, expected) in joints {
        let found = found[of(name).velocities.start];
        assert!((found - expected).abs() < 1e-10 * expected.abs(), "{name}: {found} instead of {expected}");
    }
}

/// Models in models to some depth, placed by frames of theirs or by their own: poses are composed as they are written.
#[test]
fn random_worlds_have_the_poses_that_are_composed_here() {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    /// Writes a model; returns the poses of its links in the world.
    fn write(
        random: &mut impl FnMut() -> f64,
        (text, expected): (&mut String, &mut Vec<(String, Isometry3<f64>)>),
        (scope, name): (&str, &str),
        X_WO: Isometry3<f64>,
        level: usize,
    ) {
        let mut draw = || [0; 6].map(|_| 2.0 * random() - 1.0);
        let (placed, link, frame) = (draw(), draw(), draw());
        let shown = |p: [f64; 6]| p.map(|x| x.to_string()).join(" ");
        let by_frame = random() < 0.5;
        let X_WM =
            X_WO * euler(placed) * if by_frame { (euler(link) * euler(frame)).inverse() } else { euler([0.0; 6]) };
        let inside = format!("{scope}{name}::");
        let placement = if by_frame { "placement_frame='f'" } else { "" };
        *text += &format!(
            "<model name='{name}' {placement}><pose>{}</pose><link name='l'><pose>{}</pose></link>\
             <frame name='f' attached_to='l'><pose>{}</pose></frame>",
            shown(placed),
            shown(link),
            shown(frame)
        );
        expected.push((format!("{inside}l"), X_WM * euler(link)));
        if level < 3 {
            for name in ["a", "b"] {
                write(random, (text, expected), (&inside, name), X_WM, level + 1);
            }
        }
        *text += "</model>";
    }
    for _ in 0..20 {
        let (mut text, mut expected) = (String::new(), Vec::new());
        for name in ["one", "two"] {
            write(&mut random, (&mut text, &mut expected), ("", name), Isometry3::identity(), 1);
        }
        let model = world(&text).model;
        for (link, X) in &expected {
            assert_near(&pose_of(&model, link), X, link);
        }
    }
}

/// Several models without a world around them are a scene, too.
#[test]
fn models_beside_each_other_are_a_scene() {
    let one = |name: &str, x: f64| format!("<model name='{name}'><pose>{x} 0 0 0 0 0</pose>{}</model>", link("l", ""));
    let model = parse(&format!("<sdf version='1.6'>{}{}</sdf>", one("a", 1.0), one("b", 2.0))).model;
    assert_eq!(pose_of(&model, "b::l").translation.x, 2.0);
    assert_eq!(model.joints.iter().filter(|joint| joint.kind == JointKind::Floating).count(), 2);
}

/// No part of a static model moves, nor do its joints; a model beside it does.
#[test]
fn a_static_model_of_a_world_does_not_move() {
    let links = link("a", "") + &link("b", "<pose>0 0 1 0 0 0</pose>");
    let joint = "<joint name='j' type='revolute'><parent>a</parent><child>b</child><axis/></joint>";
    let shelf = format!("<model name='shelf'><static>true</static>{links}{joint}</model>");
    let Loaded { model, notes } = world(&(shelf + "<model name='ball'>" + &link("l", "") + "</model>"));
    let tree = Tree::of_model("m", &model).unwrap();
    assert_eq!(tree.num_velocities(), 6);
    assert!(notes.iter().any(|note| note.to_string().contains("static")), "{notes:#?}");
}

/// A merged model is a part of the including model: its names have no scope of their own.
#[test]
fn a_merged_model_is_a_part_of_its_parent_model() {
    let folder = folder("merged");
    let part = "<sdf version='1.9'><model name='p'><link name='a'><pose>1 0 0 0 0 0</pose></link>\
                <link name='b'><pose relative_to='__model__'>0 1 0 0 0 0</pose></link></model></sdf>";
    std::fs::write(folder.join("part.sdf"), part).unwrap();
    let main = "<sdf version='1.9'><model name='m'><link name='base'/><include merge='true'><uri>part.sdf</uri>\
                <pose>0 0 5 0 0 1.5707963267948966</pose></include>\
                <joint name='j' type='fixed'><parent>base</parent><child>a</child></joint>\
                <joint name='k' type='fixed'><parent>a</parent><child>b</child></joint></model></sdf>";
    std::fs::write(folder.join("main.sdf"), main).unwrap();
    let model = read_model(&folder.join("main.sdf"), &LoadOptions::default()).unwrap_or_else(|e| panic!("{e}")).model;
    assert_near(&pose_of(&model, "a"), &euler([0.0, 1.0, 5.0, 0.0, 0.0, std::f64::consts::FRAC_PI_2]), "a");
    assert_near(&pose_of(&model, "b"), &euler([-1.0, 0.0, 5.0, 0.0, 0.0, std::f64::consts::FRAC_PI_2]), "b");
}

/// Faults of worlds, each with its place and the name that was probably meant.
#[test]
fn faults_of_worlds_are_named() {
    let two = "<model name='left'><link name='body'/></model>\n<model name='right'><link name='body'/></model>\n";
    let joint = |parent: &str, child: &str| {
        format!("<joint name='j' type='fixed'><parent>{parent}</parent><child>{child}</child></joint>")
    };
    for (inside, words) in [
        (format!("{two}{}", joint("left::body", "right::bdy")), &["w.sdf:4:", "right::bdy", "right::body"][..]),
        (format!("{two}{}", joint("left", "right")), &[]),
        (format!("{two}<frame name='f' attached_to='lefd'/>"), &["w.sdf:4:", "\"lefd\"", "\"left\""]),
        ("<model name='a' placement_frame='gripp'><link name='l'/><frame name='grip'/></model>".into(), &["w.sdf:2:", "a::gripp", "a::grip\""]),
        (
            "<model name='a' placement_frame='f'><link name='l'/><frame name='f'><pose relative_to='f'/></frame></model>"
                .into(),
            &["w.sdf:2:", "ring"],
        ),
        ("<include><uri>model://nowhere</uri></include>".into(), &["w.sdf:2:", "nowhere"]),
        (String::new(), &["no <link>"]),
    ] {
        if words.is_empty() {
            // A model may be the end of a joint: its canonical link is meant.
            world(&inside);
            continue;
        }
        let message = refuse(&inside);
        for word in words {
            assert!(message.contains(word), "no {word} in {message}");
        }
    }
    let text = "<sdf version='1.9'><world name='a'/><world name='b'/></sdf>";
    let error = parse_sdf(text, "w.sdf", &LoadOptions::default()).expect_err("two worlds").to_string();
    assert!(error.contains("this has 2 and 0"), "{error}");
}

/// Faults of an included file have that file's name and line, even if they show only when all poses are known.
#[test]
fn late_faults_of_included_files_carry_their_name() {
    let folder = folder("late");
    let part = "<sdf version='1.9'><model name='p'>\n<link name='arm'/>\n<link name='b'><pose relative_to='amr'/></link>\
                </model></sdf>";
    std::fs::write(folder.join("part.sdf"), part).unwrap();
    let main = "<sdf version='1.9'><world name='w'><include><uri>part.sdf</uri></include></world></sdf>";
    std::fs::write(folder.join("main.sdf"), main).unwrap();
    let error = read_model(&folder.join("main.sdf"), &LoadOptions::default()).expect_err("a fault").to_string();
    assert!(error.contains("part.sdf:3:") && error.contains("p::arm"), "{error}");
}

/// Two balls and a rod between them, of their own densities: the sum of their masses, and Steiner's rule.
#[test]
fn inertias_follow_from_shapes_where_the_file_says_auto() {
    let ball = |name: &str, x: f64, density: &str| {
        format!(
            "<collision name='{name}'><pose>{x} 0 0 0 0 0</pose>{density}<geometry><sphere><radius>0.1</radius></sphere>\
             </geometry></collision>"
        )
    };
    let load = |inertial: &str| {
        let shapes = ball("a", 0.5, "<density>2000</density>") + &ball("b", -0.5, "");
        world(&format!(
            "<model name='m'><link name='l'><inertial auto='true'>{inertial}</inertial>{shapes}</link></model>"
        ))
        .model
        .links
        .into_iter()
        .find_map(|link| link.inertia)
        .unwrap()
    };
    let volume = 4.0 / 3.0 * std::f64::consts::PI * 1e-3;
    let found = load("<density>500</density>");
    let [a, b] = [2000.0 * volume, 500.0 * volume];
    assert!((found.mass - (a + b)).abs() < 1e-12);
    assert!((found.p_BoBcm - Vector3::x() * (0.5 * (a - b) / (a + b))).norm() < 1e-14);
    let own = 0.4 * (a + b) * 0.01;
    let across = own + a * b / (a + b);
    assert!((found.I_BBcm - Matrix3::from_diagonal(&Vector3::new(own, across, across))).amax() < 1e-12);
    let scaled = load("<mass>3</mass>");
    let (a, b) = (2.0, 1.0);
    let across = 0.4 * 3.0 * 0.01 + a * b / (a + b);
    assert!(scaled.mass == 3.0 && (scaled.I_BBcm[(1, 1)] - across).abs() < 1e-12);
    let text = "<model name='m'><link name='l'><inertial auto='true'/></link></model>";
    assert!(refuse(text).contains("without solid collision shapes"));
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sdf_worlds").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
