//! `kinegraph import MODEL` writes a diagram file that can be read and run; `kinegraph check MODEL` checks the model
//! without one.

use super::command;
use kinegraph::files::load;
use kinegraph::scenario::Scenario;
use std::path::{Path, PathBuf};

/// An empty folder of this test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("import_models").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Returns the exit code of `kinegraph ARGS`, and all its output.
fn kinegraph(args: &[&str]) -> (u8, String) {
    let (code, out, err) = command::kinegraph(args);
    (code, out + &err)
}

/// The scenario of a diagram file.
fn scenario(file: &Path) -> Scenario {
    let loaded = load(file, &[]).expect("a diagram file");
    Scenario::build(&loaded.diagram, &loaded.loader).unwrap_or_else(|| panic!("{}", loaded.failed()))
}

const CART: &str = r#"<mujoco model="cart"><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 1">
<joint name="x" type="slide" axis="1 0 0"/><geom size=".1"/><body><joint name="pole" axis="0 1 0"/>
<geom type="capsule" size=".02 .2" pos="0 0 .2"/></body></body></worldbody>
<sensor><jointpos name="tilt" joint="pole"/></sensor>
<actuator><motor name="push" joint="x"/><position name="hold" joint="pole" kp="5"/></actuator>
<keyframe><key name="left" qpos="-0.5 0.1" ctrl="0 0.1"/><key name="right" qpos="0.5 0"/></keyframe></mujoco>"#;

const LEGS: &str = r#"<robot name="leg"><link name="body"><inertial><mass value="2"/>
<inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="foot"><inertial><mass value="1"/><inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<joint name="knee" type="revolute"><parent link="body"/><child link="foot"/><origin xyz="0 0 -0.4"/>
<axis xyz="0 1 0"/><limit lower="0.3" upper="1" effort="10" velocity="1"/></joint></robot>"#;

#[test]
fn an_imported_scene_starts_in_its_keyframe_with_its_controls() {
    let folder = folder("scene");
    std::fs::write(folder.join("m.xml"), CART).expect("a file");
    let (model, output) = (folder.join("m.xml"), folder.join("out"));
    let args = ["import", model.to_str().expect("a path"), "-o", output.to_str().expect("a path")];
    let (code, said) = kinegraph(&args);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("2 actuators, 2 keyframes"), "{said}");
    let file = output.join("cart.yaml");
    let mut simulation = scenario(&file).simulation().expect("an integrator");
    assert_eq!(simulation.channel("plant.cart.x.q").expect("a channel"), -0.5);
    simulation.advance_to(0.1).expect("a run");
    let text = std::fs::read_to_string(&file).expect("a file");
    simulation.channel("plant.cart.sensors.tilt").expect("the sensor that the file names");
    // Cart and pole reach from 0.9 to 1.42 m and are 0.2 m wide.
    let target = "target: [0.00, 0.00, 1.16]}";
    for part in [
        "value: [0, 0.1]",
        "# push, hold",
        "# plant.cart.sensors.tilt",
        "view: {eye: [",
        target,
        "# It can start in: left, right",
        "model_paths: [\"..\"]",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    // An existing file is not overwritten.
    let (code, said) = kinegraph(&args);
    assert_eq!(code, 2);
    assert!(said.contains("is there already"), "{said}");
}

#[test]
fn an_imported_robot_that_floats_stands_above_the_ground_within_its_stops() {
    let folder = folder("robot");
    std::fs::write(folder.join("m.urdf"), LEGS).expect("a file");
    let (model, output) = (folder.join("m.urdf"), folder.to_str().expect("a path"));
    let (code, said) = kinegraph(&["import", model.to_str().expect("a path"), "-o", output, "--base", "floating"]);
    assert_eq!(code, 0, "{said}");
    let mut simulation = scenario(&folder.join("leg.yaml")).simulation().expect("an integrator");
    let mut at = |channel: &str| simulation.channel(channel).expect("a channel");
    // Its foot reaches to 0.5 m below its root.
    assert!((at("plant.leg.body.pose.pz") - 0.501).abs() < 1e-9);
    assert_eq!(at("plant.leg.knee.q"), 0.3);
}

#[test]
fn a_model_file_is_checked_without_a_diagram_file() {
    let folder = folder("check");
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).expect("a file");
        path.to_str().expect("a path").to_owned()
    };
    let (code, said) = kinegraph(&["check", &file("m.xml", CART), "--ports"]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("no faults") && said.contains("plant.cart.actuation [2]"), "{said}");
    let (code, said) = kinegraph(&["check", &file("bad.urdf", &LEGS.replace("0.1\"/></geo", "-0.1\"/></geo"))]);
    assert_eq!(code, 2);
    assert!(said.contains("bad.urdf:4:"), "{said}");
}
