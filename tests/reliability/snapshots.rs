//! A snapshot that was damaged, or belongs to another diagram, cannot be resumed.

use super::command::kinegraph;
use super::{Random, scratch, written};
use kinegraph::simulate::{Scenario, Snapshot, SnapshotError};
use std::path::Path;

/// A ball above a ground, sampled noise beside it.
const DIAGRAM: &str = "kinegraph: 1
name: damaged
systems:
  plant:
    type: multibody_plant
    ground: {height: 0}
    models: [{name: ball, file: ball.urdf, base: floating, pose: {xyz: [0, 0, 0.3]}}]
  wind: {type: noise, standard_deviation: 1, period: 0.01, seed: 7}
  mean: {type: moving_average, samples: 3, period: 0.02}
connections: [wind.output -> mean.input]
simulation: {integrator: cenic, accuracy: 1e-3, duration: 0.4}
";

const BALL: &str = "<robot name=\"ball\"><link name=\"ball\"><inertial><mass value=\"1\"/>\
    <inertia ixx=\"0.004\" iyy=\"0.004\" izz=\"0.004\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>\
    <collision><geometry><sphere radius=\"0.1\"/></geometry></collision></link></robot>";

/// The diagram file, and a snapshot in the middle of its run.
fn saved(name: &str) -> (String, Snapshot) {
    written("ball.urdf", BALL);
    let file = written(name, DIAGRAM);
    let mut simulation = Scenario::open(&file).unwrap().simulation().unwrap();
    simulation.advance_to(0.2).unwrap();
    (file, simulation.snapshot())
}

/// Number of flipped bits.
fn flips() -> usize {
    if std::env::var_os("KINEGRAPH_WHOLE").is_some() { 20_000 } else { 1_000 }
}

#[test]
fn no_flipped_bit_resumes_to_another_result() {
    let (_, snapshot) = saved("flips.yaml");
    let (bytes, json) = (snapshot.to_bytes().unwrap(), snapshot.to_json().unwrap().into_bytes());
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut accepted = 0;
    for i in 0..flips() {
        let mut damaged = if i % 2 == 0 { bytes.clone() } else { json.clone() };
        let bit = random.below(8 * damaged.len());
        damaged[bit / 8] ^= 1 << (bit % 8);
        let read = match i % 2 {
            0 => Snapshot::from_bytes(&damaged),
            _ => std::str::from_utf8(&damaged).map_or(Err(SnapshotError::Damaged), Snapshot::from_json),
        };
        if let Ok(read) = read {
            // The last digits of a number may be read as the same number.
            assert_eq!(read, snapshot, "bit {bit}");
            accepted += 1;
        }
    }
    println!(
        "| flipped bits of a snapshot, half of them in bytes and half in JSON | {} | none resumes to another result: {} \
         refused, {accepted} in digits that mean the same number |",
        flips(),
        flips() - accepted
    );
    assert!(accepted < flips() / 50, "{accepted} flips change nothing");
}

#[test]
fn a_changed_diagram_is_refused_and_what_changed_is_listed() {
    let (file, snapshot) = saved("changed.yaml");
    let saved = scratch("changed.json");
    snapshot.write(&saved).unwrap();
    let resume = |changes: &[&str]| {
        let saved = saved.display().to_string();
        let sets = changes.iter().flat_map(|change| ["--set", change]);
        kinegraph(&["run", &file, "--quiet", "--resume", &saved].into_iter().chain(sets).collect::<Vec<_>>())
    };
    assert_eq!(resume(&[]), (0, String::new(), String::new()));
    // How it is simulated is no part of the diagram.
    assert_eq!(resume(&["simulation.accuracy=1e-2", "simulation.duration=0.3", "record.every=0.1"]).0, 0);
    for (change, listed) in [
        ("systems.plant.ground.height=-0.1", "systems.plant.ground.height: 0 when it was saved, now -0.1"),
        ("systems.wind.seed=8", "systems.wind.seed: 7 when it was saved, now 8"),
        ("systems.mean.period=0.03", "systems.mean.period: 0.02 when it was saved, now 0.03"),
        ("systems.plant.gravity=[0, 0, -1]", "systems.plant.gravity: nothing when it was saved, now [0, 0, -1]"),
    ] {
        let (code, out, err) = resume(&[change]);
        assert_eq!((code, out.as_str()), (2, ""), "{change}");
        assert!(err.contains(listed) && err.contains("`--resume-changed`"), "{change}: {err}");
        let saved = saved.display().to_string();
        let args = ["run", &file, "--quiet", "--resume", &saved, "--resume-changed", "--set", change];
        let (code, _, err) = kinegraph(&args);
        assert!(code == 0 && err.contains(&format!("note: changed: {listed}")), "{change}: {err}");
    }
    // Nor may a model file change.
    written("ball.urdf", &BALL.replace("\"0.004\"", "\"0.005\""));
    let (code, _, err) = resume(&[]);
    written("ball.urdf", BALL);
    assert!(code == 2 && err.contains("systems.plant.models.ball.file (content)"), "{err}");
}

#[test]
fn impossible_snapshots_are_refused() {
    let (file, snapshot) = saved("impossible.yaml");
    let mut simulation = Scenario::open(&file).unwrap().simulation().unwrap();
    let mut early = snapshot.clone();
    early.time = -1.0;
    assert_eq!(simulation.restore(&early), Err(SnapshotError::NegativeTime { time: -1.0 }));
    let mut other = snapshot.clone();
    other.integrator = "cenik".into();
    let path = format!("{file}.other.json");
    std::fs::write(&path, other.to_json().unwrap()).unwrap();
    let (code, _, err) = kinegraph(&["run", &file, "--quiet", "--resume", &path]);
    assert!(code == 2 && err.contains("cenik"), "{code}: {err}");
    let mut undefined = snapshot.clone();
    undefined.discrete[0].1 = f64::NAN;
    assert!(matches!(simulation.restore(&undefined), Err(SnapshotError::NotFinite { .. })));
    assert_eq!(simulation.time(), 0.0);
    simulation.restore(&snapshot).unwrap();
    assert_eq!(simulation.time(), 0.2);
}

/// A person may change a snapshot by removing its checksum.
#[test]
fn json_without_its_checksum_is_taken_at_its_word() {
    let (_, snapshot) = saved("edited.yaml");
    let json = snapshot.to_json().unwrap();
    let edited = json.replacen("\"time\": 0.2", "\"time\": 0.1", 1);
    assert_ne!(edited, json);
    assert_eq!(Snapshot::from_json(&edited), Err(SnapshotError::Damaged));
    let value: serde_json::Value = serde_json::from_str(&edited).unwrap();
    let mut without = value.as_object().unwrap().clone();
    without.remove("checksum").unwrap();
    assert_eq!(Snapshot::from_json(&serde_json::Value::Object(without).to_string()).unwrap().time, 0.1);
    assert!(Snapshot::read(Path::new("Cargo.toml")).is_err());
}
