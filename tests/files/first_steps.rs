//! First attempts of users work, or the message gives the remedy.

use kinegraph::cli::{self, Console};
use kinegraph::files::Catalog;
use kinegraph::simulate::FileSimulator;
use std::path::{Path, PathBuf};

/// Returns the exit code of `kinegraph ARGS`, its standard output and its standard error.
fn kinegraph(args: &[&str]) -> (u8, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut console = Console { out: &mut out, err: &mut err, interactive: false };
    let args = std::iter::once("kinegraph").chain(args.iter().copied());
    let code = cli::run(args, &Catalog::standard(), &FileSimulator, &mut console);
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (code, text(out), text(err))
}

const ARM: &str = r#"<robot name="arm">
  <link name="base"><inertial><mass value="1"/>
    <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="upper"><inertial><origin xyz="0.5 0 0"/><mass value="1"/>
    <inertia ixx="0.01" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="lower"><inertial><origin xyz="0.5 0 0"/><mass value="1"/>
    <inertia ixx="0.01" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
    <limit lower="-3" upper="3" effort="100"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="1 0 0"/>
    <axis xyz="0 1 0"/><limit lower="0.2" upper="2" effort="100"/></joint>
</robot>"#;

const BOX: &str = r#"<robot name="box"><link name="box"><inertial><mass value="2"/>
  <inertia ixx="0.02" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial>
  <collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link></robot>"#;

/// A folder with an arm, a box and a diagram file of a plant with these models, these further keys and these further
/// lines behind it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, models: &str, keys: &str, rest: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("first_steps").join(name);
        std::fs::create_dir_all(&folder).expect("a folder");
        let text = format!(
            "kinegraph: 1\nsystems:\n  plant:\n    type: multibody_plant\n    models: [{models}]\n{keys}{rest}\
             simulation: {{duration: 0.5}}\n"
        );
        for (file, text) in [("arm.urdf", ARM), ("box.urdf", BOX), ("d.yaml", text.as_str())] {
            std::fs::write(folder.join(file), text).expect("a file");
        }
        Folder(folder)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }

    fn run(&self, args: &[&str]) -> (u8, String, String) {
        let (command, rest) = args.split_first().expect("a command");
        kinegraph(&[&[*command, &self.file("d.yaml")], rest].concat())
    }

    /// The recording of a run: names, and the rows.
    fn record(&self, args: &[&str]) -> (Vec<String>, Vec<Vec<f64>>) {
        let record = self.file("record.csv");
        let (code, _, err) = self.run(&[&["run", "--quiet", "--record", &record], args].concat());
        assert_eq!((code, err.as_str()), (0, ""));
        let text = std::fs::read_to_string(record).expect("a recording");
        let mut lines = text.lines();
        let names = lines.next().expect("a header").split(',').map(str::to_owned).collect();
        (names, lines.map(|row| row.split(',').map(|x| x.parse().expect("a number")).collect()).collect())
    }
}

const FIXED_ARM: &str = "{name: arm, file: arm.urdf, base: fixed}";
const FREE_BOX: &str = "{name: box, file: box.urdf, base: floating}";

#[test]
fn a_joint_starts_at_a_number_and_beyond_its_stops_with_a_note() {
    let folder = Folder::new("initial", FIXED_ARM, "    initial: {arm: {shoulder: 0.1, elbow: {q: 0.5, v: 2}}}\n", "");
    let (names, rows) = folder.record(&[]);
    assert_eq!(
        names,
        ["time", "plant.arm.shoulder.q", "plant.arm.elbow.q", "plant.arm.shoulder.v", "plant.arm.elbow.v"]
    );
    assert_eq!(rows[0], [0.0, 0.1, 0.5, 0.0, 2.0]);
    let (_, _, err) = folder.run(&["check", "--set", "systems.plant.initial.arm.shoulder=up"]);
    assert!(err.contains("expected a joint's state, such as `0.1` or `{q: 0.1, v: 0}`, found the text `up`"), "{err}");

    for (set, said) in [
        (
            "{arm: {shoulder: 4, elbow: 1}}",
            "joint arm/shoulder starts at 4, outside of its limits -3 to 3: its stop pushes it back\n",
        ),
        (
            "{}",
            "joint arm/elbow starts at 0, outside of its limits 0.2 to 2: its stop pushes it back; give it a position \
             under `initial`\n",
        ),
        ("{arm: {elbow: 2}}", ""),
    ] {
        let (code, out, _) = folder.run(&["check", "--notes", "--set", &format!("systems.plant.initial={set}")]);
        assert_eq!((code, out.matches("outside of its limits").count()), (0, usize::from(!said.is_empty())), "{out}");
        assert!(out.contains(said), "{out}");
    }
}

#[test]
fn one_links_pose_is_recorded_as_a_group_at_decimal_times() {
    let folder = Folder::new("group", &format!("{FIXED_ARM}, {FREE_BOX}"), "", "");
    let (names, rows) = folder.record(&["--set", "record.channels=[plant.arm.lower.pose]", "--every", "0.001"]);
    let parts = ["px", "py", "pz", "qw", "qx", "qy", "qz"].map(|part| format!("plant.arm.lower.pose.{part}"));
    assert_eq!(names[0], "time");
    assert_eq!(names[1..], parts);
    assert_eq!(rows[0][1..4], [1.0, 0.0, 0.0]);
    for (k, row) in rows.iter().enumerate() {
        assert_eq!(row[0], k as f64 / 1000.0);
    }
    // If several outputs have a name, it is taken as in wires: a joint stands for its position and velocity.
    let (names, _) = folder.record(&["--set", "record.channels=[plant.arm.elbow]"]);
    assert_eq!(names, ["time", "plant.arm.elbow.q", "plant.arm.elbow.v"]);
    let (code, _, err) = folder.run(&["check", "--set", "record.channels=[plant.arm.elbw]"]);
    assert!(code == 2 && err.contains("unknown channel of plant `arm.elbw`") && err.contains("did you mean"), "{err}");
}

#[test]
fn without_a_plant_every_output_is_recorded() {
    let folder = Folder::new("no_plant", FIXED_ARM, "", "");
    let text = "kinegraph: 1\nsystems:\n  wave: {type: sine, frequency: 2}\n  sum: {type: integrator}\nconnections: \
                [wave.output -> sum.input]\nsimulation: {duration: 0.1}\n";
    std::fs::write(folder.file("d.yaml"), text).expect("a file");
    let (names, rows) = folder.record(&[]);
    assert_eq!(names, ["time", "wave.output", "wave.rate", "wave.state[0]", "wave.state[1]", "sum.output"]);
    assert_eq!(rows.len(), 11);
    assert_eq!(rows[1][0], 0.01);
}

/// F = 20 N sideways on 2 kg, from a constant in the file.
#[test]
fn a_constant_pushes_a_body() {
    let rest = "  push: {type: constant, value: [0, 0, 0, 20, 0, 0]}\nconnections: [push.output -> \
                plant.box.applied_spatial_force]\n";
    let folder = Folder::new("push", FREE_BOX, "    gravity: [0, 0, 0]\n", rest);
    let (names, rows) = folder.record(&[]);
    let x = names.iter().position(|name| name == "plant.box.box.x").expect("a channel");
    let end = rows.last().expect("the end");
    assert!((end[x] - 0.5 * 10.0 * end[0] * end[0]).abs() < 1e-9, "{end:?}");
}

/// The whole model moves with the velocity of its base: the end of the arm rotates about the base as one body.
#[test]
fn a_velocity_of_the_base_is_that_of_the_whole_model() {
    let arm = "{name: arm, file: arm.urdf, base: floating, velocity: {linear: [1, 0, 0], angular: [0, 0, 2]}}";
    let folder = Folder::new("velocity", arm, "    initial: {arm: {elbow: 0.5}}\n", "");
    let (_, rows) = folder.record(&["--until", "0", "--set", "record.channels=[plant.arm.lower.velocity]"]);
    assert_eq!(rows[0][1..], [0.0, 0.0, 2.0, 1.0, 2.0, 0.0]);
}

#[test]
fn messages_name_the_cure() {
    let rest = "  drive: {type: constant, value: [1, 2, 3]}\nconnections: [drive.output -> plant.arm.actuation]\n";
    let folder = Folder::new("cures", FIXED_ARM, "", rest);
    let set = |set: &str| folder.run(&["check", "--set", set]).2;
    // With a value that the wire takes.
    let run = |option: &str, file: &str| {
        let args = ["run", "--set", "systems.drive.value=[1, 2]", option, &folder.file(file)];
        folder.run(&args).2.replace(&folder.file("none"), "none").replace(&folder.file(""), "here")
    };
    for (said, expected) in [
        (
            set("record.every=0.1"),
            "drive.output gives 3 numbers, plant.arm.actuation takes 2 (arm.shoulder, arm.elbow)\n  help: plant.arm.actuation takes one number \
             per joint with a motor (`kinegraph check FILE --ports` lists them)",
        ),
        (set("record.every=0.1"), "`actuated: all` or `actuated: [JOINT, …]` at that model"),
        (
            set("systems.plant.grond.height=0"),
            "unknown key `grond` in systems.plant\n  help: did you mean `ground`? Valid here: type, gravity, contact, \
             hydroelastic, ground, models",
        ),
        (set("systems.plnt.ground.height=0"), "there is no `plnt` in systems\n  help: did you mean `plant`?"),
        (
            run("--record", "none/there/x.csv"),
            "--record none/there/x.csv: cannot be written: there is no folder none\n",
        ),
        (run("--snapshot", "none/x.json"), "--snapshot none/x.json: cannot be written: there is no folder none\n"),
        (run("--record", ""), "--record here: cannot be written: it is a folder\n"),
        (
            folder
                .run(&[
                    "linearize",
                    "--set",
                    "systems.drive.value=[1, 2]",
                    "--trim",
                    "--cut",
                    "plant.arm.actuation",
                    "--hold",
                    "plant.arm.shoulder.q",
                    "--hold",
                    "plant.arm.elbow.q",
                ])
                .2,
            "\n  help: the inputs keep their values; with `--free-inputs` the search chooses them, too",
        ),
    ] {
        assert!(said.contains(expected), "expected {expected:?} in: {said}");
    }
    let (code, _, err) =
        folder.run(&["check", "--set", "systems.drive.value=[1, 2]", "--set", "systems.plant.ground.height=-1"]);
    assert_eq!((code, err.as_str()), (0, ""), "a section that the file does not have");
}

/// The fault is not reported at a line of the diagram that the program generates for a model.
#[test]
fn a_model_that_is_not_there_is_said_to_be_missing() {
    for command in ["view", "run"] {
        let (code, _, err) = kinegraph(&[command, "examples/hands/am.urdf"]);
        let said = "examples/hands/am.urdf: cannot be read: no such file; did you mean `examples/hands/arm.urdf`?\n";
        assert_eq!((code, err.as_str()), (2, said), "{command}");
        let (code, _, err) = kinegraph(&[command, "nothing.xml"]);
        assert_eq!((code, err.as_str()), (2, "nothing.xml: cannot be read: no such file\n"), "{command}");
    }
}

#[test]
fn a_fault_of_a_wire_hides_no_fault_of_a_block() {
    let models = format!("{FIXED_ARM}, {{name: box, file: box.urdf, base: arm/lowr}}");
    let rest = "connections: [plnt.state -> plant.arm.actuation]\n";
    let (code, _, err) = Folder::new("hidden", &models, "", rest).run(&["check"]);
    assert!(code == 2 && err.contains("unknown link of arm `lowr`") && err.contains("unknown block `plnt`"), "{err}");
}

#[test]
fn ports_are_listed_with_the_order_of_their_joints() {
    let (_, out, _) = Folder::new("ports", &format!("{FIXED_ARM}, {FREE_BOX}"), "", "").run(&["check", "--ports"]);
    for line in [
        "  in  plant.arm.actuation [2] in N m <- not connected (shoulder, elbow)\n",
        "  in  plant.box.applied_generalized_force [6] in N m, N <- not connected (box.wx, box.wy, box.wz, box.vx, \
         box.vy, box.vz)\n",
        "  out plant.arm.state [4] in rad, rad/s (shoulder.q, elbow.q, shoulder.v, elbow.v)\n",
        "  out plant.body_poses [28] in m\n",
    ] {
        assert!(out.contains(line), "expected {line} in {out}");
    }
}

/// The effort that balances gravity at an equilibrium is in the state: the run from there does not move.
#[test]
fn a_run_starts_from_an_equilibrium() {
    let spring = "    springs: [{joint: arm/elbow, stiffness: 100, rest: 0.5}]\n";
    let keys = format!("    initial: {{arm: {{shoulder: 1.4, elbow: 0.3}}}}\n{spring}");
    let folder = Folder::new("trim", FIXED_ARM, &keys, "");
    let snapshot = folder.file("start.json");
    let (code, _, err) = folder.run(&["linearize", "--trim", "--snapshot", &snapshot]);
    assert_eq!((code, err.as_str()), (0, ""));
    let (_, rows) = folder.record(&["--resume", &snapshot]);
    assert!((rows[0][1] - 1.4).abs() > 0.01, "it was not there before");
    for row in &rows {
        assert!(row[1..].iter().zip(&rows[0][1..]).all(|(x, start)| (x - start).abs() < 1e-6), "{row:?}");
    }
}

const LOST: &str = "{name: sheet, file: sheet.urdf, base: floating, missing_meshes: ignore}";

/// A run reports in full the shapes without contact, and the number of other notes.
#[test]
fn a_run_reports_shapes_that_are_lost() {
    let folder = Folder::new("flat", LOST, "    ground: {}\n", "");
    let sheet = r#"<robot name="s"><link name="s"><inertial><mass value="1"/>
        <inertia ixx="1" iyy="1" izz="1"/></inertial>
        <collision><geometry><mesh filename="MESH"/></geometry></collision></link></robot>"#;
    for (mesh, said) in
        [("none.obj", "there is no file \""), ("package://no_such_package/x.obj", "is not found in the folders above")]
    {
        std::fs::write(folder.file("sheet.urdf"), sheet.replace("MESH", mesh)).expect("a file");
        let (code, _, err) = folder.run(&["run"]);
        assert!(code == 0 && err.contains(said) && err.contains("it falls through the ground"), "{err}");
        assert!(err.contains("2 notes on what the model files say (list with `kinegraph check "), "{err}");
        let (_, out, _) = folder.run(&["check"]);
        assert!(out.contains(said), "{out}");
        assert_eq!(folder.run(&["run", "--quiet"]).2, "");
    }
}

/// The controller of an arm on a wall holds the posture, since it knows the pose of the base.
#[test]
fn a_controller_holds_an_arm_on_a_wall() {
    let arm = "{name: arm, file: arm.urdf, base: fixed, pose: {rpy: [0.3, 1.5707963267948966, 0.4]}}";
    let rest = "  hold: {type: inverse_dynamics_controller, model: {file: arm.urdf}, kp: 100, kd: 20}\n  \
        goal: {type: constant, value: [0.5, 1, 0, 0]}\nconnections:\n  - goal.output -> hold.desired_state\n  \
        - plant.arm.state -> hold.estimated_state\n  - hold.generalized_force -> plant.arm.actuation\n";
    let folder = Folder::new("wall", arm, "    initial: {arm: {shoulder: 0.5, elbow: 1}}\n", rest);
    let sag = |args: &[&str]| {
        let (_, rows) = folder.record(args);
        (rows.last().expect("the end")[1] - 0.5).abs()
    };
    assert!(sag(&[]) > 0.01);
    assert!(sag(&["--set", "systems.hold.base_pose={rpy: [0.3, 1.5707963267948966, 0.4]}"]) < 1e-6);
}

#[test]
fn a_ball_joint_comes_from_a_model_file() {
    let folder = Folder::new("ball", FIXED_ARM, "", "");
    let ball = ARM.replace("name=\"shoulder\" type=\"revolute\"", "name=\"shoulder\" type=\"ball\"");
    std::fs::write(folder.file("arm.urdf"), ball).expect("a file");
    let (code, out, _) = folder.run(&["check", "--ports"]);
    let state =
        "shoulder.qw, shoulder.qx, shoulder.qy, shoulder.qz, elbow.q, shoulder.wx, shoulder.wy, shoulder.wz, elbow.v";
    assert!(code == 0 && out.contains(&format!("out plant.arm.state [9] in rad, rad/s ({state})\n")), "{out}");
    let (_, rows) = folder.record(&["--set", "record.channels=[plant.arm.state]"]);
    for row in &rows {
        // Between the ends of steps to the accuracy.
        let length: f64 = row[1..5].iter().map(|x| x * x).sum();
        assert!((length - 1.0).abs() < 1e-3 && row[6..9].iter().all(|w| w.is_finite()), "{row:?}");
    }
    assert!(rows.last().expect("the end")[7].abs() > 1.0, "it falls");
}

/// Joints, constraints and bodies that start violated are reported by name and amount, the largest first.
#[test]
fn violations_at_the_start_are_reported() {
    let keys = "    ground: {height: 0}\n    initial: {arm: {shoulder: 4, elbow: 1}}\n    constraints:\n    \
                - {name: hold, type: ball, a: {link: world, pose: {xyz: [3, 0, 0.13]}}, b: {link: box/box}}\n";
    let models = format!("{FIXED_ARM}, {{name: box, file: box.urdf, base: floating, pose: {{xyz: [3, 0, 0.08]}}}}");
    let folder = Folder::new("violated", &models, keys, "");
    let said = [
        "plant: joint arm/shoulder starts 1.000 rad beyond its stop: it is corrected at 2.000 rad/s (`correction_speed`)",
        "plant: constraint hold starts off by 0.050 m: it is corrected at 2.000 m/s (`correction_speed`)",
        "plant: world and box/box start 0.020 m inside each other: contact parts them at up to 0.100 m/s \
         (1 / `dissipation`)",
    ];
    for command in ["check", "run"] {
        let (code, out, err) = folder.run(&[command]);
        assert_eq!(code, 0, "{err}");
        let places: Vec<Option<usize>> = said.iter().map(|line| out.find(line)).collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{out}");
    }
    // A small amount is reported as one.
    let (_, out, _) = folder.run(&["check", "--set", "systems.plant.models.box.pose.xyz=[3, 0, 0.097]"]);
    assert!(out.contains("start 0.003000 m inside each other"), "{out}");
    let (_, out, _) = folder.run(&["run", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&out).expect("one object");
    let reported = report["starts_violated"].as_array().expect("a list");
    assert_eq!(reported.len(), 3, "{out}");
    assert_eq!((&reported[0]["joint"], &reported[0]["amount"]), (&"arm/shoulder".into(), &1.0.into()));
    assert_eq!((&reported[1]["constraint"], &reported[1]["unit"]), (&"hold".into(), &"m".into()));
    assert_eq!((&reported[2]["bodies"][1], &reported[2]["speed"]), (&"box/box".into(), &0.1.into()));

    let good = ["--set", "systems.plant.initial.arm.shoulder=1", "--set", "systems.plant.constraints=[]"];
    let (_, out, _) = folder.run(&[&["run", "--json", "--set", "systems.plant.ground.height=-1"][..], &good].concat());
    assert!(!out.contains("starts_violated"), "{out}");
}

#[test]
fn the_stops_of_joints_have_laws() {
    let folder = Folder::new("stops", FIXED_ARM, "    initial: {arm: {elbow: 1}}\n", "");
    let check = |stops: &str| folder.run(&["check", "--set", &format!("systems.plant.stops={stops}")]);
    for good in ["{arm: {elbow: {restitution: 0.5}, shoulder: {stiffness: 1e4, dissipation: 2}}}", "{}"] {
        assert_eq!(check(good).0, 0, "{}", check(good).2);
    }
    for (bad, said) in [
        ("{arm: {elbow: {restitution: 1.5}}}", "expected a number from 0 to 1"),
        ("{arm: {elbow: {dissipation: 1}}}", "dissipation belongs to compliant stops: give `stiffness` too"),
        ("{arm: {elbow: {restitution: 0.5, stiffness: 1e4}}}", "have no restitution: `dissipation` decides"),
        ("{arm: {wrist: {restitution: 0.5}}}", "unknown joint of arm `wrist`"),
        ("{leg: {knee: {restitution: 0.5}}}", "unknown model `leg`"),
    ] {
        let (code, _, err) = check(bad);
        assert!(code != 0 && err.contains(said), "{bad}: {err}");
    }
}
