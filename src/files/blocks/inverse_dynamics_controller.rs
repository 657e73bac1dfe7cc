//! `type: inverse_dynamics_controller`.

use super::gravity::gravity;
use super::multibody_plant::pose::{Pose, SECTION};
use crate::files::example_files::PENDULUM;
use crate::files::form::{
    BlockSpec, BlockType, FileName, Group, MODEL_FILE, NON_NEGATIVE, Needs, Optional, PerChannel, Reader, ScalarOrList,
    Section, Site, SystemSpec, Takes, Vector, needs, optional, takes,
};
use crate::files::words::counted;
use kinegraph_systems::{ErasedSystem, control};
use nalgebra::Vector3;
use std::path::PathBuf;
use std::sync::Arc;

/// Feedback linearization with the controller's own model of the robot.
#[derive(Clone, Debug)]
pub struct InverseDynamicsController {
    /// The controller's model, fixed to the world.
    pub file: PathBuf,
    /// Gains on the position error \[1/s²\].
    pub kp: PerChannel,
    /// Gains on the integral of the position error \[1/s³\].
    pub ki: PerChannel,
    /// Gains on the velocity error \[1/s\].
    pub kd: PerChannel,
    /// Gravity the controller compensates, in world axes \[m/s²\].
    pub gravity: [f64; 3],
    /// Pose of the model's root link in the world.
    pub base_pose: Pose,
}

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "inverse_dynamics_controller",
    group: Group::Controllers,
    about: "tracks joint positions and velocities with the inverse dynamics of its own model",
    example: "controller: {type: inverse_dynamics_controller, model: {file: pendulum.urdf}, kp: 100, kd: 20}",
    files: &[PENDULUM],
    read,
};

const MODEL: Needs<Section<PathBuf>> = needs(
    "model",
    Section { about: "the controller's model, such as `{file: robot.urdf}`", read: |r| r.get(&FILE) },
    "the controller's own model; its root link is fixed to the world",
);
const FILE: Needs<FileName> = needs("file", MODEL_FILE, "the model");
const KP: Needs<ScalarOrList> =
    needs("kp", ScalarOrList(NON_NEGATIVE), "gain on the position error, for all joints or one each [1/s²]");
const KI: Takes<ScalarOrList> =
    takes("ki", ScalarOrList(NON_NEGATIVE), PerChannel::All(0.0), "gain on the integral of the position error [1/s³]");
const KD: Needs<ScalarOrList> = needs("kd", ScalarOrList(NON_NEGATIVE), "gain on the velocity error [1/s]");
const GRAVITY: Takes<Vector<3>> = gravity("gravity that it compensates, in world axes [m/s²]");
const BASE_POSE: Optional<Section<Pose>> = optional(
    "base_pose",
    SECTION,
    "identity",
    "of the model's root link in the world: that of the arm in the plant, where it hangs from a wall or a ceiling",
);

impl BlockSpec for InverseDynamicsController {
    fn build(&self, site: &Site<'_>) -> Option<Arc<dyn ErasedSystem>> {
        let model = site.loader.model(&self.file)?;
        let (kp, ki, kd) = (self.kp.clone(), self.ki.clone(), self.kd.clone());
        // The model of the controller stands upright: gravity turns instead.
        let gravity = self.base_pose.isometry().rotation.inverse() * Vector3::from(self.gravity);
        site.built(control::InverseDynamicsController::new(&model, gravity.into(), kp, ki, kd))
    }
}

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let file = r.get(&MODEL);
    let (kp, ki, kd) = (r.get(&KP), r.get(&KI), r.get(&KD));
    let gravity = r.get(&GRAVITY);
    let base_pose = r.get(&BASE_POSE).unwrap_or_default();
    let mut lists = r.lists().iter();
    if let Some((by, width)) = lists.next() {
        for (key, found) in lists.filter(|(_, found)| found != width) {
            r.conflict(*key, format!("{} here, but `{by}` has {width}", counted(*found, "number")));
        }
    }
    Some(Box::new(InverseDynamicsController { file: file?, kp: kp?, ki, kd: kd?, gravity, base_pose }))
}
