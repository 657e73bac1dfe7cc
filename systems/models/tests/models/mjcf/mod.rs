//! Contracts of the reader, by small models.

mod height_fields;
mod meshes;
mod schema;
mod solids;
mod surfaces;

use kinegraph_geometry::Shape;
use kinegraph_models::{LoadOptions, Loaded, parse_mjcf};
use kinegraph_multibody::scene_data::{CouplingLaw, Factor};
use kinegraph_multibody::{Base, InertiaCheck, Kinematics, Model, ModelInstance, Tree};
use nalgebra::Vector3;
use std::f64::consts::PI;

fn load(text: &str) -> Loaded {
    parse_mjcf(text, "test.xml", &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn model(text: &str) -> Model {
    load(text).model
}

fn fault(text: &str) -> String {
    parse_mjcf(text, "test.xml", &LoadOptions::default()).expect_err(text).to_string()
}

fn tree(model: &Model) -> Tree {
    let instance = ModelInstance { name: "m".into(), model, base: Base::fixed() };
    Tree::assemble(&[instance], InertiaCheck::Strict).unwrap().0
}

/// Pose of a body at positions `q`.
fn place(model: &Model, body: &str, q: &[f64]) -> Vector3<f64> {
    let tree = tree(model);
    let mut k = Kinematics::default();
    tree.position_kinematics(q, &mut k);
    tree.X_WB(&k, tree.body(&format!("m/{body}")).unwrap()).p_WB
}

const BALL: &str = r#"<geom type="sphere" size="0.1"/>"#;

/// Where other readers forget the pose of the body before all joints but the last: it turned about the parent's origin.
#[test]
fn two_hinges_of_one_body_turn_about_the_body() {
    let m = model(&format!(
        r#"<mujoco><compiler angle="radian"/><worldbody><body name="b" pos="0 0 1">
        <joint name="x" axis="1 0 0"/><joint name="y" axis="0 1 0"/>{BALL}</body></worldbody></mujoco>"#
    ));
    assert!((place(&m, "b", &[0.5, 0.3]) - Vector3::z()).norm() < 1e-15);
    assert_eq!(m.joints.iter().map(|j| j.name.as_str()).collect::<Vec<_>>(), ["x", "y"]);
}

/// Anchors are in the body's frame at the references, and so are the starts of the joints.
#[test]
fn a_joint_at_its_reference_leaves_the_body_where_it_is() {
    let m = model(&format!(
        r#"<mujoco><worldbody><body name="b" pos="1 0 0"><joint name="h" axis="0 0 1" pos="-1 0 0" ref="90"/>
        <joint name="s" type="slide" axis="0 0 2" ref="0.5"/>{BALL}</body></worldbody></mujoco>"#
    ));
    let starts: Vec<f64> = m.joints.iter().map(|j| j.start).collect();
    assert_eq!(starts, [PI / 2.0, 0.5]);
    assert!((place(&m, "b", &starts) - Vector3::x()).norm() < 1e-15);
    // A quarter turn further about the origin, and half a metre up.
    assert!((place(&m, "b", &[PI, 1.0]) - Vector3::new(0.0, 1.0, 0.5)).norm() < 1e-15);
}

#[test]
fn class_replaces_childclass_and_classes_inherit() {
    let m = model(
        r#"<mujoco><default><joint damping="1"/>
          <default class="a"><joint armature="2"/><geom size="0.3"/><default class="b"><joint damping="3"/></default></default>
          <default class="c"><joint armature="5"/></default></default>
        <worldbody><body childclass="a" name="one"><joint name="p"/><geom mass="1"/>
          <body name="two"><joint name="q" class="b"/><geom mass="1"/></body>
          <body name="three"><joint name="r" class="c"/><geom mass="1"/></body>
          <body name="four" childclass="c"><joint name="s"/><geom size="1" mass="1"/></body></body></worldbody></mujoco>"#,
    );
    let of = |name: &str| m.joints.iter().find(|j| j.name == name).map(|j| (j.damping, j.armature)).unwrap();
    assert_eq!([of("p"), of("q"), of("r"), of("s")], [(1.0, 2.0), (3.0, 2.0), (1.0, 5.0), (1.0, 5.0)]);
}

/// A list may be shorter than the quantity: the rest is as the class says.
#[test]
fn short_lists_keep_the_rest_of_the_class() {
    let m = model(
        r#"<mujoco><default><geom size="0.1 0.2 0.3" type="box"/></default>
        <worldbody><body name="b"><joint/><geom size="1" density="1"/></body></worldbody></mujoco>"#,
    );
    assert!((m.links[1].inertia.unwrap().mass - 8.0 * 0.1 * 0.2 * 0.3 * 10.0).abs() < 1e-14);
}

/// Against the reference implementation (version 4.0.0).
#[test]
fn capsule_mass_and_fromto_orientation_agree_with_mujoco() {
    let m = model(
        r#"<mujoco><worldbody><body name="b"><joint/><geom type="capsule" size="0.1 0.2"/></body>
        <body name="c"><joint/><geom type="box" fromto="0 0 0 1 1 0" size="0.1 0.2"/></body></worldbody></mujoco>"#,
    );
    let mass = m.links[1].inertia.unwrap().mass;
    assert!((mass - 1000.0 * PI * 0.01 * (0.4 + 4.0 / 30.0)).abs() < 1e-10 && (mass - 16.7552).abs() < 1e-4);
    let X = m.links[2].collisions[0].X_BG;
    let r = X.rotation;
    for (found, expected) in [r.w, r.i, r.j, r.k].into_iter().zip([0.5_f64.sqrt(), 0.5, -0.5, 0.0]) {
        assert!((found - expected).abs() < 1e-12, "{r}");
    }
    assert!((X.translation.vector - Vector3::new(0.5, 0.5, 0.0)).norm() < 1e-15);
}

#[test]
fn euler_angles_turn_with_small_letters_and_stay_with_capitals() {
    // x, turned by a quarter about z: y; then about the x that turns along: z, or about the x that stays before that:
    // y.
    for (sequence, expected) in [("xyz", Vector3::z()), ("XYZ", Vector3::y())] {
        let m = model(&format!(
            r#"<mujoco><compiler eulerseq="{sequence}"/><worldbody><body name="b" euler="90 0 90">
            <body name="c" pos="1 0 0">{BALL}</body></body></worldbody></mujoco>"#
        ));
        let found = place(&m, "c", &[]);
        assert!((found - expected).norm() < 1e-15, "{sequence}: {found}");
    }
}

/// kp 7, kv 2, gear 3 at q = 0.01, v = 0.02 under the control 0.05: the reference gives 0.06, and 3 at the clamp.
#[test]
fn servos_and_their_ranges() {
    let actuator = |more: &str| {
        let m = model(&format!(
            r#"<mujoco><default><position kp="7"/></default>
            <worldbody><body><joint name="j"/>{BALL}</body></worldbody>
            <actuator><position name="a" joint="j" kv="2" gear="3" {more}/></actuator></mujoco>"#
        ));
        m.scene.actuators[0].clone()
    };
    let a = actuator("");
    let (gain, bias) = (Factor::Affine([7.0, 0.0, 0.0]), Factor::Affine([0.0, -7.0, -2.0]));
    assert_eq!((a.gain, a.bias, a.joints), (gain, bias, vec![("j".to_owned(), 3.0)]));
    let a = actuator(r#"forcerange="-1 1" ctrlrange="-2 2" ctrllimited="false""#);
    assert_eq!((a.force_range, a.control_range), ((-1.0, 1.0), (f64::NEG_INFINITY, f64::INFINITY)));
}

/// T = 0.1 and ζ = 1 on an inertia of 0.05864: k = 5.864, c = 1.173.
#[test]
fn a_spring_damper_is_scaled_by_the_inertia() {
    let m = model(
        r#"<mujoco><worldbody><body><joint axis="0 0 1" springdamper="0.1 1" springref="30"/>
        <inertial pos="0 0 0" mass="1" diaginertia="0.05864 0.05864 0.05864"/></body></worldbody></mujoco>"#,
    );
    let (stiffness, rest) = m.joints[0].spring.unwrap();
    assert!((stiffness - 5.864).abs() < 1e-12 && (rest - PI / 6.0).abs() < 1e-15);
    assert!((m.joints[0].damping - 1.1728).abs() < 1e-12);
}

#[test]
fn all_masses_are_scaled_to_the_total() {
    let m = model(&format!(
        r#"<mujoco><compiler settotalmass="14"/><worldbody>{BALL}<body><joint/>{BALL}</body>
        <body><joint/>{BALL}</body></worldbody></mujoco>"#
    ));
    let masses: Vec<f64> = m.links.iter().filter_map(|l| l.inertia).map(|i| i.mass).collect();
    assert!(masses.iter().all(|mass| (mass - 7.0).abs() < 1e-13) && masses.len() == 2);
}

#[test]
fn equalities_hold_the_initial_configuration() {
    let m = model(&format!(
        r#"<mujoco><compiler angle="radian"/><worldbody>
        <body name="a" pos="1 0 0"><joint name="p" ref="0.2"/>{BALL}</body>
        <body name="b" pos="0 2 0"><joint name="q"/>{BALL}</body></worldbody>
        <tendon><fixed name="t"><joint joint="p" coef="0.5"/><joint joint="q" coef="-2"/></fixed></tendon>
        <equality><connect body1="a" body2="b" anchor="0 1 0"/><joint joint1="q" joint2="p" polycoef="0.1 3"/>
        <tendon tendon1="t" active="false"/></equality></mujoco>"#
    ));
    // Both turn about their centres of mass, which cannot move: what holds them does not yield.
    let CouplingLaw::Ball([(a, X_A), (b, X_B)]) = &m.scene.couplings[0].law else { panic!() };
    assert_eq!((a.as_str(), b.as_str()), ("a", "b"));
    assert_eq!(X_A.translation.vector, Vector3::y());
    assert!((X_B.translation.vector - Vector3::new(1.0, -1.0, 0.0)).norm() < 1e-15);
    // q - 0 = 0.1 + 3 (p - 0.2)
    let CouplingLaw::Joints { joints, offset, .. } = &m.scene.couplings[1].law else { panic!() };
    assert_eq!(joints[..], [("q".to_owned(), 1.0), ("p".to_owned(), -3.0)]);
    assert!((offset - (0.1 - 0.6)).abs() < 1e-15);
    assert!(!m.scene.couplings[2].active);
}

/// The format has the place before the turn, and turns in the body's axes.
#[test]
fn keyframes_have_quaternions_first() {
    let m = model(&format!(
        r#"<mujoco><worldbody><body><freejoint/>{BALL}</body><body><joint ref="90"/>{BALL}</body></worldbody>
        <keyframe><key name="k" qpos="1 2 3 0 1 0 0 0.7" qvel="4 5 6 0 1 0 8"/><key/></keyframe></mujoco>"#
    ));
    let key = &m.scene.keyframes[0];
    assert_eq!(key.positions, [0.0, 1.0, 0.0, 0.0, 1.0, 2.0, 3.0, 0.7]);
    // Half a turn about x: the body's y is the world's -y.
    let expected = [0.0, -1.0, 0.0, 4.0, 5.0, 6.0, 8.0];
    assert!(key.velocities.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15));
    assert_eq!(m.scene.keyframes[1].positions, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, PI / 2.0]);
}

#[test]
fn several_free_bodies_are_one_model() {
    let m = model(&format!(
        r#"<mujoco><option gravity="0 0 -1.6"><flag gravity="disable"/></option><worldbody>
        <geom type="plane" size="1 1 1"/><body name="a" pos="0 0 1"><freejoint/>{BALL}</body>
        <body name="b" pos="0 0 2"><freejoint/>{BALL}</body></worldbody></mujoco>"#
    ));
    assert_eq!(m.scene.gravity, Some(Vector3::zeros()));
    let tree = tree(&m);
    assert_eq!((tree.num_positions(), tree.num_velocities()), (14, 12));
    assert_eq!(tree.initial_positions()[6..14], [1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0]);
    assert_eq!(tree.cliques().len(), 2);
}

/// `frame` moves what it holds, joints too.
#[test]
fn frames_are_folded_into_the_poses_of_their_contents() {
    let m = model(&format!(
        r#"<mujoco><worldbody><frame pos="1 0 0" euler="0 0 90"><body name="b" pos="1 0 0"><joint axis="1 0 0"/>{BALL}
        <frame pos="0 0 1"><geom type="box" size="1 1 1"/></frame></body></frame></worldbody></mujoco>"#
    ));
    assert!((place(&m, "b", &[0.0]) - Vector3::new(1.0, 1.0, 0.0)).norm() < 1e-15);
    assert_eq!(m.links[1].collisions[1].X_BG.translation.vector, Vector3::z());
}

#[test]
fn unsupported_features_are_noted_with_their_place() {
    let loaded = load(&format!(
        "<mujoco><worldbody>\n<body><joint actuatorgravcomp='true'/>{BALL}<geom type='box' mesh='h'/></body>\n\
         </worldbody>\n<asset><mesh name='h' vertex='0 0 0 1 0 0 0 1 0 1 1 0'/></asset>\
         <actuator><muscle joint='body1_joint'/></actuator><sensor><contact/></sensor></mujoco>"
    ));
    let notes: Vec<String> = loaded.notes.iter().map(ToString::to_string).collect();
    let has = |text: &str| notes.iter().any(|note| note.contains(text));
    assert!(has("test.xml:2:32: `actuatorgravcomp` of <joint> is not simulated"), "{notes:#?}");
    assert!(has("fits a primitive to a mesh") && has("is a muscle") && has("<contact> is not simulated"));
    assert!(loaded.notes.iter().any(|note| note.kind.is_loss()));
    assert!(loaded.model.scene.actuators[0].joints.is_empty());
}

#[test]
fn sensors_are_read_and_unknown_objects_are_faults() {
    let text = |sensors: &str| {
        format!(
            "<mujoco><worldbody><body name='b'><joint name='hinge'/>{BALL}<site name='tip'/></body></worldbody>\
             <sensor>{sensors}</sensor></mujoco>"
        )
    };
    let loaded = load(&text("<gyro name='spin' site='tip' cutoff='2'/><jointpos joint='hinge'/><clock/>"));
    let sensors = &loaded.model.scene.sensors;
    assert_eq!(sensors.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(), ["spin", "jointpos", "clock"]);
    assert_eq!(sensors[0].cutoff, 2.0);
    let wrong = "<gyro site='tp'/><jointpos/><ballquat joint='hinge'/><gyro site='tip' cutof='1'/><gyr site='tip'/>";
    let faults = parse_mjcf(&text(wrong), "test.xml", &LoadOptions::default()).unwrap_err().to_string();
    for expected in ["tp", "joint", "is no ball joint", "cutof", "gyro"] {
        assert!(faults.contains(expected), "{expected}: {faults}");
    }
}

#[test]
fn unknown_elements_and_attributes_are_faults_with_the_nearest_name() {
    let faults = parse_mjcf(
        "<mujoco><worldbody><body><geo size='1'/><geom size='1' frction='1'/><joint tpye='hinge'/></body>\n<wrld/></worldbody>\
         <actuator><moter joint='j'/></actuator></mujoco>",
        "test.xml",
        &LoadOptions::default(),
    );
    let faults: Vec<String> = faults.unwrap_err().faults.iter().map(ToString::to_string).collect();
    for expected in [
        "<geo> is no element of the format (did you mean \"geom\"?)",
        "has no attribute `frction` (did you mean \"friction\"?)",
        "has no attribute `tpye` (did you mean \"type\"?)",
        "test.xml:2:2: <wrld> is no element of the format",
        "<moter> is no element of the format (did you mean \"motor\"?)",
    ] {
        assert!(faults.iter().any(|fault| fault.contains(expected)), "{expected} in {faults:#?}");
    }
}

/// Heights are scaled to the third number of `size`, and rows come from the greatest y on; ellipsoids are ellipsoids.
#[test]
fn height_fields_are_triangles_and_ellipsoids_themselves() {
    let text =
        "<mujoco><asset><hfield name='hill' nrow='2' ncol='3' size='2 1 0.5 0.1' elevation='1 1 1 5 9 5'/></asset>
        <worldbody><geom type='hfield' hfield='hill'/><geom type='ellipsoid' size='.3 .2 .1'/></worldbody></mujoco>";
    let shapes: Vec<Shape> = model(text).links[0].collisions.iter().map(|c| c.shape.clone()).collect();
    let [Shape::Mesh(hill), Shape::Ellipsoid { semi_axes }] = &shapes[..] else { panic!("{shapes:?}") };
    assert_eq!(*semi_axes, Vector3::new(0.3, 0.2, 0.1));
    let top = hill.vertices().iter().find(|v| v.z == 0.5).unwrap();
    assert_eq!((top.x, top.y), (0.0, -1.0));
    // Six heights, their places on the bottom, and its middle.
    assert_eq!(hill.vertices().len(), 13);
    let unknown = fault("<mujoco><worldbody><geom type='hfield' hfield='hil'/></worldbody></mujoco>");
    assert!(unknown.contains("height field \"hil\""), "{unknown}");
}

/// Colours and images of materials as MuJoCo takes them; which group is drawn.
#[test]
fn geoms_look_as_their_materials_say() {
    use kinegraph_core::scene::{Image, Mapping, PatternRule};
    let model = model(
        "<mujoco><default><material texuniform='true'/></default><asset>
        <texture name='board' type='2d' builtin='checker' rgb1='1 0 0' width='8' height='6'/>
        <texture name='sky' builtin='gradient' width='4'/>
        <material name='floor' texture='board' texrepeat='5 4'/>
        <material name='near' texture='board' texrepeat='1 2' texuniform='false'/>
        <material name='dice' texture='sky' texuniform='false' rgba='1 1 0 1'/></asset>
        <worldbody><geom type='plane' size='0 0 1' material='floor'/>
        <body name='a'><freejoint/><geom type='box' size='.1 .2 .4' material='near' rgba='0 0 1 1'/></body>
        <body name='b'><freejoint/><geom type='box' size='.1 .2 .4' material='dice' rgba='.5 .5 .5 1'/>
        <geom size='.1' group='3'/></body></worldbody></mujoco>",
    );
    let look = |link: &str| {
        let link = model.links.iter().find(|one| one.name == link).unwrap();
        let [visual] = &link.visuals[..] else { panic!("{:?}", link.visuals) };
        let look = visual.appearance.as_ref().unwrap();
        (look.rgba.unwrap(), look.texture.clone().unwrap())
    };
    let (rgba, floor) = look("world");
    let Image::Pattern(pattern) = &floor.image else { panic!("{floor:?}") };
    assert_eq!((pattern.rule, pattern.size, pattern.cube), (PatternRule::Checker, [8, 6], false));
    assert_eq!((rgba, floor.mapping), ([1.0; 4], Mapping::Plane { repeats: [2.5, 2.0] }));
    let (rgba, near) = look("a");
    assert_eq!((rgba, near.mapping), ([0.0, 0.0, 1.0, 1.0], Mapping::Plane { repeats: [5.0, 5.0] }));
    // The colour of geoms that say nothing stands behind that of the material.
    let (rgba, dice) = look("b");
    assert_eq!((rgba, dice.mapping), ([1.0, 1.0, 0.0, 1.0], Mapping::Cube { factors: [10.0, 5.0, 2.5] }));
}

#[test]
fn all_faults_are_reported_together_with_what_to_do() {
    let text = fault(
        r#"<mujoco><worldbody><body name="b"><joint axis="0 0 0"/><geom size="-1"/><geom type="bxo"/>
        <body name="b"><freejoint/></body></body><body childclass="none" quat="1 0 0 0" euler="0 0 0"/></worldbody>
        <actuator><motor joint="elbow"/></actuator><contact><exclude body1="b"/></contact></mujoco>"#,
    );
    for part in [
        "`axis` of <joint> is zero",
        "`size` of <geom> is -1",
        "did you mean \"box\"",
        "a second body is named \"b\"",
        "the only joint of its body",
        "the class \"none\"",
        "both `quat` and `euler`",
        "the joint \"elbow\"",
        "`body2`",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

/// A free body without inertia under a ball joint could spin as it likes.
#[test]
fn a_body_that_nothing_determines_is_named() {
    let text = fault(&format!(
        r#"<mujoco><worldbody><body><freejoint name="loose"/><inertial pos="0 0 0" mass="1"/>
        <body><joint type="ball"/>{BALL}</body></body></worldbody></mujoco>"#
    ));
    assert!(text.contains("\"loose\"") && text.contains("nothing determines"), "{text}");
    // A frame between two hinges has no inertia of its own, and needs none.
    model(&format!(
        r#"<mujoco><worldbody><body><joint axis="1 0 0"/><body><joint axis="0 1 0"/>{BALL}</body></body></worldbody>
        </mujoco>"#
    ));
}

#[test]
fn hostile_text_is_refused_with_a_message() {
    let deep = format!("<mujoco><worldbody>{}{}</worldbody></mujoco>", "<body>".repeat(500), "</body>".repeat(500));
    assert!(fault(&deep).contains("nested deeper"));
    let bomb = r#"<!DOCTYPE m [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><mujoco model="&b;"/>"#;
    assert!(fault(bomb).contains("DOCTYPE"));
    assert!(fault(r#"<mujoco><include file="../../../etc/passwd"/></mujoco>"#).contains("outside the folder"));
    assert!(fault(r#"<mujoco><include file="/etc/passwd"/></mujoco>"#).contains("outside the folder"));
    assert!(fault(r#"<mujoco><include file="nowhere.xml"/></mujoco>"#).contains("cannot include"));
    assert!(fault(r#"<mujoco><compiler coordinate="global"/></mujoco>"#).contains("local coordinates"));
    assert!(fault("<robot/>").contains("<mujoco>"));
    assert!(fault("<mujoco>").contains("closed"));
    assert!(fault(r#"<mujoco><option gravity="0 0 1e999"/></mujoco>"#).contains("not a finite number"));
}

/// A ratio of damping in a class is that of servos: a `<general>` without a spring has none.
#[test]
fn a_damping_ratio_counts_for_servos_alone() {
    let m = model(&format!(
        r#"<mujoco><default><position kp="4" dampratio="0.7"/></default><worldbody><body><joint name="j"/>{BALL}</body>
        </worldbody><actuator><general joint="j" gaintype="fixed" biastype="none" gainprm="-0.4"/><position joint="j"/>
        </actuator></mujoco>"#
    ));
    let biases: Vec<Factor> = m.scene.actuators.iter().map(|of| of.bias).collect();
    assert_eq!(biases[0], Factor::ZERO);
    assert!(matches!(biases[1], Factor::Affine([0.0, -4.0, damping]) if damping < 0.0), "{biases:?}");
}

/// Flexible bodies are not simulated: how much is missing is said; a skin is only drawn.
#[test]
fn notes_state_how_much_of_flexible_bodies_is_missing() {
    let text = format!(
        r#"<mujoco><worldbody><body name="a">{BALL}</body>
        <flexcomp name="cloth" type="grid" count="4 5 1" spacing=".1 .1 .1" mass="0.3" dim="2"/></worldbody>
        <deformable><flex name="f" body="a a" vertex="0 0 0"/><skin name="s"/></deformable></mujoco>"#
    );
    let loaded = parse_mjcf(&text, "m.xml", &LoadOptions::default()).unwrap();
    let notes: Vec<String> = loaded.notes.iter().map(ToString::to_string).collect();
    for part in
        ["\"cloth\" is not read: 20 points with 0.3 kg", "\"f\" is not read: what holds 2 bodies", "\"s\" is not"]
    {
        assert!(notes.iter().any(|note| note.contains(part)), "{part}: {notes:?}");
    }
}

/// A file is included once, from the folder of the main file, and not within itself.
#[test]
fn includes_are_relative_to_the_main_file() {
    let folder = std::env::temp_dir().join(format!("kinegraph-mjcf-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("parts")).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write(
        "parts/arm.xml",
        r#"<mujocoinclude><body name="arm"><include file="parts/ball.xml"/><joint/></body></mujocoinclude>"#,
    );
    write("parts/ball.xml", r#"<mujoco><geom size="0.1" mass="2"/></mujoco>"#);
    write("ring.xml", r#"<mujoco><include file="ring.xml"/></mujoco>"#);
    let main = folder.join("main.xml");
    let parse = |text: &str| parse_mjcf(text, &main.display().to_string(), &LoadOptions::default());
    let loaded = parse(r#"<mujoco><worldbody><include file="parts/arm.xml"/></worldbody></mujoco>"#).unwrap();
    assert_eq!(loaded.model.links[1].inertia.unwrap().mass, 2.0);
    let twice = r#"<mujoco><include file="ring.xml"/><include file="parts/ball.xml"/><include file="./parts/ball.xml"/></mujoco>"#;
    let faults = parse(twice).unwrap_err().faults;
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert!(faults.iter().all(|fault| fault.kind.to_string().contains("included already")));
    assert!(faults.iter().any(|fault| fault.file.ends_with("ring.xml") && fault.line == 1));
    std::fs::remove_dir_all(folder).unwrap();
}
