//! Single actuators of a model as ports of their own, by name; and strictness about what a model file leaves out.

use kinegraph::cli::{self, Console};
use kinegraph::diagram::{BuildError, DiagramBuilder};
use kinegraph::files::Catalog;
use kinegraph::integrators::Options;
use kinegraph::simulate::{FileSimulator, Simulation};
use kinegraph::systems::models::{LoadOptions, parse_model};
use kinegraph::systems::multibody::{Base, MultibodyPlant, PlantBuilder};
use std::path::Path;

const WALKER: &str = r#"<mujoco><worldbody><body name="a"><joint name="hip" axis="0 1 0"/>
  <inertial pos="0 0 0.1" mass="1" diaginertia="0.1 0.1 0.1"/>
  <body name="b" pos="0 0 0.3"><joint name="knee" axis="0 1 0"/>
    <inertial pos="0 0 0.1" mass="1" diaginertia="0.1 0.1 0.1"/></body></body></worldbody>
  <actuator><motor name="push" joint="hip" gear="3"/><position name="hold" joint="knee" kp="50" kv="2"/>
    <motor name="lift" joint="knee" ctrlrange="-1 1"/></actuator></mujoco>"#;

const ARM: &str = r#"<robot name="arm"><link name="base"/>
  <link name="upper"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial></link>
  <link name="lower"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial></link>
  <joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="lower"/><origin xyz="0 0 1"/>
    <axis xyz="0 1 0"/></joint></robot>"#;

/// The state after a while, with inputs of the plant fixed as `drive` says.
fn end(text: &str, drive: impl FnOnce(&mut DiagramBuilder, &MultibodyPlant)) -> Vec<f64> {
    let mut b = DiagramBuilder::new("driven");
    let plant = b.add("plant", plant(text));
    drive(&mut b, &plant);
    let mut simulation = Simulation::new(&b.build().unwrap(), Options::default()).unwrap();
    simulation.advance_to(0.2).unwrap();
    simulation.state().continuous.clone()
}

fn plant(text: &str) -> MultibodyPlant {
    let model = parse_model(text, "m.xml", &LoadOptions::default()).unwrap().model;
    PlantBuilder::new().model("m", model, Base::fixed()).build().unwrap()
}

/// Actuators without a wire get zero, like elements of the whole that are zero.
#[test]
fn one_actuator_by_name_is_its_element_of_the_whole() {
    let by_name = end(WALKER, |b, plant| b.fix(plant.actuator("m", "lift"), [0.7]));
    let whole = end(WALKER, |b, plant| b.fix(plant.actuation("m"), [0.0, 0.0, 0.7]));
    assert_eq!(by_name, whole);
    let two = end(WALKER, |b, plant| {
        b.fix(plant.actuator("m", "hold"), [0.2]);
        b.fix(plant.actuator("m", "push"), [0.1]);
    });
    assert_eq!(two, end(WALKER, |b, plant| b.fix(plant.actuation("m"), [0.1, 0.2, 0.0])));
    assert_ne!(two, whole);
    let elbow = end(ARM, |b, plant| b.fix(plant.actuator("m", "elbow"), [0.4]));
    assert_eq!(elbow, end(ARM, |b, plant| b.fix(plant.actuation("m"), [0.0, 0.4])));
}

#[test]
fn the_whole_and_a_part_of_it_are_not_both_driven() {
    let mut b = DiagramBuilder::new("both");
    let plant = b.add("plant", plant(ARM));
    b.fix(plant.actuation("m"), [0.0, 0.4]);
    b.fix(plant.actuator("m", "elbow"), [0.4]);
    let faults = b.build().expect_err("a fault").0;
    let [fault] = &faults[..] else { panic!("{faults:?}") };
    assert!(matches!(fault, BuildError::WholeAndPart { .. }));
    let said = "plant.m.elbow is a part of plant.m.actuation, which is driven as well: connect the whole or its parts";
    assert_eq!(fault.to_string(), said);
}

/// Returns the exit code of `kinegraph ARGS`, its standard output and its standard error.
fn kinegraph(args: &[&str]) -> (u8, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut console = Console { out: &mut out, err: &mut err, interactive: false };
    let args = std::iter::once("kinegraph").chain(args.iter().copied());
    let code = cli::run(args, &Catalog::standard(), &FileSimulator, &mut console);
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (code, text(out), text(err))
}

/// A diagram file of a model in a folder of its own, with these lines behind the plant.
fn file(name: &str, model: &str, rest: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("actuators").join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("d.yaml");
    std::fs::write(folder.join("m.xml"), model).expect("a file");
    let text = format!(
        "kinegraph: 1\nsystems:\n  plant: {{type: multibody_plant, models: [{{name: m, file: m.xml, base: fixed}}]}}\n\
         {rest}simulation: {{duration: 0.1}}\n"
    );
    std::fs::write(&path, text).expect("a file");
    path.to_string_lossy().into_owned()
}

#[test]
fn files_name_actuators_and_check_lists_them() {
    let rest = "  u: {type: constant, value: [0.4]}\nconnections: [u.output -> plant.m.elbow]\n";
    let path = file("one", ARM, rest);
    let (code, out, err) = kinegraph(&["check", &path, "--ports"]);
    assert_eq!((code, err.as_str()), (0, ""));
    for line in ["in  plant.m.elbow [1] in N m <- u.output\n", "in  plant.m.shoulder [1] in N m <- not connected\n"] {
        assert!(out.contains(line), "{line} in {out}");
    }
    assert!(out.contains("not connected: plant.m.shoulder (zero effort)\n"), "{out}");
    assert!(!out.contains("not connected: plant.m.actuation"), "{out}");
    let both = rest.replace("]\n", ", v.output -> plant.m.actuation]\n");
    let both = both.replacen("conn", "  v: {type: constant, value: [0, 1]}\nconn", 1);
    let (code, _, err) = kinegraph(&["check", &file("both", ARM, &both)]);
    assert!(code == 2 && err.contains("connect the whole or its parts"), "{err}");
}

/// Features that are not simulated cause notes; under `--strict` each is an error with its line, and nothing runs.
#[test]
fn strict_mode_makes_notes_errors() {
    let noted =
        ARM.replacen("<link name=\"base\"/>", "<link name=\"base\"/>\n<gazebo/><gazebo/><sensor name=\"s\"/>", 1);
    let path = file("noted", &noted, "");
    for command in ["check", "run"] {
        let (code, _, err) = kinegraph(&[command, &path, "--strict"]);
        let lines: Vec<&str> = err.lines().collect();
        let [gazebo, sensor, sum] = &lines[..] else { panic!("{err}") };
        assert_eq!(code, 2);
        assert!(gazebo.contains("m.xml:2:") && gazebo.contains("<gazebo>") && gazebo.ends_with("(2 times)"), "{err}");
        assert!(sensor.contains("m.xml:2:") && sensor.contains("<sensor>"), "{err}");
        assert_eq!(*sum, "2 notes, an error under --strict");
    }
    let (code, out, _) = kinegraph(&["check", &path, "--notes"]);
    assert_eq!(code, 0);
    assert!(out.contains("  robot[arm]/gazebo  ") && out.contains("  robot[arm]/sensor[s]  "), "{out}");
    for command in ["check", "run"] {
        assert_eq!(kinegraph(&[command, &file("plain", ARM, ""), "--strict"]).0, 0);
    }
}

/// An inertia with a moment larger than the sum of the others, at the end of an arm.
#[test]
fn inertias_are_treated_alike_in_both_formats() {
    let urdf = ARM.replacen(
        r#"izz="0.1"/></inertial></link>
  <link name="lower">"#,
        r#"izz="0.5"/></inertial></link>
  <link name="lower">"#,
        1,
    );
    let mjcf = WALKER.replacen("0.1 0.1 0.1", "0.1 0.1 0.5", 1);
    assert!(urdf != ARM && mjcf != WALKER);
    for (name, text, link) in [("urdf", urdf, "upper"), ("mjcf", mjcf, "a")] {
        let path = file(&format!("inertia_{name}"), &text, "");
        let set = |policy: &str| format!("systems.plant.models.0.inertia={policy}");
        let (code, _, err) = kinegraph(&["check", &path, "--set", &set("strict")]);
        assert!(code == 2 && err.contains(&format!("the inertia of link \"{link}\" is impossible")), "{err}");
        assert!(err.contains("`inertia: raw`") && err.contains("`inertia: project`"), "{err}");
        for (policy, said) in [("raw", "used as written"), ("project", "replaced by the nearest")] {
            let (code, out, err) = kinegraph(&["check", &path, "--notes", "--set", &set(policy)]);
            assert!(code == 0 && out.contains(said) && out.contains("m.xml:"), "{name} {policy}: {out}{err}");
        }
    }
}
