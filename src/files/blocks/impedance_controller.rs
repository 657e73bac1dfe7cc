//! `type: impedance_controller`.

use super::end_effector::Arm;
use crate::example_files::PENDULUM;
use crate::form::{
    BlockSpec, BlockType, Choice, Group, NON_NEGATIVE, Needs, PerChannel, Position, Reader, ScalarOrList, Site,
    SystemSpec, WithDefault, needs, with_default,
};
use kinegraph_core::ErasedSystem;
use kinegraph_systems::control::{Compensation, ImpedanceController, ImpedanceSettings};
use std::sync::Arc;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "impedance_controller",
    group: Group::Controllers,
    about: "makes the end of an arm a spring and a damper towards a desired pose",
    example: "controller:\n  type: impedance_controller\n  model: {file: pendulum.urdf}\n  link: rod\n  tool_pose: {xyz: [0, 0, -1]}\n  translational_stiffness: 100\n  translational_damping: 20\n  rotational_stiffness: 0\n  rotational_damping: 0",
    files: &[PENDULUM],
    read,
};

const GAIN: ScalarOrList = ScalarOrList(NON_NEGATIVE);
const TRANSLATIONAL_STIFFNESS: Needs<ScalarOrList> =
    needs("translational_stiffness", GAIN, "along x, y, z of the desired frame, one for all or one each [N/m]").live();
const TRANSLATIONAL_DAMPING: Needs<ScalarOrList> = needs("translational_damping", GAIN, "likewise [N s/m]").live();
const ROTATIONAL_STIFFNESS: Needs<ScalarOrList> =
    needs("rotational_stiffness", GAIN, "about x, y, z of the desired frame [N m/rad]").live();
const ROTATIONAL_DAMPING: Needs<ScalarOrList> = needs("rotational_damping", GAIN, "likewise [N m s/rad]").live();
const NULLSPACE_STIFFNESS: WithDefault<ScalarOrList> = with_default(
    "nullspace_stiffness",
    GAIN,
    PerChannel::All(0.0),
    "of the joints towards the posture, as far as the end effector does not feel it [N m/rad, N/m]",
)
.live();
const NULLSPACE_DAMPING: WithDefault<ScalarOrList> =
    with_default("nullspace_damping", GAIN, PerChannel::All(0.0), "likewise [N m s/rad, N s/m]").live();
const COMPENSATION: WithDefault<Choice<Compensation>> = with_default(
    "compensation",
    Choice {
        what: "compensation",
        options: &[("gravity", Compensation::Gravity), ("bias", Compensation::Bias), ("none", Compensation::Off)],
    },
    Compensation::Gravity,
    "what is taken off the arm: its weight; with `bias`, Coriolis and centrifugal forces, too",
);

/// A Cartesian spring.
#[derive(Clone, Debug)]
struct Form {
    arm: Arm,
    settings: ImpedanceSettings,
}

impl BlockSpec for Form {
    fn beside(&self) -> Option<(&str, Position)> {
        self.arm.beside()
    }
    fn build(&self, site: &Site<'_>) -> Option<Arc<dyn ErasedSystem>> {
        let (model, end_effector, gravity) = self.arm.resolve(site)?;
        let settings = ImpedanceSettings { end_effector, ..self.settings.clone() };
        site.built(ImpedanceController::new(&model, gravity, settings))
    }
}

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let arm = Arm::read(r);
    let translational = (r.get(&TRANSLATIONAL_STIFFNESS), r.get(&TRANSLATIONAL_DAMPING));
    let rotational = (r.get(&ROTATIONAL_STIFFNESS), r.get(&ROTATIONAL_DAMPING));
    let (nullspace_stiffness, nullspace_damping) = (r.get(&NULLSPACE_STIFFNESS), r.get(&NULLSPACE_DAMPING));
    let compensation = r.get(&COMPENSATION);
    let arm = arm?;
    let settings = ImpedanceSettings {
        nullspace_stiffness,
        nullspace_damping,
        posture: arm.posture.clone(),
        compensation,
        ..ImpedanceSettings::new(
            arm.end_effector.clone(),
            (translational.0?, translational.1?),
            (rotational.0?, rotational.1?),
        )
    };
    Some(Box::new(Form { arm, settings }))
}
