//! Features of files in published collections that were read differently, or not at all: pairs with a surface of their
//! own, margins, short keyframes, attached files without names, points without faces, packages within folders of their
//! name. Figures called "reference" are those of MuJoCo 4.0.0 on the same file.

use super::small_models::{after_a_second, folder, scenario};

/// A ball of 0.1 m radius over a floor, with attributes of both and of the section `<contact>`.
fn ball(floor: &str, ball: &str, contact: &str) -> String {
    format!(
        r#"<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1" {floor}/>
<body name="b" pos="0 0 .12"><freejoint name="b"/><geom name="ball" size=".1" {ball}/></body></worldbody>
<contact>{contact}</contact></mujoco>"#
    )
}

/// The heights are the reference's: margins of two geoms add up, a gap exerts no force, and a pair has its own margin
/// alone.
#[test]
fn bodies_with_a_margin_rest_above_the_ground() {
    let pair = |more: &str| format!(r#"<pair geom1="floor" geom2="ball" {more}/>"#);
    for (name, text, height) in [
        ("none", ball("", "", ""), 0.0996328),
        ("one", ball(r#"margin="0.01""#, "", ""), 0.1096328),
        ("two", ball(r#"margin="0.01" gap="0.004""#, r#"margin="0.02" gap="0.003""#, ""), 0.1296328),
        ("gap", ball(r#"gap="0.05""#, "", ""), 0.0996328),
        ("pair", ball(r#"margin="0.01""#, "", &pair(r#"margin="0.03" gap="0.01""#)), 0.1296328),
        ("bare", ball(r#"margin="0.01""#, "", &pair("")), 0.0996328),
        ("soft", ball("", "", &pair(r#"solref="0.04 1" margin="0.01""#)), 0.1091667),
    ] {
        let z = after_a_second(&format!("margin_{name}"), &text, "b.pose.pz");
        assert!((z - height).abs() < 2e-5, "{name}: {z} m instead of {height} m");
    }
}

/// The friction of a pair is its own, whatever that of its geoms: 3 m/s² along the floor against μ g.
#[test]
fn a_pair_has_its_own_friction() {
    for (mu, friction) in [(0.1, r#"friction="0.1""#), (0.2, r#"friction="0.2 0.2" condim="3""#)] {
        let text = format!(
            r#"<mujoco><option gravity="3 0 -9.81"/><worldbody>
<geom name="floor" type="plane" size="9 9 1" friction="2"/>
<body name="b" pos="0 0 .1"><freejoint name="b"/><geom name="box" type="box" size=".3 .3 .1" friction="2"/></body>
</worldbody><contact><pair geom1="box" geom2="floor" {friction}/></contact></mujoco>"#
        );
        let x = after_a_second(&format!("pair_friction_{mu}"), &text, "b.pose.px");
        let expected = 0.5 * (3.0 - mu * 9.81);
        assert!((x - expected).abs() < 0.01, "{x} m instead of {expected} m at {mu}");
    }
}

/// States that a keyframe does not list have their default values.
#[test]
fn a_keyframe_may_be_shorter_than_the_state() {
    let text = r#"<mujoco><option gravity="0 0 0"/><worldbody><body name="b" pos="0 0 5"><freejoint name="b"/>
<geom size=".1"/><body><joint name="j" ref="90"/><geom size=".1" pos="1 0 0"/></body></body></worldbody>
<keyframe><key name="k" qpos="1 2 3"/></keyframe></mujoco>"#;
    let folder = folder("short_key", &[("m.xml", text)]);
    let mut simulation = scenario(&folder, "file: m.xml, keyframe: k").unwrap().simulation().unwrap();
    let mut read = |channel: &str| simulation.channel(&format!("plant.m.{channel}")).unwrap();
    assert_eq!(["b.pose.px", "b.pose.py", "b.pose.pz"].map(&mut read), [1.0, 2.0, 3.0]);
    assert!((read("j.q") - std::f64::consts::FRAC_PI_2).abs() < 1e-12);
    let long = text.replace(r#""1 2 3""#, r#""1 2 3 4 5 6 7 8 9""#);
    let folder = super::small_models::folder("long_key", &[("m.xml", &long)]);
    let message = scenario(&folder, "file: m.xml, keyframe: k").expect_err("too many numbers");
    assert!(message.contains("at most 8"), "{message}");
}

/// The keyframes of an attached file have their own names and places; the rest of the state has its default values.
/// Figures are the reference's.
#[test]
fn keyframes_come_along_with_attached_files() {
    let part = r#"<mujoco><worldbody><body name="a"><joint name="j" axis="0 1 0" ref="10"/><geom size=".1"/>
<body name="b" pos="0 0 .5"><joint name="f" type="ball"/><geom size=".1"/></body></body></worldbody>
<actuator><position name="p" joint="j"/></actuator>
<keyframe><key name="up" qpos=".3 .8 .6 0 0" qvel="1 2 3 4" ctrl=".7"/></keyframe></mujoco>"#;
    let main = r#"<mujoco><asset><model name="p" file="part.xml"/></asset><worldbody><body name="own">
<joint name="own" type="slide" ref=".25"/><geom size=".1"/></body>
<attach model="p" prefix="l_"/><frame pos="2 0 0"><attach model="p" prefix="r_"/></frame></worldbody>
<actuator><motor joint="own"/></actuator><keyframe><key name="all" qpos="9 8 1 0 0 0 7 1 0 0 0"/></keyframe></mujoco>"#;
    let folder = folder("attached_keys", &[("m.xml", main), ("part.xml", part)]);
    let at = |key: &str, channels: [&str; 5]| {
        let model = format!("file: m.xml, keyframe: {key}");
        let mut simulation = scenario(&folder, &model).unwrap_or_else(|e| panic!("{e}")).simulation().unwrap();
        channels.map(|channel| simulation.channel(&format!("plant.m.{channel}")).unwrap())
    };
    let near = |found: [f64; 5], expected: [f64; 5]| {
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-8), "{found:?} {expected:?}");
    };
    let joints = ["own.q", "l_j.q", "l_f.qw", "r_j.q", "r_f.qx"];
    near(at("all", joints), [9.0, 8.0, 1.0, 7.0, 0.0]);
    near(at("l_up", joints), [0.25, 0.3, 0.8, 0.17453293, 0.0]);
    near(at("r_up", joints), [0.25, 0.17453293, 1.0, 0.3, 0.6]);
    near(at("r_up", ["l_j.v", "r_j.v", "r_f.wx", "r_f.wy", "r_f.wz"]), [0.0, 1.0, 2.0, 3.0, 4.0]);
}

/// Files that are attached with one prefix, each with an outermost class of its own, and a model that is named by its
/// file.
#[test]
fn attached_files_keep_their_outermost_classes() {
    let part = |name: &str, axis: &str| {
        format!(
            r#"<mujoco model="{name}"><default><joint axis="{axis}" damping="1"/><default class="thick_{name}">
<geom size=".2"/></default></default><worldbody><body name="{name}"><joint name="{name}" type="slide"/>
<geom class="thick_{name}"/></body></worldbody></mujoco>"#
        )
    };
    let main = r#"<mujoco><asset><model name="one" file="one.xml"/><model file="two.xml"/></asset><worldbody>
<attach model="one" prefix=""/><attach model="two" prefix=""/></worldbody></mujoco>"#;
    let files = [("m.xml", main), ("one.xml", &part("one", "1 0 0")), ("two.xml", &part("two", "0 0 1"))];
    let folder = folder("attached_classes", &files);
    let mut simulation = scenario(&folder, "file: m.xml").unwrap_or_else(|e| panic!("{e}")).simulation().unwrap();
    simulation.advance_to(0.1).unwrap();
    let mut read = |channel: &str| simulation.channel(&format!("plant.m.{channel}")).unwrap();
    assert_eq!(read("one.v"), 0.0);
    assert!(read("two.v") < -0.9, "{}", read("two.v"));
}

/// Actuators of the groups that the option names exert no force.
#[test]
fn actuators_of_idle_groups_exert_nothing() {
    let text = |groups: &str| {
        format!(
            r#"<mujoco><option gravity="0 0 0" {groups}/><default><position group="2" kp="10"/></default><worldbody>
<body name="b"><joint name="j" type="slide" ref="1"/><geom size=".1"/></body></worldbody>
<actuator><position joint="j"/><velocity joint="j" kv="1" group="3"/></actuator></mujoco>"#
        )
    };
    let moved = |name: &str, groups: &str| after_a_second(name, &text(groups), "j.q");
    assert!(moved("groups_all", "") < 0.99);
    assert_eq!(moved("groups_idle", r#"actuatorgroupdisable="1 2""#), 1.0);
}

/// A file of points has the hull of them.
#[test]
fn points_without_faces_stand_for_their_hull() {
    let corners = (0..8).map(|i| {
        let of = |bit: u32| if i >> bit & 1 == 1 { 0.5 } else { -0.5 };
        format!("v {} {} {}\n", of(0), of(1), of(2))
    });
    let points: String = corners.collect();
    let text = r#"<mujoco><asset><mesh name="cube" file="cube.obj"/></asset><worldbody>
<geom type="plane" size="1 1 1"/><body name="b" pos="0 0 .51"><freejoint name="b"/>
<geom type="mesh" mesh="cube"/></body>
</worldbody></mujoco>"#;
    let folder = folder("points", &[("m.xml", text), ("cube.obj", &points)]);
    let mut simulation = scenario(&folder, "file: m.xml").unwrap_or_else(|e| panic!("{e}")).simulation().unwrap();
    simulation.advance_to(1.0).unwrap();
    let z = simulation.channel("plant.m.b.pose.pz").unwrap();
    assert!((z - 0.4996).abs() < 1e-4, "{z} m");
}

const TETRAHEDRON: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

fn robot(mesh: &str, more: &str) -> String {
    format!(
        "<robot name='r'>{more}<link name='l'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' \
         ixz='0' iyz='0'/></inertial><collision><geometry><mesh filename='{mesh}'/></geometry></collision></link>\
         </robot>"
    )
}

/// If a folder contains one of its own name, the package is the one with the file.
#[test]
fn a_package_may_lie_in_a_folder_of_its_name() {
    let robot = robot("package://hand/meshes/t.obj", "");
    let files = [("hand/hand/urdf/r.urdf", robot.as_str()), ("hand/hand/meshes/t.obj", TETRAHEDRON)];
    let folder = folder("packages", &files);
    scenario(&folder, "file: hand/hand/urdf/r.urdf, base: fixed").unwrap_or_else(|e| panic!("{e}"));
}

/// The tag of MuJoCo's compiler in a URDF file states where meshes are; a file at its address comes first.
#[test]
fn meshes_of_a_urdf_lie_where_its_compiler_says() {
    let compiler = "<mujoco><compiler meshdir='../assets' balanceinertia='true'/></mujoco>";
    let robot = robot("somewhere/t.obj", compiler);
    let files = [("urdf/r.urdf", robot.as_str()), ("assets/t.obj", TETRAHEDRON)];
    let folder = folder("mesh_folder", &files);
    scenario(&folder, "file: urdf/r.urdf, base: fixed").unwrap_or_else(|e| panic!("{e}"));
}

/// A servo of a rotation turns the shorter way: controls that differ by full turns are equivalent, as in the reference.
#[test]
fn servos_of_rotations_turn_the_shorter_way() {
    let text = |joint: &str, target: &str| {
        format!(
            r#"<mujoco><option gravity="0 0 0"/><worldbody><site name="w"/><body name="b"><joint name="j" {joint}/>
<geom size=".2"/><site name="s"/></body></worldbody>
<actuator><position {target} kp="50" kv="20" gear="GEAR"/></actuator>
<keyframe><key name="k" ctrl="CONTROL"/></keyframe></mujoco>"#
        )
    };
    let hinge = r#"type="hinge" axis="0 1 0""#;
    let site = text(hinge, r#"site="s" refsite="w""#).replace("GEAR", "0 0 0 0 2 0");
    let ball = text(r#"type="ball""#, r#"joint="j""#).replace("GEAR", "0 2 0");
    for (name, text, channel) in [("site", site, "j.q"), ("ball", ball, "j.wy")] {
        let after = |control: f64| {
            let name = format!("turns_{name}_{control}");
            let folder = folder(&name, &[("m.xml", &text.replace("CONTROL", &control.to_string()))]);
            let mut simulation = scenario(&folder, "file: m.xml, keyframe: k").unwrap().simulation().unwrap();
            simulation.advance_to(0.1).unwrap();
            simulation.channel(&format!("plant.m.{channel}")).unwrap()
        };
        let (short, around) = (after(0.5), after(0.5 - 6.0 * std::f64::consts::TAU));
        assert!(short > 0.0 && (short - around).abs() < 1e-9, "{name}: {short} and {around}");
    }
}
