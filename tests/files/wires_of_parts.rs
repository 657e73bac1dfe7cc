//! Wires that name some numbers of a port: `plant.arm.shoulder -> pid.measured`, `goal.output[0, 2] -> pid.desired`.

use super::command;
use kinegraph::files::load_str;
use kinegraph::scenario::Scenario;
use std::path::Path;

const PLANT: &str = "kinegraph: 1
systems:
  plant:
    type: multibody_plant
    models: [{name: pendulum, file: double_pendulum.urdf, base: fixed}]
";

/// The scenario of a pendulum with these further systems and connections.
fn pendulum(rest: &str) -> Result<Scenario, String> {
    let text = format!("{PLANT}{rest}simulation: {{accuracy: 1e-4, duration: 2}}\n");
    let path = Path::new("examples/double_pendulum/wired.yaml");
    let loaded = load_str(path, &text, &[]).map_err(|error| error.to_string())?;
    let scenario = Scenario::build(&loaded.diagram, &loaded.loader);
    scenario.ok_or_else(|| loaded.failed().to_string())
}

/// The angles at the end.
fn end(rest: &str) -> [f64; 2] {
    let mut simulation = pendulum(rest).expect("a diagram").simulation().expect("an integrator");
    simulation.advance_to(2.0).expect("a run");
    ["plant.pendulum.j1.q", "plant.pendulum.j2.q"].map(|channel| simulation.channel(channel).expect("a channel"))
}

const WHOLE: &str = "  pid: {type: pid, kp: 100, ki: 50, kd: 20, width: 2}
  goal: {type: constant, value: [1, 0.5, 0, 0]}
connections:
  - plant.pendulum.state -> pid.measured
  - goal.output -> pid.desired
  - pid.effort -> plant.pendulum.actuation
";

/// The control law of `WHOLE`, with a controller for each joint.
const PARTS: &str = "  shoulder: {type: pid, kp: 100, ki: 50, kd: 20}
  elbow: {type: pid, kp: 100, ki: 50, kd: 20}
  goal: {type: constant, value: [1, 0.5, 0, 0]}
connections:
  - plant.pendulum.j1 -> shoulder.measured
  - plant.pendulum[1] -> elbow.measured
  - goal.output[0, 2] -> shoulder.desired
  - goal.output[1] -> elbow.desired[0]
  - goal.output[3:] -> elbow.desired[1]
  - shoulder.effort -> plant.pendulum[j1]
  - elbow.effort -> plant.pendulum.actuation[1]
";

#[test]
fn parts_of_ports_drive_what_whole_ports_drive() {
    let (whole, parts) = (end(WHOLE), end(PARTS));
    for (whole, parts) in whole.iter().zip(parts) {
        assert!((whole - parts).abs() < 1e-9, "{whole} and {parts} rad");
    }
}

#[test]
fn joints_in_another_order_are_wired_in_that_order() {
    let swapped = "  pid: {type: pid, kp: 100, ki: 50, kd: 20, width: 2}
  goal: {type: constant, value: [0.5, 1, 0, 0]}
connections:
  - plant.pendulum[j2, j1] -> pid.measured
  - goal.output -> pid.desired
  - pid.effort[1] -> plant.pendulum.j1
  - pid.effort[0] -> plant.pendulum.j2
";
    for (whole, swapped) in end(WHOLE).iter().zip(end(swapped)) {
        assert!((whole - swapped).abs() < 1e-9, "{whole} and {swapped} rad");
    }
}

#[test]
fn an_optional_input_that_is_driven_in_part_is_zero_elsewhere() {
    let one = |wire: &str| end(&format!("  push: {{type: constant, value: [3, 0]}}\nconnections:\n  - {wire}\n"));
    let (part, whole) = (one("push.output[0] -> plant.pendulum[j1]"), one("push.output -> plant.pendulum.actuation"));
    for (part, whole) in part.iter().zip(whole) {
        assert!((part - whole).abs() < 1e-9, "{part} and {whole} rad");
    }
}

#[test]
fn every_fault_of_a_part_stands_at_its_wire() {
    let rest = "  shoulder: {type: pid, kp: 100, kd: 20}
  elbow: {type: pid, kp: 100, kd: 20}
  goal: {type: constant, value: [1, 0.5, 0, 0]}
connections:
  - plant.pendulum.j3 -> shoulder.measured
  - plant.pendulum[5] -> elbow.measured
  - goal.output -> shoulder.desired
  - goal.output[1] -> elbow.desired[0]
  - shoulder.effort -> plant.pendulum[j1]
  - elbow.effort -> plant.pendulum.actuation[0]
";
    let faults = pendulum(rest).expect_err("faults");
    for expected in [
        "wired.yaml:10:5: plant.pendulum.j3 -> shoulder.measured: unknown output of plant `pendulum.j3`",
        "did you mean `pendulum.j1`?",
        "wired.yaml:11:5: plant.pendulum[5]: there is no pendulum[5]: it has pendulum[0] to pendulum[1]",
        "wired.yaml:12:5: goal.output gives 4 numbers, shoulder.desired takes 2",
        "wired.yaml:13:5: elbow.desired is driven in part only: nothing drives desired[1]",
        "wired.yaml:15:5: plant.pendulum.actuation[0] is driven twice, by shoulder.effort and by elbow.effort",
    ] {
        assert!(faults.contains(expected), "{expected}\nin\n{faults}");
    }
    assert_eq!(faults.matches("wired.yaml:").count(), 5, "{faults}");
}

#[test]
fn widths_that_differ_are_said_with_the_names_of_the_numbers() {
    let rest = "  pid: {type: pid, kp: 1, kd: 1}
connections: [plant.pendulum.state -> pid.measured]
";
    let faults = pendulum(rest).expect_err("faults");
    let expected = "gives 4 numbers (pendulum.j1.q, pendulum.j2.q, pendulum.j1.v, pendulum.j2.v), pid.measured takes 2";
    assert!(faults.contains(expected), "{faults}");
}

#[test]
fn ports_are_listed_while_the_file_has_faults() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wires_of_parts");
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("d.yaml");
    let text = "kinegraph: 1\nsystems:\n  goal: {type: constant, value: [1, 2]}\n  pid: {type: pid, kp: 1}\n\
                connections: [goal.outputs -> pid.measured]\nsimulation: {duration: 1}\n";
    std::fs::write(&file, text).expect("a file");
    let (code, out, _) = command::kinegraph(&["check", file.to_str().expect("a path"), "--ports"]);
    assert_eq!(code, 2);
    assert!(out.contains("out goal.output [2]") && out.contains("in  pid.measured [2]"), "{out}");
}
