//! Numbers by which can be differentiated, each against differences of tight runs: those of the table in
//! `docs/derivatives.md`.

use super::command::kinegraph;
use super::derivatives::json;
use std::path::Path;

const BOX: &str = r#"<robot name="box"><link name="body"><inertial><mass value="1.5"/>
<inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><sphere radius="0.1"/></geometry></collision></link></robot>"#;
const ARM: &str = r#"<robot name="arm"><link name="base"/><link name="rod"><inertial><origin xyz="0 0 -0.5"/>
<mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="hinge" type="revolute"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/>
<limit lower="-3" upper="3" effort="100" velocity="10"/></joint></robot>"#;
const LEG: &str = "kinegraph: 1
parameters: {k: 2}
systems:
  gain: {type: gain, gain: $k}
  lag: {type: first_order_lag, time_constant: 0.2}
connections: [gain.output -> lag.input]
exports: {inputs: {u: gain.input}, outputs: {y: lag.output}}
simulation: {duration: 1}
";

/// A ball that is thrown and strikes the ground, an arm that follows a path, a weight on a rope.
const SCENE: &str = "kinegraph: 1
parameters: {m: 2 kg, kp: 5, size: 100 mm}
systems:
  plant:
    type: multibody_plant
    gravity: [0, 0, -9.81]
    contact: {stiffness: 1.0e+5, dissipation: 0.2, static_friction: 0.5, dynamic_friction: 0.4}
    ground: {height: 0}
    models:
      - {name: box, file: box.urdf, base: floating, pose: {xyz: [0, 0, 0.15], rpy: [0.1, 0.2, 0.3]},
         velocity: {linear: [1.5, 0.2, 0], angular: [0, 1, 0]},
         links: {body: {mass: $m, inertia: [0.02, 0.03, 0.04], com: [0.01, 0, 0]}},
         materials: {body: {friction: 0.4, stiffness: 1.0e+5}}}
      - {name: arm, file: arm.urdf, base: fixed, pose: {xyz: [0, 3, 1]}, joints: {hinge: {damping: 0.1, armature: 0.05,
         limits: [-3, 0.75]}}}
    springs: [{joint: arm/hinge, stiffness: 2, rest: 0.1}]
    initial: {arm: {hinge: {q: 0.7, v: 1}}}
  hung:
    type: multibody_plant
    models: [{name: weight, file: box.urdf, base: floating, pose: {xyz: [0.3, 9, 2]}}]
    constraints:
      - {name: rope, type: distance, a: {link: weight/body}, b: {link: world, pose: {xyz: [0, 9, 2.5]}}, length: \"=6*$size\",
         stiffness: 200, damping: 5}
  goal: {type: trajectory, times: [0, 0.1, 0.3], values: [[0.3], [0.5], [0.1]]}
  pid: {type: expression, inputs: {state: 2, goal: 1}, expression: \"$kp*(goal - state[0]) - 0.5*state[1]\"}
  gain: {type: gain, gain: [1]}
connections: [goal.position -> pid.goal, plant.arm.state -> pid.state, pid.output -> gain.input,
  gain.output -> plant.arm.actuation]
simulation: {duration: 0.2, accuracy: 1.0e-5}
";

/// An arm that strikes its stop.
const STOP: &str = "kinegraph: 1
systems:
  plant:
    type: multibody_plant
    models: [{name: arm, file: arm.urdf, base: fixed, joints: {hinge: {limits: [-3, 0.75]}}}]
    stops: {arm: {hinge: {restitution: 0.5}}}
    initial: {arm: {hinge: {q: 0.7, v: 2}}}
  zero: {type: constant, value: 0}
connections: [zero.output -> plant.arm.actuation]
simulation: {duration: 0.2, accuracy: 1.0e-5}
";

/// Sources, filters and switches.
const SIGNALS: &str = "kinegraph: 1
systems:
  step: {type: step, time: 0.31, initial: 0, final: 1}
  square: {type: pulse, amplitude: 1, period: 0.5, width_fraction: 0.5, delay: 0.07}
  rise: {type: ramp, slope: 2, start: 0.3, stop: 0.6}
  wave: {type: sine, amplitude: 1.2, frequency: 7, phase: 0.3}
  sum: {type: adder, signs: \"+++\"}
  lag: {type: first_order_lag, time_constant: 0.2, initial: 0.1}
  map: {type: table, arguments: [-5, 0, 1, 5], values: [-5, 0.5, 2, 7], interpolation: linear}
  mapped: {type: integrator}
  limited: {type: saturation, lower: -1, upper: 0.6}
  cut: {type: integrator}
  relay: {type: relay, rise_at: 0.4, fall_at: -1, high: 1, low: 0}
  counted: {type: integrator}
  hold: {type: zero_order_hold, period: 0.1, offset: 0.05}
  held: {type: first_order_lag, time_constant: 0.3}
  shake: {type: noise, standard_deviation: 1, period: 0.1, seed: 3}
  left: {type: diagram, file: leg.yaml, set: {k: 3}}
connections: [step.output -> sum.input0, square.output -> sum.input1, rise.output -> sum.input2, sum.output -> lag.input,
  wave.output -> map.input, map.output -> mapped.input, lag.output -> limited.input, limited.output -> cut.input,
  lag.output -> relay.input, relay.output -> counted.input, wave.output -> hold.input, hold.output -> held.input,
  shake.output -> left.u]
simulation: {integrator: dopri5, accuracy: 1.0e-6, duration: 1.03}
";

/// Derivatives of a file: of a measure, by numbers, each with its text in the table.
type Asked = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

#[rustfmt::skip]
const ASKED: &[Asked] = &[
    (SCENE, "end(plant.box.body.x)", &[
        ("parameters.m", "parameters.NAME"),
        ("systems.plant.models.box.links.body.inertia.1", "models.MODEL.links.LINK.inertia.0"),
        ("systems.plant.models.box.links.body.com.0", "models.MODEL.links.LINK.com.0"),
        ("systems.plant.models.box.materials.body.friction", "models.MODEL.materials.LINK.friction"),
        ("systems.plant.models.box.materials.body.dissipation=0.2", "materials.LINK.dissipation"),
        ("systems.plant.models.box.pose.xyz.2", "models.MODEL.pose.xyz.2"),
        ("systems.plant.models.box.pose.rpy.0", "pose.rpy.0"),
        ("systems.plant.models.box.velocity.linear.0", "models.MODEL.velocity.linear.0"),
        ("systems.plant.contact.dissipation", "systems.PLANT.contact.dissipation"),
        ("systems.plant.gravity.2", "systems.PLANT.gravity.2"),
        ("systems.plant.ground.height", "systems.PLANT.ground.height"),
        ("initial(plant.box.body.vz)", "initial(PLANT.MODEL)"),
    ]),
    (SCENE, "end(plant.arm.hinge.q)", &[
        ("systems.plant.models.arm.links.rod.mass=1.3", "models.MODEL.links.LINK.mass=2"),
        ("systems.plant.models.arm.joints.hinge.damping", "models.MODEL.joints.JOINT.damping"),
        ("systems.plant.models.arm.joints.hinge.armature", "joints.JOINT.armature"),
        ("systems.plant.springs.0.stiffness", "systems.PLANT.springs.0.stiffness"),
        ("systems.plant.initial.arm.hinge.q", "systems.PLANT.initial.MODEL.JOINT.q"),
        ("initial(plant.arm.hinge.v)", "initial(STATE)"),
        ("systems.goal.values.1.0", "systems.goal.values.1.0"),
        ("systems.goal.times.1", "systems.goal.times.1"),
        ("systems.gain.gain.0", "systems.BLOCK.KEY.0"),
        ("parameters.kp", "parameters.NAME"),
    ]),
    (STOP, "end(plant.arm.hinge.q)", &[
        ("systems.plant.models.arm.joints.hinge.limits.1", "joints.JOINT.limits.1"),
        ("systems.plant.stops.arm.hinge.restitution", "systems.PLANT.stops.MODEL.JOINT.restitution"),
    ]),
    (SCENE, "end(hung.weight.body.z)", &[
        ("systems.hung.constraints.rope.stiffness", "systems.PLANT.constraints.NAME.stiffness"),
        ("systems.hung.constraints.rope.b.pose.xyz.2", "constraints.NAME.b.pose.xyz.2"),
        ("parameters.size", "parameters.NAME"),
    ]),
    (SIGNALS, "end(lag.output)", &[
        ("systems.lag.time_constant", "systems.BLOCK.KEY"),
        ("systems.step.time", "systems.step.time"),
        ("systems.rise.start", "systems.rise.start"),
    ]),
    (SIGNALS, "end(mapped.output)", &[
        ("systems.map.values.2", "systems.map.values.2"),
        ("systems.wave.frequency", "systems.wave.frequency"),
    ]),
    (SIGNALS, "end(cut.output)", &[("systems.limited.upper", "systems.limited.upper")]),
    (SIGNALS, "end(counted.output)", &[("systems.relay.rise_at", "systems.relay.rise_at")]),
    (SIGNALS, "end(left.y)", &[
        ("systems.left.set.k", "systems.BLOCK.set.NAME"),
        ("systems.left/lag.time_constant=0.2", "systems.BLOCK/INNER.KEY=2"),
        ("systems.shake.standard_deviation", "systems.shake.standard_deviation"),
    ]),
];

/// A file of this name with the models beside it, in a folder of its own: tests run at the same time.
fn file(name: &str, text: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kinds_of_numbers").join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    for (name, text) in [("box.urdf", BOX), ("arm.urdf", ARM), ("leg.yaml", LEG), (name, text)] {
        std::fs::write(folder.join(name), text).expect("a file");
    }
    folder.join(name).to_string_lossy().into_owned()
}

#[test]
fn derivatives_by_numbers_of_all_kinds_are_those_of_tight_runs() {
    let page = include_str!("../../docs/derivatives.md");
    for (scene, of, all) in ASKED {
        let path = file("scene.yaml", scene);
        let by = all.iter().flat_map(|(by, _)| ["--by", by]);
        let args = ["gradient", &path, "--quick", "--check", "--of", of].into_iter();
        let found = json(&args.chain(by).collect::<Vec<&str>>());
        let rows = found["gradient"].as_array().expect("rows");
        assert!(rows.len() >= all.len(), "{found}");
        for row in rows {
            let number = |key: &str| row[key].as_f64().unwrap_or(f64::NAN);
            let (value, differences) = (number("value"), number("differences"));
            assert!((value - differences).abs() <= 1e-2 * value.abs() + 1e-4, "{row}");
        }
        for (_, text) in *all {
            assert!(page.contains(text), "docs/derivatives.md has no `{text}`");
        }
    }
}

#[test]
fn a_turn_of_a_free_body_is_a_rotation_vector() {
    // A body that turns at the rate w about z from a turn r: its angle is r + w t.
    let text = "kinegraph: 1
systems:
  plant: {type: multibody_plant, gravity: [0, 0, 0], models: [{name: box, file: box.urdf, base: floating,
    velocity: {angular: [0, 0, 0.8]}}]}
simulation: {duration: 1, accuracy: 1.0e-6}
";
    let path = file("turn.yaml", text);
    let args = ["gradient", &path, "--of", "end(plant.box.body.qz)", "--by", "initial(plant.box.body.rz)"];
    let found = json(&[&args[..], &["--by", "initial(plant.box.body.wz)"]].concat());
    for row in 0..2 {
        let value = found["gradient"][row]["value"].as_f64().expect("a number");
        assert!((value - 0.5 * 0.4_f64.cos()).abs() < 1e-6, "{found}");
    }
}

#[test]
fn numbers_that_cannot_be_differentiated_by_are_refused() {
    let path = file("refused.yaml", SIGNALS);
    for (by, parts) in [
        ("systems.hold.period", ["changes when `hold` samples", "are not taken"]),
        ("systems.hold.offset", ["changes when `hold` samples", "are not taken"]),
        ("simulation.duration", ["`simulation` is about the run", "differentiate by `parameters` or `systems`"]),
        ("systems.shake.seed", ["systems.shake.seed", "expected a whole number"]),
    ] {
        let (code, out, err) = kinegraph(&["gradient", &path, "--of", "end(held.output)", "--by", by]);
        assert_eq!(code, 2, "{by}: {out}{err}");
        assert!(parts.iter().all(|part| err.contains(part)), "{by}: {err}");
    }
    let path = file("no_list.yaml", SCENE);
    let by = "systems.plant.models.arm.links.rod.inertia.1=0.02";
    let (code, _, err) = kinegraph(&["gradient", &path, "--of", "end(plant.arm.hinge.q)", "--by", by]);
    assert!(code == 2 && err.contains("the file has no list at systems.plant.models.arm.links.rod.inertia"), "{err}");
}
