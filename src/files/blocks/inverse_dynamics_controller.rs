//! `type: inverse_dynamics_controller`.

use super::robot_model::{Resolved, RobotModel};
use crate::example_files::PENDULUM;
use crate::form::{
    BlockSpec, BlockType, Group, NON_NEGATIVE, Needs, PerChannel, Position, Reader, ScalarOrList, Site, SystemSpec,
    WithDefault, needs, with_default,
};
use crate::words::counted;
use kinegraph_systems::{ErasedSystem, control};
use std::sync::Arc;

/// Feedback linearization with the controller's own model of the robot.
#[derive(Clone, Debug)]
pub struct InverseDynamicsController {
    /// The controller's model, fixed to the world.
    pub model: RobotModel,
    /// Gains on the position error \[1/s²\].
    pub kp: PerChannel,
    /// Gains on the integral of the position error \[1/s³\].
    pub ki: PerChannel,
    /// Gains on the velocity error \[1/s\].
    pub kd: PerChannel,
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

const KP: Needs<ScalarOrList> =
    needs("kp", ScalarOrList(NON_NEGATIVE), "gain on the position error, for all joints or one each [1/s²]").live();
const KI: WithDefault<ScalarOrList> = with_default(
    "ki",
    ScalarOrList(NON_NEGATIVE),
    PerChannel::All(0.0),
    "gain on the integral of the position error [1/s³]",
)
.live();
const KD: Needs<ScalarOrList> = needs("kd", ScalarOrList(NON_NEGATIVE), "gain on the velocity error [1/s]").live();
impl BlockSpec for InverseDynamicsController {
    fn beside(&self) -> Option<(&str, Position)> {
        self.model.beside()
    }
    fn build(&self, site: &Site<'_>) -> Option<Arc<dyn ErasedSystem>> {
        let Resolved { model, gravity, X_WR } = self.model.resolve(site)?;
        let (kp, ki, kd) = (self.kp.clone(), self.ki.clone(), self.kd.clone());
        // The controller's model stands upright, so gravity is rotated instead.
        let gravity = X_WR.rotation.inverse() * gravity;
        site.built(control::InverseDynamicsController::new(&model, gravity.into(), kp, ki, kd))
    }
}

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let model = RobotModel::read(r);
    let (kp, ki, kd) = (r.get(&KP), r.get(&KI), r.get(&KD));
    let mut lists = r.lists().iter();
    if let Some((by, width)) = lists.next() {
        for (key, found) in lists.filter(|(_, found)| found != width) {
            r.conflict(*key, format!("{} here, but `{by}` has {width}", counted(*found, "number")));
        }
    }
    Some(Box::new(InverseDynamicsController { model: model?, kp: kp?, ki, kd: kd? }))
}
