//! Readings of sensors of MJCF files against MuJoCo's `sensordata`, at random states without contact.
//!
//! `systems/tests/data/mjcf_sensors/reference.py` writes the states. States of other models are compared if
//! `KINEGRAPH_SENSOR_STATES` names a folder of such files.

use kinegraph_systems::LeafSystem;
use kinegraph_systems::convex::{PlantDynamics, PlantPoint, PlantReports};
use kinegraph_systems::geometry::Ray;
use kinegraph_systems::models::{LoadOptions, MissingMeshes, read_model};
use kinegraph_systems::multibody::{Base, MultibodyPlant, PlantBuilder};
use kinegraph_systems::step_record::StepRecord;
use kinegraph_systems::testing::Bench;
use nalgebra::Vector3;
use serde_json::Value;
use std::path::Path;

/// Tolerance relative to the larger of a reading and one, in its unit.
const TOLERANCE: f64 = 1e-9;

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn plant(path: &Path) -> MultibodyPlant {
    let options = LoadOptions { missing_meshes: MissingMeshes::Ignore, ..LoadOptions::default() };
    let options = LoadOptions { access: options.access.clone().anywhere(true), ..options };
    let model = read_model(path, &options).unwrap_or_else(|error| panic!("{error}")).model;
    let gravity = model.scene.gravity.unwrap().into();
    PlantBuilder::new().gravity(gravity).model("m", model, Base::fixed()).build().unwrap_or_else(|e| panic!("{e}"))
}

/// The readings of all sensors at a state, with the accelerations and efforts of the file.
fn readings(plant: &MultibodyPlant, state: &Value) -> Vec<(String, f64)> {
    let of = |key: &str| numbers(&state[key]);
    let (q, v, v_dot) = (of("q"), of("v"), of("v_dot"));
    let structure = plant.structure();
    let mut point = PlantPoint::default();
    plant.evaluate(&q, &v, &mut point);
    // A step of one second loses no digits of the accelerations.
    let velocity = v.iter().zip(&v_dot).map(|(v, a)| v + a).collect();
    let record = StepRecord {
        length: 1.0,
        q: q.clone(),
        v: v.clone(),
        velocity,
        actuation: of("actuation"),
        stops: vec![0.0; structure.limits.len()],
        multipliers: vec![[0.0; 6]; structure.constraints.len()],
        ..StepRecord::default()
    };
    let mut discrete: Vec<f64> = plant.ports().discrete().iter().flat_map(|run| run.initial.clone()).collect();
    plant.read_out(&record, &mut point, &mut discrete);
    let time = state["time"].as_f64().unwrap();
    let bench = Bench::new(plant).time(time).state([q, v].concat()).discrete(discrete);
    let mut found = Vec::new();
    for port in plant.ports().outputs().iter().filter(|port| port.name.ends_with("sensors")) {
        found.extend(port.elements.iter().cloned().zip(bench.eval_named(&port.name)));
    }
    found
}

/// Number of sensors and states that were compared; appends the first difference of each kind to `faults`.
fn compare(reference: &Path, faults: &mut Vec<String>) -> (usize, usize) {
    let text: Value = serde_json::from_str(&std::fs::read_to_string(reference).unwrap()).unwrap();
    let model = reference.parent().unwrap().join(text["model"].as_str().unwrap());
    let plant = plant(&model);
    let states = text["states"].as_array().unwrap();
    let (mut compared, mut seen) = (0, std::collections::HashSet::new());
    for state in states {
        let found = readings(&plant, state);
        for (name, expected) in state["values"].as_object().unwrap() {
            let (prefix, expected) = (format!("m.sensors.{name}"), numbers(expected));
            let is_its =
                |full: &str| full.strip_prefix(&prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
            let mut own: Vec<f64> = found.iter().filter(|(full, _)| is_its(full)).map(|(_, x)| *x).collect();
            if own.is_empty() {
                continue;
            }
            let kind = text["kinds"][name].as_str().unwrap();
            // A quaternion and its negative are one turn.
            if expected.len() == 4 && own.iter().zip(&expected).map(|(x, y)| x * y).sum::<f64>() < 0.0 {
                own.iter_mut().for_each(|x| *x = -*x);
            }
            compared += expected.len();
            let size = expected.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
            let apart = own.len() != expected.len()
                || own.iter().zip(&expected).any(|(x, y)| x.is_nan() || (x - y).abs() > TOLERANCE * size);
            if apart && seen.insert(kind.to_owned()) {
                faults.push(format!("{}: {kind} {name}: {own:?} instead of {expected:?}", model.display()));
            }
        }
    }
    (states.len(), compared)
}

#[test]
fn all_sensors_read_what_mujoco_reads() {
    let mut faults = Vec::new();
    let reference = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/mjcf_sensors/all.json");
    let (states, compared) = compare(&reference, &mut faults);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(states == 4 && compared == 560, "{compared} numbers at {states} states");
}

/// Compares other models, if a folder of them is given.
#[test]
fn other_models_read_what_mujoco_reads() {
    let Some(folder) = std::env::var_os("KINEGRAPH_SENSOR_STATES") else { return };
    let mut faults = Vec::new();
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files.into_iter().filter(|file| file.extension().is_some_and(|e| e == "json")) {
        let (states, compared) = compare(&file, &mut faults);
        println!("{}: {compared} numbers at {states} states", file.display());
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Rays through the shapes of a scene have the hits of MuJoCo, at the same points (`rays.py` wrote them).
#[test]
fn rays_meet_what_mujoco_meets() {
    assert!(compare_rays("all.xml", "rays.json") > 300);
}

/// Planes have a front and edges, a height field stands on a block: rays from outside and from inside.
#[test]
fn rays_meet_edges_and_blocks_as_mujoco_does() {
    assert!(compare_rays("edges.xml", "edges.json") > 300);
}

/// Compares rays, and returns the number of those with a hit.
fn compare_rays(model: &str, reference: &str) -> usize {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/mjcf_sensors");
    let text: Value = serde_json::from_str(&std::fs::read_to_string(folder.join(reference)).unwrap()).unwrap();
    let plant = plant(&folder.join(model));
    let mut scene = plant.scene_query();
    let mut hits = 0;
    for fan in text["fans"].as_array().unwrap() {
        let q = numbers(&fan["q"]);
        let velocities = vec![0.0; plant.structure().num_velocities];
        let bench = Bench::new(&plant).state([q, velocities].concat());
        scene.place(&bench.eval_named("body_poses")).unwrap();
        let origin = Vector3::from_column_slice(&numbers(&fan["origin"]));
        let (directions, distances) = (numbers(&fan["directions"]), numbers(&fan["distances"]));
        for (i, (direction, expected)) in directions.chunks_exact(3).zip(distances).enumerate() {
            let ray = Ray::new(origin, Vector3::from_column_slice(direction)).unwrap();
            let Some(hit) = scene.cast_ray(&ray, f64::INFINITY, &[]) else {
                assert_eq!(expected, -1.0, "{ray:?}");
                continue;
            };
            assert!((hit.distance - expected).abs() < 1e-9 * expected, "{hit:?} instead of {expected}");
            let body = &plant.structure().bodies[hit.body].name;
            let body = if hit.body == 0 { "world" } else { body.trim_start_matches("m/") };
            assert_eq!(body, fan["bodies"][i].as_str().unwrap());
            // The label of a pixel is one more: all geoms of this file collide, and shapes have their order.
            assert_eq!(hit.index as i64, fan["geoms"][i].as_i64().unwrap());
            hits += 1;
        }
    }
    hits
}
