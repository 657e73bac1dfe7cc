//! The same published models, read from the files they come from.
//!
//! The files are in the Python packages gymnasium 1.4.0 and dm_control 1.0.50. Where `KINEGRAPH_PYTHON_PACKAGES` does not
//! name a folder with them, the tests pass and say what they left out.

use crate::model_oracles::{check, list, near, numbers, vector};
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
    let options = LoadOptions { missing_meshes: kinegraph_systems::models::MissingMeshes::Ignore, ..Default::default() };
    Some(read_model(&file, &options).unwrap_or_else(|error| panic!("{path}: {error}")).model)
}

#[test]
fn every_published_file_agrees() {
    for (name, path) in FILES {
        let Some(model) = read(path) else { continue };
        let data = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/model-oracles/{name}.json"));
        let oracle: Value = serde_json::from_str(&std::fs::read_to_string(data).unwrap()).unwrap();
        let instance = ModelInstance { name: name.into(), model: &model, base: Base::fixed() };
        let (tree, _) = Tree::assemble(&[instance], InertiaCheck::Strict).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(tree.num_velocities(), oracle["nv"].as_u64().unwrap() as usize, "{name}");
        assert_eq!(tree.num_positions(), oracle["nq"].as_u64().unwrap() as usize, "{name}");
        near(&format!("{name}: damping"), tree.damping(), &numbers(&oracle["damping"]));
        near(&format!("{name}: armature"), tree.armature(), &numbers(&oracle["armature"]));
        let gravity = model.scene.gravity.unwrap();
        near(&format!("{name}: gravity"), gravity.as_slice(), vector(&oracle["gravity"]).as_slice());
        assert_eq!(model.scene.actuators.len(), list(&oracle["actuators"]).len(), "{name}");
        for (c, config) in list(&oracle["configs"]).iter().enumerate() {
            check(&format!("{name} configuration {c}"), &tree, &oracle, config, false);
        }
    }
}
