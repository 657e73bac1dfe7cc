//! `type: operational_space_controller`.

use super::end_effector::Arm;
use crate::example_files::PENDULUM;
use crate::form::{
    BlockSpec, BlockType, Choice, Group, NON_NEGATIVE, Needs, Optional, PerChannel, Position, Reader, ScalarOrList,
    Site, SystemSpec, WithDefault, needs, optional, with_default,
};
use kinegraph_core::ErasedSystem;
use kinegraph_systems::control::{OperationalSpaceController, OperationalSpaceSettings, Task};
use std::sync::Arc;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "operational_space_controller",
    group: Group::Controllers,
    about: "makes the end of an arm follow a desired motion with a linear, decoupled error",
    example: "controller:\n  type: operational_space_controller\n  model: {file: pendulum.urdf}\n  link: rod\n  tool_pose: {xyz: [0, 0, -1]}\n  task: position\n  kp: 100",
    files: &[PENDULUM],
    read,
};

const GAIN: ScalarOrList = ScalarOrList(NON_NEGATIVE);
const TASK: WithDefault<Choice<Task>> = with_default(
    "task",
    Choice {
        what: "task",
        options: &[("pose", Task::Pose), ("position", Task::Position), ("orientation", Task::Orientation)],
    },
    Task::Pose,
    "what of the end effector is moved; the rest is left to the posture",
);
const KP: Needs<ScalarOrList> =
    needs("kp", GAIN, "gain on the error, one for all or six: about, then along x, y, z of the desired frame [1/s²]")
        .live();
const KD: Optional<ScalarOrList> = optional("kd", GAIN, "2 √kp, critical", "gain on its rate, likewise [1/s]").live();
const NULLSPACE_KP: WithDefault<ScalarOrList> = with_default(
    "nullspace_kp",
    GAIN,
    PerChannel::All(0.0),
    "gain on the way to the posture, for all joints or one each [1/s²]",
);
const NULLSPACE_KD: Optional<ScalarOrList> =
    optional("nullspace_kd", GAIN, "2 √nullspace_kp", "gain on its rate, likewise [1/s]");

/// A task with its gains.
#[derive(Clone, Debug)]
struct Form {
    arm: Arm,
    settings: OperationalSpaceSettings,
}

impl BlockSpec for Form {
    fn beside(&self) -> Option<(&str, Position)> {
        self.arm.beside()
    }
    fn build(&self, site: &Site<'_>) -> Option<Arc<dyn ErasedSystem>> {
        let (model, end_effector, gravity) = self.arm.resolve(site)?;
        let settings = OperationalSpaceSettings { end_effector, ..self.settings.clone() };
        site.built(OperationalSpaceController::new(&model, gravity, settings))
    }
}

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let arm = Arm::read(r);
    let task = r.get(&TASK);
    let (kp, kd) = (r.get(&KP), r.get(&KD));
    let (nullspace_kp, nullspace_kd) = (r.get(&NULLSPACE_KP), r.get(&NULLSPACE_KD));
    let (arm, kp) = (arm?, kp?);
    let kd = kd.unwrap_or_else(|| critical(&kp));
    let settings = OperationalSpaceSettings {
        task,
        nullspace_kd: nullspace_kd.unwrap_or_else(|| critical(&nullspace_kp)),
        nullspace_kp,
        posture: arm.posture.clone(),
        ..OperationalSpaceSettings::new(arm.end_effector.clone(), kp, kd)
    };
    Some(Box::new(Form { arm, settings }))
}

/// 2 √k.
fn critical(k: &PerChannel) -> PerChannel {
    match k {
        PerChannel::All(k) => PerChannel::All(2.0 * k.sqrt()),
        PerChannel::Each(all) => PerChannel::Each(all.iter().map(|k| 2.0 * k.sqrt()).collect()),
    }
}
