//! Valid models: against the numbers of pydrake 1.51.1 on the same file, and closed forms.

use super::{link, load, refuse};
use kinegraph_systems::geometry::Shape;
use kinegraph_systems::models::{LoadOptions, Loaded, NoteKind, SdfNote, parse_sdf, read_model};
use kinegraph_systems::multibody::scene_data::{ConstraintCompliance, CouplingLaw};
use kinegraph_systems::multibody::{Armature, JointKind, Kinematics, Tree};
use nalgebra::{DMatrix, DVector, Isometry3, Quaternion, Translation3, UnitQuaternion, Vector3};
use std::path::Path;

const POSES: [(&str, [f64; 3], [f64; 4]); 8] = [
    ("base", [0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]),
    (
        "upper",
        [0.304427507136818, -0.0020818830982727078, 0.1041637661965453],
        [0.9704874539328425, -0.006671943559981621, 0.2317061731407037, 0.06649688907439073],
    ),
    (
        "lower",
        [0.5258983538139912, 0.09681855753691916, 0.5253397515629249],
        [0.9162063743370331, -0.2287912085376949, 0.12477870985156801, 0.30438583424303406],
    ),
    (
        "slide",
        [0.40186902880606323, 0.3781138171586157, 0.7327997055438401],
        [0.8124174764129066, -0.19080789708241389, 0.17750349277506555, 0.5215963002960464],
    ),
    (
        "swivel",
        [0.44115499072008907, 0.45609079352094173, 0.6840533789757897],
        [0.7234850313019491, 0.019381568105966182, 0.03393480772923427, 0.6892330470342751],
    ),
    (
        "socket",
        [0.1896172936896527, 0.18353388325423825, 0.15279916657102927],
        [0.9390350956769052, 0.258699276914576, -0.04786502575249928, 0.22135201042830735],
    ),
    (
        "tool::body",
        [0.3695948510454488, 0.2515828379527573, 0.21091472913975934],
        [0.8062028262331897, 0.22660222918257, -0.1336705139359536, 0.5299251139615911],
    ),
    (
        "tool::finger",
        [0.3897260077751381, 0.2912765467661486, 0.2336995049640326],
        [0.6158600428164349, 0.1633630666272738, -0.1481019535031854, 0.7563694384973605],
    ),
];

const MASS_MATRIX: [[f64; 9]; 9] = [
    [
        0.44237292346982476,
        0.06711871118812747,
        -0.179786095104957,
        2.4576353379913984e-05,
        0.001705982994063266,
        -0.000453699633441074,
        0.012885523891780087,
        0.004607097514355428,
        -1.3680805939676884e-06,
    ],
    [
        0.06711871118812747,
        0.23238874163146445,
        -0.2440413821942649,
        -0.0021806275577582346,
        -0.010036634380815559,
        0.0,
        0.0,
        0.0,
        0.0,
    ],
    [-0.179786095104957, -0.2440413821942649, 0.7, 0.010856807250925856, 0.0031401829335162335, 0.0, 0.0, 0.0, 0.0],
    [
        2.4576353379913984e-05,
        -0.0021806275577582346,
        0.010856807250925856,
        0.006117915670568697,
        3.3610267347050637e-18,
        0.0,
        0.0,
        0.0,
        0.0,
    ],
    [
        0.001705982994063266,
        -0.010036634380815559,
        0.0031401829335162335,
        3.482999479109683e-18,
        0.0057500000000000094,
        0.0,
        0.0,
        0.0,
        0.0,
    ],
    [
        -0.000453699633441074,
        0.0,
        0.0,
        0.0,
        0.0,
        0.01812866507227358,
        -0.0023210136113325395,
        -0.005443419068977003,
        -0.00013944075913805402,
    ],
    [
        0.012885523891780087,
        0.0,
        0.0,
        0.0,
        0.0,
        -0.00232101361133254,
        0.01894933356850316,
        -0.004100698504302723,
        -0.00011700480336909921,
    ],
    [
        0.004607097514355428,
        0.0,
        0.0,
        0.0,
        0.0,
        -0.005443419068977005,
        -0.004100698504302723,
        0.0178108126831466,
        0.00025690291947083306,
    ],
    [
        -1.3680805939676884e-06,
        0.0,
        0.0,
        0.0,
        0.0,
        -0.00013944075913805402,
        -0.00011700480336909921,
        0.00025690291947083306,
        0.0002199999999999999,
    ],
];

const GRAVITY: [f64; 9] = [
    2.479490035558042,
    -3.239910561820213,
    1.0901762974171958,
    -0.009662302821819669,
    0.1467005402258806,
    -0.3127374959580333,
    0.323981751978097,
    -0.2771581134304332,
    0.0002238839417199232,
];

/// The quaternion of the ball joint.
const BALL: [f64; 4] = [0.9, 0.1, -0.3, 0.25];

fn mechanism() -> Loaded {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/sdf/mechanism.sdf");
    read_model(&path, &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn poses_mass_matrix_and_gravity_agree_with_another_reader() {
    let model = mechanism().model;
    let tree = Tree::of_model("m", &model).unwrap();
    let ball = UnitQuaternion::from_quaternion(Quaternion::new(BALL[0], BALL[1], BALL[2], BALL[3]));
    let q = [&[0.3, -0.7, 0.11, 0.4, -0.5][..], &[ball.w, ball.i, ball.j, ball.k], &[0.6]].concat();
    let mut k = Kinematics::default();
    tree.position_kinematics(&q, &mut k);
    for (name, p, [w, i, j, l]) in POSES {
        let X = tree.X_WB(&k, tree.body(&format!("m/{name}")).unwrap());
        let turn = UnitQuaternion::from_quaternion(Quaternion::new(w, i, j, l));
        assert!((X.p_WB - Vector3::from(p)).amax() < 1e-12, "{name}: {} instead of {p:?}", X.p_WB);
        assert!((X.R_WB - turn.to_rotation_matrix().matrix()).amax() < 1e-12, "{name}");
    }
    // Angular velocity of the ball joint: here in the axes of its child, there in those of its parent.
    let mut T = DMatrix::<f64>::identity(9, 9);
    T.view_mut((5, 5), (3, 3)).copy_from(ball.to_rotation_matrix().matrix());
    let expected = T.transpose() * DMatrix::from_fn(9, 9, |i, j| MASS_MATRIX[i][j]) * &T;
    let mut M = vec![0.0; tree.mass_matrix_len()];
    tree.mass_matrix(&mut k, Armature::Included, &mut M);
    let M = DMatrix::from_column_slice(9, 9, &M);
    assert!((&M - &expected).amax() < 1e-11 * expected.amax(), "{}", M - expected);
    let mut tau = vec![0.0; 9];
    tree.gravity_compensation(&mut k, &Vector3::new(0.0, 0.0, -9.81), &mut tau);
    let expected = T.transpose() * DVector::from_row_slice(&GRAVITY);
    assert!((DVector::from_vec(tau) + &expected).amax() < 1e-11 * expected.amax());
}

#[test]
fn laws_shapes_and_frames_are_kept() {
    let Loaded { model, notes } = mechanism();
    let joint = |name: &str| model.joints.iter().find(|joint| joint.name == name).unwrap();
    let shoulder = joint("shoulder");
    assert_eq!((shoulder.limits, shoulder.effort, shoulder.damping), ((-2.0, 1.5), 30.0, 0.3));
    assert_eq!((shoulder.friction, shoulder.spring), (0.1, Some((12.0, 0.25))));
    assert_eq!(joint("rail").limits, (f64::NEG_INFINITY, f64::INFINITY));
    assert_eq!(model.transmissions, ["shoulder", "elbow", "rail", "tool::knuckle"]);
    let upper = model.links.iter().find(|link| link.name == "upper").unwrap();
    assert!(matches!(upper.collisions[0].shape, Shape::Cylinder { radius: 0.03, half_length: 0.2 }));
    assert_eq!(upper.proximity[0].1.static_friction, Some(0.7));
    assert_eq!(upper.visuals[0].appearance.as_ref().unwrap().rgba, Some([0.2, 0.4, 0.6, 1.0]));
    assert!(model.scene.frames.iter().any(|frame| frame.name == "elbow_frame" && frame.link == "upper"));
    // That the root link does not stand at the origin of the file; all else is as written.
    let kinds: Vec<&NoteKind> = notes.iter().map(|note| &note.kind).collect();
    assert!(matches!(kinds[..], [NoteKind::Sdf(SdfNote::RootPose { .. })]), "{kinds:#?}");
}

/// Defaults of the format: 1 kg, and 1 kg m² about each axis.
#[test]
fn a_link_without_inertial_has_the_format_s() {
    let Loaded { model, notes } = load("<link name='a'/>");
    let inertia = model.links[0].inertia.unwrap();
    assert_eq!((inertia.mass, inertia.I_BBcm), (1.0, nalgebra::Matrix3::identity()));
    assert!(matches!(notes[0].kind, NoteKind::Sdf(SdfNote::DefaultInertial { .. })));
    let massless = load("<link name='a'><inertial><mass>0</mass></inertial></link>").model;
    assert!(massless.links[0].inertia.is_none());
}

/// A static model is fixed to the world, link by link, at its place in the file.
#[test]
fn static_models_are_fixed_at_their_poses() {
    let links = link("a", "<pose>1 0 0 0 0 0</pose>") + &link("b", "<pose relative_to='a'>0 2 0 0 0 0</pose>");
    let model = load(&format!("<static>true</static><pose>0 0 3 0 0 0</pose>{links}")).model;
    assert!(model.scene.root_is_world);
    let tree = Tree::of_model("m", &model).unwrap();
    assert_eq!(tree.num_velocities(), 0);
    let mut k = Kinematics::default();
    tree.position_kinematics(&[], &mut k);
    let p = |name: &str| tree.X_WB(&k, tree.body(name).unwrap()).p_WB;
    assert_eq!((p("m/a"), p("m/b")), (Vector3::new(1.0, 0.0, 3.0), Vector3::new(1.0, 2.0, 3.0)));
}

/// Unconnected links float each on its own, from their places in the file.
#[test]
fn separate_links_float() {
    let Loaded { model, notes } = load(&(link("a", "<pose>1 0 0 0 0 0</pose>") + &link("b", "")));
    let floating = model.joints.iter().filter(|joint| joint.kind == JointKind::Floating);
    assert_eq!(floating.map(|joint| &*joint.child).collect::<Vec<_>>(), ["a", "b"]);
    assert!(model.scene.root_is_world && matches!(notes[0].kind, NoteKind::Sdf(SdfNote::SeveralRoots { .. })));
    let tree = Tree::of_model("m", &model).unwrap();
    assert_eq!(tree.initial_positions()[..7], [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
}

/// A joint that starts at the world holds the model at its pose in the file.
#[test]
fn a_joint_from_the_world_holds_the_model() {
    let model = load(&format!(
        "<pose>0 0 3 0 0 1.5707963267948966</pose>{}<joint name='j' type='revolute'><parent>world</parent><child>a</child>\
         <axis><xyz expressed_in='__model__'>1 0 0</xyz></axis></joint>",
        link("a", "<pose>1 0 0 0 0 0</pose>")
    ))
    .model;
    assert_eq!(model.links[0].name, "world");
    let joint = &model.joints[0];
    let expected = Isometry3::from_parts(
        Translation3::new(0.0, 1.0, 3.0),
        UnitQuaternion::from_euler_angles(0.0, 0.0, std::f64::consts::FRAC_PI_2),
    );
    assert!((joint.X_PF.to_matrix() - expected.to_matrix()).amax() < 1e-15);
    assert!((joint.axis - Vector3::x()).amax() < 1e-15);
}

/// Metres per revolution, and in an older version the negative of radians per metre.
#[test]
fn screws_travel_as_their_thread_says() {
    let screw = |thread: &str| {
        let links = link("a", "") + &link("b", "");
        load(&format!("{links}<joint name='j' type='screw'><parent>a</parent><child>b</child><axis/>{thread}</joint>"))
            .model
    };
    assert_eq!(screw("<screw_thread_pitch>0.02</screw_thread_pitch>").joints[0].pitch, 0.02);
    let old = screw("<thread_pitch>-100</thread_pitch>").joints[0].pitch;
    assert!((old - std::f64::consts::TAU / 100.0).abs() < 1e-15);
}

#[test]
fn groups_keep_links_apart() {
    let links = ["a", "b", "c"].map(|name| link(name, "")).concat();
    let group = "<drake:collision_filter_group name='g'><drake:member>a</drake:member><drake:member>b</drake:member>\
                 <drake:ignored_collision_filter_group>g</drake:ignored_collision_filter_group>\
                 </drake:collision_filter_group>";
    assert_eq!(load(&(links.clone() + group)).model.scene.apart, [["a".to_owned(), "b".to_owned()]]);
    assert_eq!(load(&("<self_collide>false</self_collide>".to_owned() + &links)).model.scene.apart.len(), 3);
}

/// Bushings between a frame on one link and a link, and between a link and the world.
#[test]
fn a_bushing_has_springs_and_dampers_by_axis() {
    let bushing = |a: &str, c: &str| {
        format!(
            "<drake:linear_bushing_rpy><drake:bushing_frameA>{a}</drake:bushing_frameA>
            <drake:bushing_frameC>{c}</drake:bushing_frameC>
            <drake:bushing_torque_stiffness>5 6 7</drake:bushing_torque_stiffness>
            <drake:bushing_torque_damping>1 0 2</drake:bushing_torque_damping>
            <drake:bushing_force_stiffness>70 80 90</drake:bushing_force_stiffness>
            <drake:bushing_force_damping>3 4 5</drake:bushing_force_damping></drake:linear_bushing_rpy>"
        )
    };
    let links = link("a", "") + &link("b", "<pose>0 0 1 0 0 0</pose>");
    let frame = "<frame name='f' attached_to='a'><pose>0 0.5 0 0 0 0</pose></frame>";
    let text = links + frame + &bushing("f", "b") + &bushing("world", "a");
    let text = format!("<sdf version='1.9'><model name='m'><pose>0 0 3 0 0 0</pose>{text}</model></sdf>");
    let model = parse_sdf(&text, "m.sdf", &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}")).model;
    let law =
        |k: [f64; 3], d: [f64; 3]| [0, 1, 2].map(|axis| ConstraintCompliance { stiffness: k[axis], damping: d[axis] });
    let names: Vec<&str> = model.scene.couplings.iter().map(|coupling| &*coupling.name).collect();
    assert_eq!(names, ["linear_bushing_rpy0", "linear_bushing_rpy1"]);
    let expected = [
        [("a", Isometry3::translation(0.0, 0.5, 0.0)), ("b", Isometry3::identity())],
        [("world", Isometry3::identity()), ("a", Isometry3::identity())],
    ];
    for (coupling, expected) in model.scene.couplings.iter().zip(expected) {
        let CouplingLaw::Bushing { ends, linear, angular } = &coupling.law else { panic!("a bushing") };
        assert_eq!(*linear, law([70.0, 80.0, 90.0], [3.0, 4.0, 5.0]));
        assert_eq!(*angular, law([5.0, 6.0, 7.0], [1.0, 0.0, 2.0]));
        for ((link, X_LF), (name, X)) in ends.iter().zip(expected) {
            assert_eq!(link, name);
            assert!((X_LF.translation.vector - X.translation.vector).norm() < 1e-15, "{X_LF}");
        }
    }
}

#[test]
fn bushings_at_fault_are_refused() {
    let bushing =
        |inside: &str| link("a", "") + &format!("<drake:linear_bushing_rpy>{inside}</drake:linear_bushing_rpy>");
    let values = "<drake:bushing_torque_stiffness>5 6 7</drake:bushing_torque_stiffness>
        <drake:bushing_torque_damping>1 0 2</drake:bushing_torque_damping>
        <drake:bushing_force_stiffness>70 80 90</drake:bushing_force_stiffness>
        <drake:bushing_force_damping>3 4 5</drake:bushing_force_damping>";
    let ends = "<drake:bushing_frameA>a</drake:bushing_frameA><drake:bushing_frameC>nowhere</drake:bushing_frameC>";
    let unknown = refuse(&bushing(&format!("{ends}{values}")));
    assert!(unknown.len() == 1 && unknown[0].contains("nowhere"), "{unknown:?}");
    let missing = refuse(&bushing(&ends.replace("nowhere", "a")));
    assert_eq!(missing.len(), 4, "{missing:?}");
    assert!(missing[0].contains("drake:bushing_torque_stiffness"), "{missing:?}");
    let negative = refuse(&bushing(&format!("{}{}", ends.replace("nowhere", "a"), values.replace("70", "-70"))));
    assert!(negative.len() == 1 && negative[0].contains("-70"), "{negative:?}");
}
