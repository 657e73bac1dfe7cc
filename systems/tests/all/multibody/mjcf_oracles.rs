//! Published models as in `model_oracles`, read from their original files.
//!
//! The files are in the Python packages gymnasium 1.4.0 and dm_control 1.0.50. If `KINEGRAPH_PYTHON_PACKAGES` does not
//! name a folder with them, the tests pass and report the files that they skipped.

use super::model_oracles::{check, check_within, list, near, numbers, vector};
use kinegraph_systems::models::{LoadOptions, read_model};
use kinegraph_systems::multibody::{Base, InertiaCheck, Model, ModelInstance, Tree};
use serde_json::Value;
use std::path::PathBuf;

const FILES: [(&str, &str); 14] = [
    ("gym_ant", "gymnasium/envs/mujoco/assets/ant.xml"),
    ("gym_humanoid", "gymnasium/envs/mujoco/assets/humanoid.xml"),
    ("gym_half_cheetah", "gymnasium/envs/mujoco/assets/half_cheetah.xml"),
    ("gym_inverted_double_pendulum", "gymnasium/envs/mujoco/assets/inverted_double_pendulum.xml"),
    ("gym_pusher_v5", "gymnasium/envs/mujoco/assets/pusher_v5.xml"),
    ("gym_walker2d_v5", "gymnasium/envs/mujoco/assets/walker2d_v5.xml"),
    ("dmc_acrobot", "dm_control/suite/acrobot.xml"),
    ("dmc_cheetah", "dm_control/suite/cheetah.xml"),
    ("dmc_fish", "dm_control/suite/fish.xml"),
    ("dmc_humanoid", "dm_control/suite/humanoid.xml"),
    ("dmc_quadruped", "dm_control/suite/quadruped.xml"),
    ("dmc_stacker", "dm_control/suite/stacker.xml"),
    ("dmc_ball_joints", "dm_control/mujoco/testing/assets/model_with_ball_joints.xml"),
    ("dmc_kinova_jaco_arm", "dm_control/third_party/kinova/jaco_arm.xml"),
];

/// Relative tolerance for quantities that depend on inertias of meshes. The oracle itself is no more accurate: MuJoCo
/// turns them into principal moments by rotations that end at an absolute 1e-12, which changes the tensors of this arm
/// by up to 1.7e-9 of their size from the same sums over the triangles in 80-bit numbers, and its mass matrix by
/// 3.7e-11.
const FROM_MESHES: (&str, f64) = ("dmc_kinova_jaco_arm", 1e-10);

/// The file in the packages, if they are there.
fn package_file(path: &str) -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("KINEGRAPH_PYTHON_PACKAGES") else {
        println!("left out: KINEGRAPH_PYTHON_PACKAGES does not name the folder of {path}");
        return None;
    };
    let file = PathBuf::from(folder).join(path);
    if !file.is_file() {
        println!("left out: there is no {}", file.display());
        return None;
    }
    Some(file)
}

fn read(path: &str) -> Option<Model> {
    let file = package_file(path)?;
    let options =
        LoadOptions { missing_meshes: kinegraph_systems::models::MissingMeshes::Ignore, ..Default::default() };
    Some(read_model(&file, &options).unwrap_or_else(|error| panic!("{path}: {error}")).model)
}

#[test]
fn every_published_file_agrees() {
    for (name, path) in FILES {
        let Some(model) = read(path) else { continue };
        let data = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("data/model-oracles/{name}.json"));
        let oracle: Value = serde_json::from_str(&std::fs::read_to_string(data).unwrap()).unwrap();
        let instance = ModelInstance { name: name.into(), model: &model, base: Base::fixed() };
        let (tree, _) =
            Tree::assemble(&[instance], InertiaCheck::Strict).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(tree.num_velocities(), oracle["nv"].as_u64().unwrap() as usize, "{name}");
        assert_eq!(tree.num_positions(), oracle["nq"].as_u64().unwrap() as usize, "{name}");
        near(&format!("{name}: damping"), tree.damping(), &numbers(&oracle["damping"]));
        near(&format!("{name}: armature"), tree.armature(), &numbers(&oracle["armature"]));
        let gravity = model.scene.gravity.unwrap();
        near(&format!("{name}: gravity"), gravity.as_slice(), vector(&oracle["gravity"]).as_slice());
        assert_eq!(model.scene.actuators.len(), list(&oracle["actuators"]).len(), "{name}");
        for (c, config) in list(&oracle["configs"]).iter().enumerate() {
            let what = format!("{name} configuration {c}");
            if name == FROM_MESHES.0 {
                check_within(FROM_MESHES.1, &what, &tree, &oracle, config, false);
            } else {
                check(&what, &tree, &oracle, config, false);
            }
        }
    }
}

/// Files of the packages that are refused, and a part of the reason.
const REFUSED: [(&str, &str); 8] = [
    ("build_fruitfly/assets/drosophila.xml", "there is no file"),
    ("build_fruitfly/floor.xml", "there is no file"),
    ("build_fruitfly/fruitfly.xml", "there is no file"),
    ("dog_v2/scene.xml", "a second geom is named"),
    ("included_with_invalid_filenames.xml", "there is no file"),
    ("model_with_invalid_filenames.xml", "cannot include"),
    ("mujoco/testing/assets/model_with_assets.xml", "cannot include"),
    ("test_assets/test_model.xml", "nothing determines"),
];

/// Every file loads and assembles, or is refused for a valid reason.
#[test]
fn every_file_of_the_packages_is_read_or_refused_for_a_reason() {
    let (mut read, mut refused) = (0, Vec::new());
    for package in ["gymnasium", "dm_control"] {
        let Some(some) = package_file(&format!("{package}/__init__.py")) else { continue };
        let mut files = Vec::new();
        collect(some.parent().unwrap(), &mut files);
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            // Parts of models, and descriptions of the format, are not models.
            let root = text.split('<').map(str::trim_start).find(|tag| !tag.is_empty() && !tag.starts_with(['?', '!']));
            if !root.is_some_and(|root| root.starts_with("mujoco") && !root.starts_with("mujocoinclude")) {
                continue;
            }
            let name = file.display().to_string();
            let instance = |model: &Model| {
                let instance = ModelInstance { name: "m".into(), model, base: Base::fixed() };
                Tree::assemble(&[instance], InertiaCheck::Strict).map(|_| ()).map_err(|error| error.to_string())
            };
            let options = LoadOptions::default();
            let loaded = read_model(&file, &options).map_err(|error| error.to_string());
            match loaded.and_then(|loaded| instance(&loaded.model)) {
                Ok(()) => read += 1,
                Err(reason) => refused.push((name, reason)),
            }
        }
    }
    println!("{read} models are read, {} refused", refused.len());
    for (name, reason) in &refused {
        println!("{name}: {}", reason.lines().next().unwrap_or_default());
        let known = REFUSED.iter().any(|(end, part)| name.ends_with(end) && reason.contains(part));
        assert!(known, "{name}: {reason}");
    }
}

fn collect(folder: &std::path::Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "xml") {
            files.push(path);
        }
    }
}
