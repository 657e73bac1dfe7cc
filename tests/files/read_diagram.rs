//! The content of a right diagram file is in its description.

use super::every_key;
use kinegraph::files::blocks::inverse_dynamics_controller::InverseDynamicsController;
use kinegraph::files::blocks::multibody_plant::{
    Actuated, Base, Collides, ContactPoints, JointState, LawSpec, MultibodyPlant,
};
use kinegraph::files::blocks::{adder::Adder, trajectory::Trajectory};
use kinegraph::files::{BlockSpec, Catalog, DiagramFile, Override, load, load_str};
use kinegraph::systems::DerivativePolicy;
use kinegraph::systems::models::{InertiaPolicy, MeshCollision, MissingMeshes};
use kinegraph::systems::parameter::PerChannel;
use std::path::Path;

fn every_key() -> DiagramFile {
    load_str(Path::new(every_key::PATH), &every_key::text(), &[]).expect("no fault").diagram
}

fn spec<'d, T: BlockSpec>(diagram: &'d DiagramFile, name: &str) -> &'d T {
    let system = diagram.systems.iter().find(|s| s.name == name).expect("the system");
    system.spec.downcast().expect("its type")
}

#[test]
fn the_plant_is_read() {
    let diagram = every_key();
    let plant: &MultibodyPlant = spec(&diagram, "plant");
    assert_eq!(plant.gravity, Some([0.0, 0.0, -9.81]));
    assert_eq!(plant.contact.static_friction, 0.9);
    assert_eq!(plant.contact.dynamic_friction, 0.8);
    assert_eq!(plant.contact.points, ContactPoints::Manifold);
    assert_eq!(plant.ground, Some(0.0));
    let [arm, box_] = plant.models.as_slice() else { panic!("two models") };
    assert_eq!((arm.base.clone(), arm.actuated.clone()), (Some(Base::Fixed), Actuated::Default));
    assert_eq!((box_.base.clone(), box_.actuated.clone()), (Some(Base::Floating), Actuated::None));
    assert_eq!(arm.file, Path::new("tests/data/arm.urdf"));
    assert_eq!(plant.initial[0].value[0].name, "joint1");
    assert_eq!(plant.initial[0].value[0].value, JointState { q: 0.1, v: 0.0 });
    assert_eq!((plant.springs[0].model.as_str(), plant.springs[0].joint.as_str()), ("arm", "finger_joint"));
    let [crate_, of_arm] = plant.collisions.as_slice() else { panic!("two models") };
    assert_eq!((crate_.name.as_str(), crate_.value.with), ("crate", Collides::All));
    assert!(crate_.value.exclude_touching_at_start && !of_arm.value.exclude_touching_at_start);
    assert_eq!(
        (of_arm.value.with, &of_arm.value.exclude),
        (Collides::GroundOnly, &vec![["base".into(), "tool".into()]])
    );
    assert_eq!((arm.inertia, arm.missing_meshes), (InertiaPolicy::Project, MissingMeshes::Ignore));
    let (default, named) = (arm.meshes.default, &arm.meshes.named);
    assert_eq!((default, named[0].name.as_str(), named.len()), (MeshCollision::Decomposed, "tool", 1));
    let [grip, mount, hinge, rope, gear, sum, cam] = plant.constraints.as_slice() else { panic!("seven constraints") };
    let LawSpec::Bushing { linear, angular, .. } = &mount.law else { panic!("a bushing") };
    assert_eq!((linear[1].stiffness, linear[2].damping, angular[0].stiffness), (2e4, 30.0, 5.0));
    assert_eq!((grip.name.as_str(), grip.active, grip.capture), ("grip", false, true));
    assert_eq!((hinge.active, hinge.capture, hinge.law.frames()[1].link.clone()), (true, false, None));
    assert!(matches!(&grip.law, LawSpec::Weld { angular: Some(c), .. } if (c.stiffness, c.damping) == (1e3, 1.0)));
    assert!(matches!(&rope.law, LawSpec::Distance { length, .. } if *length == 0.5));
    assert!(matches!(&gear.law, LawSpec::Coupler { ratio, offset, .. } if (*ratio, *offset) == (-1.0, 0.1)));
    assert!(matches!(&sum.law, LawSpec::Sum { coefficients, offset: 0.2, .. } if coefficients == &[1.0, -0.5]));
    assert!(matches!(&cam.law, LawSpec::Polynomial { coefficients: [0.0, 1.0, 0.5, 0.0, 0.0], .. }));
    assert_eq!((plant.locked[0].joint.as_str(), plant.lockable[0].model.as_str()), ("joint1", "crate"));
    // rpy about z: half the angle in w and z.
    let [w, x, y, z] = box_.pose.quat;
    assert!((w - 0.785_f64.cos()).abs() < 1e-12 && x == 0.0 && y == 0.0 && (z - 0.785_f64.sin()).abs() < 1e-12);
}

#[test]
fn the_small_blocks_are_read() {
    let diagram = every_key();
    let controller: &InverseDynamicsController = spec(&diagram, "controller");
    assert_eq!(controller.kp, PerChannel::All(1e4));
    assert_eq!(controller.kd, PerChannel::Each(vec![200.0, 200.0]));
    let goal: &Trajectory = spec(&diagram, "goal");
    assert_eq!(goal.values, [[0.0, 0.0], [0.5, -1.0]]);
    let sum: &Adder = spec(&diagram, "sum");
    assert_eq!(sum.signs, [1.0, -1.0]);
}

#[test]
fn every_block_may_say_where_its_derivatives_come_from() {
    let diagram = every_key();
    let policy = |name: &str| diagram.systems.iter().find(|s| s.name == name).expect("the system").derivatives;
    assert_eq!((policy("double"), policy("sum")), (Some(DerivativePolicy::Differences), None));
    let text = "kinegraph: 1\nsystems: {a: {type: gain, gain: 1, derivatives: guessed}}\nsimulation: {duration: 1}\n";
    let fault = load_str(Path::new("d.yaml"), text, &[]).expect_err("no such source").faults.to_string();
    assert!(fault.contains("systems.a.derivatives: unknown source of derivatives `guessed`"), "{fault}");
    assert!(fault.contains("exact, differences"), "{fault}");
}

#[test]
fn wires_run_and_recording_are_read_with_their_lines() {
    let diagram = every_key();
    let wires: Vec<String> = diagram.connections.iter().map(ToString::to_string).collect();
    assert_eq!(
        wires,
        [
            "goal.state -> controller.desired_state",
            "plant.arm.state -> controller.estimated_state",
            "controller.generalized_force -> plant.arm.actuation",
            "mode.is_hold -> gated.enabled",
            "mode.changed -> ticked.triggered",
            "mode.changed -> anew.reset",
        ]
    );
    let lines: Vec<usize> = diagram.connections.iter().map(|c| c.at.line).take(3).collect();
    assert_eq!(lines, [lines[0], lines[0] + 1, lines[0] + 2]);
    assert_eq!(diagram.simulation.integrator.name, "cenic");
    assert_eq!((diagram.simulation.step, diagram.simulation.duration), (Some(0.01), 2.0));
    assert_eq!(diagram.record.channels[0].1, "plant.arm.state");
}

#[test]
fn json_is_a_diagram_file_too() {
    let text = r#"{"kinegraph": 1, "name": "j",
      "systems": {"plant": {"type": "multibody_plant", "gravity": [0, 0, -9.81], "springs": [], "initial": {},
        "models": [{"name": "arm", "file": "arm.urdf", "base": "fixed", "actuated": "none"},
                   {"name": "hand", "file": "arm.urdf", "base": "arm/base",
                    "pose": {"xyz": [0, 0, 0.107], "quat": [0.923879532511, 0.0, 0.0, -0.382683432365]}}]}},
      "simulation": {"integrator": "cenic", "accuracy": 0.001, "max_step": 0.1, "duration": 2.0},
      "record": {"every": 0.01, "channels": ["plant.state"]}}"#;
    let diagram = load_str(Path::new("tests/data/j.json"), text, &[]).expect("no fault").diagram;
    let plant: &MultibodyPlant = spec(&diagram, "plant");
    assert_eq!(plant.models[1].base, Some(Base::Link { model: "arm".into(), link: "base".into() }));
    let length: f64 = plant.models[1].pose.quat.iter().map(|x| x * x).sum();
    assert!((length - 1.0).abs() < 1e-15, "a quaternion is normalized");
}

#[test]
fn the_command_line_wins_over_the_file() {
    let overrides = [
        Override::set("systems.controller.kp=[1, 2]").expect("path=value"),
        Override::set("systems.plant.models.crate.pose.xyz=[1, 2, 3]").expect("path=value"),
        Override::flag("--integrator", "simulation.integrator", "icf"),
    ];
    let diagram = load(Path::new("tests/data/every_key.yaml"), &overrides).expect("no fault").diagram;
    assert_eq!(spec::<InverseDynamicsController>(&diagram, "controller").kp, PerChannel::Each(vec![1.0, 2.0]));
    assert_eq!(spec::<MultibodyPlant>(&diagram, "plant").models[1].pose.xyz, [1.0, 2.0, 3.0]);
    assert_eq!(diagram.simulation.integrator.name, "icf");
}

/// The listing of parameters depends on readers that ask for every key even when all are missing.
#[test]
fn every_block_type_lists_the_keys_that_the_full_file_uses() {
    let text = every_key::text();
    let diagram = every_key();
    for block in Catalog::standard().types() {
        assert!(diagram.systems.iter().any(|s| s.type_name == block.name), "{} is in no file", block.name);
        let parameters = block.parameters();
        assert!(!parameters.is_empty());
        for parameter in parameters {
            assert!(
                text.contains(&format!("{}:", parameter.key)),
                "{}.{}: its example lacks it, and {} too",
                block.name,
                parameter.key,
                every_key::PATH
            );
        }
    }
}

/// These files are wrong only as diagrams; the file layer accepts them.
#[test]
fn wrong_diagrams_are_right_files() {
    for name in ["algebraic_loop", "own_output", "unknown_port", "widths"] {
        let path = Path::new("tests/bad_diagrams").join(format!("{name}.yaml"));
        assert_eq!(load(&path, &[]).expect("no fault").diagram.name, name);
    }
}

/// Folders of packages may lie anywhere, and models and their meshes are found in them.
#[test]
fn packages_are_found_in_the_folders_that_the_file_names() {
    let text = |paths: &str, link: &str| {
        format!(
            "kinegraph: 1\nmodel_paths: [{paths}]\nsystems:\n  plant:\n    type: multibody_plant\n    models:\n\
             \x20     - {{name: arm, file: 'package://data/arm.urdf', base: fixed}}\n\
             \x20   collisions: {{arm: {{srdf: 'package://data/arm.srdf', exclude: [[base, {link}]]}}}}\n\
             simulation: {{duration: 1}}\n"
        )
    };
    let path = Path::new("tests/bad_files/here.yaml");
    for paths in ["..", "../data", "nowhere_such/.., ../data"] {
        let loaded = load_str(path, &text(paths, "tool"), &[]);
        assert_eq!(loaded.is_ok(), !paths.contains("nowhere"), "{paths}");
    }
    let loaded = load_str(path, &text("..", "tool"), &[]).unwrap();
    let plant: &MultibodyPlant = spec(&loaded.diagram, "plant");
    assert!(plant.models[0].file.ends_with("data/arm.urdf") && plant.models[0].file.is_file());
    assert!(plant.collisions[0].value.srdf.as_ref().is_some_and(|file| file.ends_with("data/arm.srdf")));
    let error = load_str(path, &text("..", "tool").replace("//data/", "//dates/"), &[]).unwrap_err().to_string();
    assert!(error.contains("package \"dates\" is not found"), "{error}");
}
