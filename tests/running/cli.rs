//! The command line with a fake simulator: exit codes, outputs, overrides, recordings.

use crate::command::kinegraph_on;
use kinegraph::diagram::DiagramBuilder;
use kinegraph::files::{Catalog, DiagramFile, FaultKind, FileFaults, FileNote, Loader};
use kinegraph::simulate::{
    Channels, Observer, Prepared, RunReport, RunStart, Sampler, Simulator, Size, Snapshot, SnapshotError, Statistics,
    Status,
};
use kinegraph_systems::dynamics::Integrator;
use std::path::{Path, PathBuf};

const FILE: &str = "tests/data/every_key.yaml";

/// Behaviour of the fake run.
#[derive(Clone, Copy)]
enum Pretend {
    Done,
    FailHalfWay,
    FailToBuild,
}

struct PreparedPretence(Pretend, RunReport);

impl Simulator for Pretend {
    fn build(&self, diagram: &DiagramFile, loader: &Loader) -> Result<Box<dyn Prepared>, FileFaults> {
        if matches!(self, Pretend::FailToBuild) {
            let wire = &diagram.connections[1];
            loader.report(wire.at, FaultKind::Build { path: wire.to_string(), message: "widths 7 and 9".into() });
            loader.finish()?;
        }
        let simulation = &diagram.simulation;
        let report = RunReport {
            diagram: diagram.name.clone(),
            integrator: simulation.integrator.name.into(),
            accuracy: simulation.integrator.error_controlled().then_some(simulation.accuracy),
            duration: simulation.duration,
            sim_time: simulation.duration,
            stopped_by: None,
            wall_s: 0.5,
            real_time_factor: simulation.duration / 0.5,
            statistics: Statistics { steps: 10, ..Statistics::default() },
            profile: None,
            starts_violated: Vec::new(),
            lost: Vec::new(),
            energy_start: Some(1.0),
            energy_doubt: None,
            requirements: Vec::new(),
            energy_end: Some(0.5),
            final_state: Channels(vec![("plant.arm.joint1.q".into(), 0.25)]),
            status: Status::Done,
        };
        Ok(Box::new(PreparedPretence(*self, report)))
    }
}

fn note(line: usize, what: &str, loss: bool) -> FileNote {
    let element = format!("robot/link[{line}]");
    FileNote {
        file: "arm.urdf".into(),
        line,
        column: 5,
        element,
        what: what.into(),
        count: 1,
        departs: true,
        loss,
        doubt: false,
    }
}

impl Prepared for PreparedPretence {
    fn size(&self) -> Size {
        Size {
            blocks: 8,
            nested: 0,
            wires: 3,
            states: 1,
            ports: vec!["out plant.arm.state [2]".into()],
            defaults: vec!["plant.crate.actuation: no effort".into()],
            exported: Vec::new(),
            notes: vec![note(3, "ignored", false), note(4, "the mesh is ignored", true)],
            starts_violated: Vec::new(),
            pictures: Vec::new(),
            channels: Vec::new(),
            requirements: Vec::new(),
        }
    }

    fn resume(&mut self, snapshot: &Snapshot, _changed: bool) -> Result<Vec<String>, SnapshotError> {
        if snapshot.time > self.1.duration {
            return Err(SnapshotError::PastTheEnd { time: snapshot.time, end: self.1.duration });
        }
        self.1.status = Status::Failed(format!("resumed at {}", snapshot.time));
        Ok(Vec::new())
    }

    fn run(mut self: Box<Self>, observer: &mut dyn Observer) -> RunReport {
        let mut builder = DiagramBuilder::new("pretended");
        let joint = builder.add("joint", Integrator::new([0.1]).expect("a block"));
        builder.fix(joint.input, [0.0]);
        let diagram = builder.build().expect("a diagram");
        let channels = diagram.find_channels("joint.output").expect("a channel");
        let mut sampler = Sampler::new(&diagram, &channels);
        let mut state = diagram.initial_state();
        let run = RunStart {
            diagram: &diagram,
            channels: &channels,
            time: 0.0,
            end: self.1.duration,
            every: 0.1,
            integrator: "rk3",
            accuracy: None,
        };
        observer.begin(&run).expect("a header");
        observer.sample(&mut sampler.sample(&state, &[])).expect("a row");
        if matches!(self.0, Pretend::FailHalfWay) {
            self.1.status = Status::Failed("at t = 1 s the step fell below the smallest one".into());
        } else {
            (state.time, state.continuous) = (self.1.duration, vec![0.25]);
            observer.sample(&mut sampler.sample(&state, &[])).expect("a row");
        }
        observer.end().expect("all rows kept");
        self.1
    }
}

struct Said {
    code: u8,
    out: String,
    err: String,
}

fn kinegraph(simulator: Pretend, args: &[&str]) -> Said {
    let (code, out, err) = kinegraph_on(&simulator, args, false);
    Said { code, out, err }
}

fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn a_run_that_ends_well_sums_up_and_exits_with_0() {
    let said = kinegraph(Pretend::Done, &["run", FILE]);
    assert_eq!(said.code, 0);
    let notes = format!("2 notes on what the model files say (list with `kinegraph check {FILE} --notes`)\n");
    assert_eq!(said.err, format!("note: arm.urdf:4:5: the mesh is ignored\n{notes}"));
    assert!(said.out.starts_with("every_key: done (cenic, accuracy 0.001)\n"), "{}", said.out);
    assert!(said.out.contains("2 of 2 s") && said.out.contains("4 x real time"));
    let quiet = kinegraph(Pretend::Done, &["run", FILE, "--quiet"]);
    assert_eq!((quiet.code, quiet.out.as_str(), quiet.err.as_str()), (0, "", ""));
    let json = kinegraph(Pretend::Done, &["run", FILE, "--json"]);
    assert_eq!((json.code, json.err.as_str()), (0, "note: arm.urdf:4:5: the mesh is ignored\n"));
}

#[test]
fn notes_of_model_files_are_errors_under_strict() {
    for command in ["run", "check"] {
        let said = kinegraph(Pretend::Done, &[command, FILE, "--strict"]);
        assert_eq!((said.code, said.out.as_str()), (2, ""));
        let reported = "arm.urdf:3:5: ignored\narm.urdf:4:5: the mesh is ignored\n2 notes, an error under --strict\n";
        assert_eq!(said.err, reported);
    }
}

#[test]
fn json_is_one_object_on_standard_output() {
    let said = kinegraph(Pretend::Done, &["run", FILE, "--json", "--integrator", "icf", "--until", "3"]);
    let object: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
    assert_eq!(object["integrator"], "icf");
    assert_eq!(object["accuracy"], serde_json::Value::Null);
    assert_eq!(object["sim_time"], 3.0);
    assert_eq!(object["status"], "done");
    assert_eq!(object["final_state"]["plant.arm.joint1.q"], 0.25);
}

#[test]
fn a_failed_run_exits_with_1_and_keeps_what_it_recorded() {
    let file = scratch("failed.csv");
    let said = kinegraph(Pretend::FailHalfWay, &["run", FILE, "--quiet", "--record", &file.to_string_lossy()]);
    assert_eq!((said.code, said.out.as_str()), (1, ""));
    assert_eq!(said.err, "every_key: failed: at t = 1 s the step fell below the smallest one\n");
    assert_eq!(std::fs::read_to_string(file).expect("the recording"), "time,joint.output\n0.0,0.1\n");
}

#[test]
fn wrong_files_and_wrong_usage_exit_with_2() {
    for args in [
        &["run", "tests/bad_files/five_faults.yaml"][..],
        &["check", "tests/bad_files/five_faults.yaml"],
        &["run", "none.yaml"],
        &["run"],
        &["fly"],
        &["run", FILE, "--accuracy", "-1"],
        &["run", FILE, "--set", "no-equals-sign"],
        &["run", FILE, "--set", "systems.plnt.gravity=[0, 0, 0]"],
        &["run", FILE, "--record", "tests/no such folder/x.csv"],
        &["run", FILE, "--steps", "tests/no such folder/x.csv"],
        &["systems", "gian"],
    ] {
        let said = kinegraph(Pretend::Done, args);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{args:?}");
        assert!(!said.err.is_empty(), "{args:?}");
    }
    assert_eq!(kinegraph(Pretend::Done, &["run", "tests/bad_files/five_faults.yaml"]).err.matches(".yaml:").count(), 5);
}

#[test]
fn values_of_the_command_line_are_blamed_by_their_option() {
    let said =
        kinegraph(Pretend::Done, &["run", FILE, "--max-step", "fast", "--set", "systems.plnt.gravity=[0, 0, 0]"]);
    assert!(
        said.err.contains("--max-step fast: simulation.max_step: expected a number above 0, found the text `fast`")
    );
    assert!(said.err.contains("--set systems.plnt.gravity=[0, 0, 0]: there is no `plnt` in systems"));
    assert!(said.err.contains("did you mean `plant`?"));
}

#[test]
fn a_diagram_that_does_not_build_is_wrong_input_and_leaves_recordings_alone() {
    let file = scratch("older.csv");
    std::fs::write(&file, "an older recording").expect("a file");
    let said = kinegraph(Pretend::FailToBuild, &["run", FILE, "--record", &file.to_string_lossy()]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("plant.arm.state -> controller.estimated_state: widths 7 and 9"), "{}", said.err);
    assert_eq!(std::fs::read_to_string(file).expect("the file"), "an older recording");
}

#[test]
fn check_lists_ports_and_systems_lists_block_types() {
    let said = kinegraph(Pretend::Done, &["check", FILE]);
    assert_eq!(said.code, 0);
    assert!(said.out.contains("8 blocks, 3 connections, 1 state\n"), "{}", said.out);
    assert!(said.out.contains("plant.crate.actuation: no effort"));
    assert!(said.out.contains("  2 notes on what the model files say"), "{}", said.out);
    assert!(!said.out.contains("3:5: ignored") && said.out.contains("note: arm.urdf:4:5: the mesh"), "{}", said.out);
    let said = kinegraph(Pretend::Done, &["check", FILE, "--notes", "--ports"]);
    assert!(said.out.contains("  out plant.arm.state [2]\n"), "{}", said.out);
    let table = "  element        place         what was done with it\n  robot/link[3]  arm.urdf:3:5  ignored\n  \
                 robot/link[4]  arm.urdf:4:5  the mesh is ignored\n";
    assert!(said.out.contains(table), "{}", said.out);
    let said = kinegraph(Pretend::Done, &["systems", "gain"]);
    assert!(said.out.starts_with("gain: ") && said.out.contains("  in  input   vector [2]\n"), "{}", said.out);
    assert!(said.out.contains("  gain         factor of all signals, or one each [any] (required)\n"), "{}", said.out);
    assert!(said.out.contains("\nexample:\n  systems:\n    scale: {type: gain, gain: [2, 0.5]}\n"), "{}", said.out);
    let said = kinegraph(Pretend::Done, &["systems", "diagram"]);
    assert!(said.out.contains("  out effort") && said.out.contains("\nservo.yaml:\n  kinegraph: 1\n"), "{}", said.out);
    let said = kinegraph(Pretend::Done, &["systems"]);
    assert!(
        said.out.starts_with("plants:\n  multibody_plant ") && said.out.contains("\nsampled blocks:\n"),
        "{}",
        said.out
    );
    assert!(Catalog::standard().names().all(|name| said.out.contains(&format!("\n  {name} "))));
    assert_eq!(kinegraph(Pretend::Done, &["--help"]).code, 0);
}

#[test]
fn the_scene_of_a_file_is_json_that_reads_back() {
    use kinegraph::scene::Scene;
    let file = "examples/vacuum/vacuum.yaml";
    let said = kinegraph(Pretend::Done, &["scene", file]);
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    let scene = Scene::from_json(&said.out).expect("a scene");
    assert!(scene.find("plant", "crate/crate").is_some() && scene.markers.len() == 4);
    let written = scratch("scene.json");
    let said = kinegraph(Pretend::Done, &["scene", file, "-o", &written.to_string_lossy()]);
    assert_eq!((said.code, said.out.as_str(), said.err.as_str()), (0, "", ""));
    assert_eq!(Scene::from_json(&std::fs::read_to_string(written).expect("a file")), Ok(scene));
    let said = kinegraph(Pretend::Done, &["scene", file, "--set", "systems.plnt.gravity=[0, 0, 0]"]);
    assert!(said.code == 2 && said.err.contains("did you mean `plant`?"), "{}", said.err);
    let said = kinegraph(Pretend::Done, &["scene", file, "-o", "tests/no such folder/x.json"]);
    assert!(said.code == 2 && said.err.starts_with("--output tests/no such folder/x.json: cannot be written: "));
}
