//! Small model files with a clear meaning in other simulators: contact, joints, files. Figures called "reference" are
//! those of MuJoCo 4.0.0 on the same file.

use super::command;
use kinegraph::files::load_str;
use kinegraph::scenario::Scenario;
use kinegraph::systems::models::LoadOptions;
use std::path::{Path, PathBuf};

/// A folder of this test with these files.
pub fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("small_models").join(name);
    for (file, text) in files {
        let path = folder.join(file);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    folder
}

/// The scenario of a plant with the model `m` of a file in `folder`, or its faults.
pub fn scenario(folder: &Path, model: &str) -> Result<Scenario, String> {
    let text = format!(
        "kinegraph: 1\nsystems: {{plant: {{type: multibody_plant, models: [{{name: m, {model}}}]}}}}\n\
         simulation: {{duration: 1}}\n"
    );
    let loaded = load_str(&folder.join("d.yaml"), &text, &[]).map_err(|error| error.to_string())?;
    Scenario::build(&loaded.diagram, &loaded.loader).ok_or_else(|| loaded.failed().to_string())
}

/// The channel `plant.m.CHANNEL` after a second of the model in one MJCF file.
pub fn after_a_second(name: &str, text: &str, channel: &str) -> f64 {
    let folder = folder(name, &[("m.xml", text)]);
    let mut simulation = scenario(&folder, "file: m.xml").expect("a scenario").simulation().expect("an integrator");
    simulation.advance_to(1.0).expect("a run");
    simulation.channel(&format!("plant.m.{channel}")).expect("a channel")
}

#[test]
fn a_pair_touches_whatever_the_bits_of_its_geoms_say() {
    let text = r#"<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>
<body name="b" pos="0 0 .25"><freejoint name="b"/><geom name="ball" size=".05" contype="0" conaffinity="0"/></body>
<body name="other" pos="1 0 .25"><freejoint name="other"/><geom size=".05" contype="0" conaffinity="0"/></body>
</worldbody><contact><pair geom1="ball" geom2="floor"/></contact></mujoco>"#;
    let (z, other) = (after_a_second("pair", text, "b.pose.pz"), after_a_second("pair", text, "other.pose.pz"));
    assert!((z - 0.0496).abs() < 1e-4, "{z} m");
    assert!(other < -4.0, "what is in no pair touches nothing: {other} m");
}

#[test]
fn a_body_that_starts_at_its_static_depth_in_a_fixed_body_stays() {
    let text = r#"<mujoco><worldbody><body name="table"><geom type="box" size=".5 .5 .3" pos="0 0 -.3"/></body>
<body name="peg" pos="0 0 .0197"><freejoint name="peg"/><geom type="box" size=".03 .1 .02"/></body></worldbody></mujoco>"#;
    let z = after_a_second("overlap", text, "peg.pose.pz");
    assert!((z - 0.01963).abs() < 1e-4, "{z} m");
}

/// The reference: 0.0998 m and 0.2996 m; boxes that overlap as written only by their depths of rest are not parts that
/// overlap.
#[test]
fn floating_bodies_in_a_stack_stay_at_their_static_depth() {
    let text = r#"<mujoco><worldbody><geom type="plane" size="5 5 .1"/>
<body name="b" pos="0 0 .0996"><freejoint name="b"/><geom type="box" size=".1 .1 .1"/></body>
<body name="c" pos="0 0 .2992"><freejoint name="c"/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"#;
    let (b, c) = (after_a_second("stack", text, "b.pose.pz"), after_a_second("stack", text, "c.pose.pz"));
    assert!((b - 0.0994).abs() < 1e-3 && (c - 0.2990).abs() < 1.5e-3, "{b} m, {c} m");
    // Deeper than all weight explains they are parts of one thing.
    let deep = text.replace(".2992", ".25");
    let c = after_a_second("deep_stack", &deep, "c.pose.pz");
    assert!(c < 0.25, "{c} m");
}

#[test]
fn the_energy_of_a_start_inside_the_floor_is_no_energy_from_nowhere() {
    let text = r#"<mujoco><worldbody><geom type="plane" size="1 1 1"/>
<body name="peg" pos="0 0 .018"><freejoint name="peg"/><geom type="box" size=".03 .1 .02"/></body></worldbody></mujoco>"#;
    let folder = folder("start_energy", &[("m.xml", text)]);
    let file = folder.join("d.yaml");
    let diagram = "kinegraph: 1\nsystems: {plant: {type: multibody_plant, models: [{name: m, file: m.xml}]}}\n\
                   simulation: {duration: 1}\n";
    std::fs::write(&file, diagram).expect("a file");
    let (code, said) = run(&["run", file.to_str().expect("a path")]);
    assert_eq!(code, 0, "{said}");
}

#[test]
fn joints_that_start_beyond_their_stops_may_lift_what_they_carry() {
    let text = r#"<mujoco><worldbody><body><joint name="j" axis="0 -1 0" range="0 90"/><geom type="capsule" size=".05 .3"
pos=".3 0 0"/></body></worldbody><keyframe><key name="low" qpos="-0.3"/></keyframe></mujoco>"#;
    let folder = folder("beyond", &[("m.xml", text)]);
    let file = folder.join("d.yaml");
    let diagram = "kinegraph: 1\nsystems: {plant: {type: multibody_plant, models: [{name: m, file: m.xml, keyframe: low}]}}\n\
                   simulation: {duration: 1}\n";
    std::fs::write(&file, diagram).expect("a file");
    let (code, said) = run(&["run", file.to_str().expect("a path")]);
    assert_eq!(code, 0, "{said}");
}

/// Returns the exit code of `kinegraph ARGS`, and all its output.
fn run(args: &[&str]) -> (u8, String) {
    let (code, out, err) = command::kinegraph(args);
    (code, out + &err)
}

#[test]
fn a_default_of_muscles_does_not_change_other_actuators() {
    let servo = |default: &str| {
        let text = format!(
            r#"<mujoco><default>{default}</default><worldbody><body><joint name="j" axis="0 1 0"/>
<geom type="capsule" size=".05 .3" pos=".3 0 0"/></body></worldbody>
<actuator><position joint="j" kp="2"/></actuator></mujoco>"#
        );
        after_a_second(if default.is_empty() { "servo" } else { "muscle_default" }, &text, "j.q")
    };
    let (plain, beside) = (servo(""), servo(r#"<muscle timeconst=".02 .04"/>"#));
    assert_eq!(plain, beside);
    // Without its actuator it would swing to 2.55 rad.
    assert!((plain - 1.49).abs() < 0.02, "{plain} rad");
}

#[test]
fn a_keyframe_gives_muscles_their_activation() {
    let text = r#"<mujoco><worldbody><body><joint name="j" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body></worldbody>
<actuator><muscle joint="j" lengthrange="-1 1"/></actuator><keyframe><key name="k" qpos="0.1" act="0.2"/></keyframe></mujoco>"#;
    let folder = folder("act", &[("m.xml", text)]);
    assert!(scenario(&folder, "file: m.xml, keyframe: k").is_ok());
}

#[test]
fn springdampers_see_the_inertia_with_all_joints_free() {
    // Reference: stiffness 36.34611111, damping 16.35575; accelerations at the start ±15.59451569 rad/s².
    let text = r#"<mujoco><option%/><worldbody><body pos="0 0 1"><joint name="a" axis="0 1 0" springdamper=".1 1.5"/>
<geom type="capsule" size=".05 .3" pos=".3 0 .1" mass="1"/><body pos=".5 0 .3"><joint name="b" axis="0 1 0"/>
<geom type="box" size=".1 .2 .3" mass="2"/></body></body></worldbody></mujoco>"#;
    let model = |name: &str, flags: &str| {
        let text = text.replace("<option%/>", flags);
        let folder = folder(name, &[("m.xml", &text)]);
        kinegraph::systems::models::read_model(&folder.join("m.xml"), &LoadOptions::default()).expect("a model").model
    };
    let joint = &model("springdamper", "").joints[0];
    let (stiffness, _) = joint.spring.expect("a spring");
    assert!((stiffness - 36.34611111).abs() < 1e-7 && (joint.damping - 16.35575).abs() < 1e-7, "{stiffness}");
    let off = r#"<option><flag spring="disable" damper="disable"/></option>"#;
    let joint = &model("springdamper_off", off).joints[0];
    assert_eq!((joint.spring.map(|(k, _)| k).unwrap_or(0.0), joint.damping), (0.0, 0.0));
}

#[test]
fn a_box_between_two_points_is_as_wide_as_thick() {
    // Reference: mass 170.082333, moments 18.283850797903604, 4.535528880100119.
    for size in [".2", ".2 .3"] {
        let text = format!(
            r#"<mujoco><worldbody><body pos="0 0 1"><freejoint/><geom type="box" size="{size}" fromto="0 0 0 .3 -1 .2"/>
</body></worldbody></mujoco>"#
        );
        let folder = folder("fromto", &[("m.xml", &text)]);
        let model = kinegraph::systems::models::read_model(&folder.join("m.xml"), &LoadOptions::default())
            .expect("a model")
            .model;
        let inertia = model.links[1].inertia.expect("an inertia");
        let moments = inertia.I_BBcm.symmetric_eigenvalues();
        assert!((inertia.mass - 170.082333).abs() < 1e-5, "{}", inertia.mass);
        assert!((moments.max() - 18.2838507979).abs() < 1e-9 && (moments.min() - 4.5355288801).abs() < 1e-9);
    }
}

const TETRAHEDRON: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

#[test]
fn files_beside_an_included_file_are_found() {
    let main = r#"<mujoco><include file="parts/a.xml"/><worldbody><body><freejoint/><geom type="mesh" mesh="t"/></body>
</worldbody></mujoco>"#;
    let part = r#"<mujocoinclude><include file="b.xml"/><asset><mesh name="t" file="t.obj"/></asset></mujocoinclude>"#;
    let deeper = r#"<mujocoinclude><worldbody><body pos="3 0 0"><freejoint/><geom size=".1"/></body></worldbody></mujocoinclude>"#;
    let files = [("m.xml", main), ("parts/a.xml", part), ("parts/b.xml", deeper), ("parts/t.obj", TETRAHEDRON)];
    let built = scenario(&folder("includes", &files), "file: m.xml");
    assert_eq!(built.expect("a scenario").diagram.state_width(), 26);
}

#[test]
fn unambiguous_xml_errors_are_accepted() {
    let text = "<!-- first --><?xml version=\"1.0\"?>\n<mujoco><!-- a -- b --><worldbody><body name=\"f\"><freejoint/>\
                <geom type=\"box\"size=\".1 .1 .1\"/></body></worldbody></mujoco>\0\0";
    assert!((after_a_second("lenient", text, "f.pose.pz") + 4.905).abs() < 1e-6);
    let urdf = "<robot name=\"r\"><!-- x -- y --><link name=\"a\"/></robot>";
    let folder = folder("lenient_urdf", &[("m.urdf", urdf)]);
    assert!(scenario(&folder, "file: m.urdf, base: fixed").is_ok());
    // Where it goes wrong for another reason, that is what is said, at its own place.
    let bad = "<robot name=\"r\"><!-- x -- y -->\n<link name=\"a\"></robot>";
    let folder = self::folder("lenient_bad", &[("m.urdf", bad)]);
    let faults = scenario(&folder, "file: m.urdf, base: fixed").expect_err("faults");
    assert!(faults.contains("m.urdf:1:"), "{faults}");
}

/// A link `a` of 1 kg and further elements.
fn urdf(rest: &str) -> String {
    let inertial =
        r#"<inertial><mass value="1"/><inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial>"#;
    format!(r#"<robot name="p"><link name="a">{inertial}{rest}</robot>"#)
}

#[test]
fn a_root_link_called_world_is_the_world() {
    let weld = r#"</link><joint name="w" type="fixed"><parent link="world"/><child link="a"/></joint>"#;
    for (name, rest) in [("implicit", weld.to_owned()), ("declared", format!(r#"{weld}<link name="world"/>"#))] {
        let folder = folder(name, &[("m.urdf", &urdf(&rest))]);
        for base in ["fixed", "floating"] {
            let built = scenario(&folder, &format!("file: m.urdf, base: {base}")).expect("a scenario");
            assert_eq!(built.diagram.state_width(), 0, "{name}, {base}");
        }
    }
}

#[test]
fn shapes_without_size_touch_in_a_point() {
    let shapes = r#"<collision><geometry><sphere radius="0"/></geometry></collision></link>"#;
    let boxes = shapes.replace(r#"<sphere radius="0"/>"#, r#"<box size="0 0 0"/>"#);
    for shape in [shapes, &boxes] {
        let folder = folder("point", &[("m.urdf", &urdf(shape))]);
        let text = "kinegraph: 1\nsystems: {plant: {type: multibody_plant, ground: {height: 0}, models: [{name: m, \
                    file: m.urdf, base: floating, pose: {xyz: [0, 0, 0.01]}}]}}\nsimulation: {duration: 0.5}\n";
        let loaded = load_str(&folder.join("d.yaml"), text, &[]).expect("a file");
        let scenario = Scenario::build(&loaded.diagram, &loaded.loader).expect("a scenario");
        let mut simulation = scenario.simulation().expect("an integrator");
        simulation.advance_to(0.5).expect("a run");
        let z = simulation.channel("plant.m.a.pose.pz").expect("a channel");
        assert!(z.abs() < 1e-3, "{z} m");
    }
}

#[test]
fn links_without_mass_are_accepted_unless_they_can_move_alone() {
    let base = r#"</link><link name="base"><inertial><mass value="0"/>
<inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="prismatic"><parent link="base"/><child link="a"/><limit lower="-1" upper="1"/></joint>"#;
    let folder = folder("massless", &[("m.urdf", &urdf(base))]);
    assert!(scenario(&folder, "file: m.urdf, base: fixed").is_ok());
    let fault = scenario(&folder, "file: m.urdf, base: floating").expect_err("a fault");
    assert!(fault.contains("link `m/base` has no mass, and nothing determines how it moves"), "{fault}");
    // A light link between two joints whose axes differ is determined by what it carries.
    let cardan = r#"</link><link name="base"/><link name="cross"/>
<joint name="j" type="continuous"><parent link="base"/><child link="cross"/><axis xyz="1 0 0"/></joint>
<joint name="k" type="continuous"><parent link="cross"/><child link="a"/><axis xyz="0 1 0"/></joint>"#;
    let folder = self::folder("cardan", &[("m.urdf", &urdf(cardan))]);
    assert!(scenario(&folder, "file: m.urdf, base: fixed").is_ok());
}

/// Position after a second of a body that slides along x and z over a plane fixed to the world, in a URDF file.
fn over_a_plane(name: &str, plane: &str, body: &str, files: &[(&str, &str)]) -> f64 {
    let inertial =
        r#"<inertial><mass value="1"/><inertia ixx=".01" iyy=".01" izz=".01" ixy="0" ixz="0" iyz="0"/></inertial>"#;
    let joint = |name: &str, parent: &str, child: &str, z: f64, axis: &str| {
        format!(
            r#"<joint name="{name}" type="prismatic"><parent link="{parent}"/><child link="{child}"/>
<origin xyz="0 0 {z}"/><axis xyz="{axis}"/><limit lower="-9" upper="9" effort="0" velocity="9"/></joint>"#
        )
    };
    let text = format!(
        r#"<robot name="r"><link name="base"><collision><geometry>{plane}</geometry></collision></link>
<link name="carriage">{inertial}</link><link name="body">{inertial}<collision><geometry>{body}</geometry></collision></link>
{}{}</robot>"#,
        joint("x", "base", "carriage", 0.5, "1 0 0"),
        joint("z", "carriage", "body", 0.0, "0 0 1")
    );
    let folder = folder(name, &[&[("m.urdf", &text[..])], files].concat());
    let scenario = scenario(&folder, "file: m.urdf, base: fixed").expect("a scenario");
    let mut simulation = scenario.simulation().expect("an integrator");
    simulation.advance_to(1.0).expect("a run");
    simulation.channel("plant.m.z.q").expect("a channel")
}

#[test]
fn a_plane_of_a_urdf_file_is_a_half_space_below_its_normal() {
    let ball = r#"<sphere radius=".1"/>"#;
    for (k, plane) in
        ["<plane/>", r#"<plane normal="0 0 2"/>"#, r#"<plane size="1 1" normal="0 0 1"/>"#].iter().enumerate()
    {
        let z = over_a_plane(&format!("plane{k}"), plane, ball, &[]);
        assert!((z + 0.4).abs() < 2e-3, "{plane}: {z} m");
    }
    // Below a plane that faces down nothing ends the fall.
    let z = over_a_plane("plane_down", r#"<plane normal="1 0 0"/>"#, ball, &[]);
    assert!(z < -4.0 || z.is_nan(), "{z} m");
}

#[test]
fn scales_of_meshes_have_one_to_four_numbers() {
    let corners = (0..8).map(|i| format!("v {} {} {}\n", i & 1, i >> 1 & 1, i >> 2 & 1)).collect::<String>();
    let cube = corners + "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
    for (k, (scale, top)) in [("0.2", 0.0), (".2 .2 .2", 0.0), (".2 .2 .2 7", 0.0), (".2 .2", 0.0)].iter().enumerate() {
        let mesh = format!(r#"<mesh filename="cube.obj" scale="{scale}"/>"#);
        let z = over_a_plane(&format!("scale{k}"), "<plane/>", &mesh, &[("cube.obj", &cube)]);
        // The lower side of the cube is that of its frame.
        assert!((z + 0.5 - top).abs() < 2e-3, "{scale}: {z} m");
    }
}
