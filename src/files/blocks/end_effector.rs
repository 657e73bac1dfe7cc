//! Common part of Cartesian controllers: the model of the arm, and the frame on it that they control.

use super::multibody_plant::pose::{Pose, SECTION};
use super::robot_model::{Resolved, RobotModel};
use crate::form::{
    NUMBER, Needs, Number, Optional, POSITIVE, PerChannel, Position, Reader, ScalarOrList, Section, Site, Text,
    WithDefault, needs, optional, with_default,
};
use kinegraph_multibody::Model;
use kinegraph_systems::control;
use std::sync::Arc;

/// An arm, its end effector and its posture, as a file describes them.
#[derive(Clone, Debug)]
pub(super) struct Arm {
    robot: RobotModel,
    pub end_effector: control::EndEffector,
    pub posture: PerChannel,
}

const LINK: Needs<Text> =
    needs("link", Text { about: "a link of the model" }, "the link of the model that carries the end effector");
const TOOL_POSE: Optional<Section<Pose>> =
    optional("tool_pose", SECTION, "identity", "of the end effector in the frame of the link");
const POSTURE: WithDefault<ScalarOrList> = with_default(
    "posture",
    ScalarOrList(NUMBER),
    PerChannel::All(0.0),
    "joint positions that the nullspace is drawn to, while the input `posture` is not connected [rad, m]",
);
const LARGEST_MASS: Optional<Number> = optional(
    "largest_mass",
    POSITIVE,
    "10 times that of the model",
    "of the end effector in any direction; near singular postures, where it has more, it is followed less [kg]",
);
const LARGEST_INERTIA: Optional<Number> =
    optional("largest_inertia", POSITIVE, "`largest_mass` times (0.1 m)²", "the same for rotations [kg m²]");

impl Arm {
    /// Reads the parameters that these controllers have in common.
    pub fn read(r: &mut Reader<'_>) -> Option<Arm> {
        let (robot, link) = (RobotModel::read(r), r.get(&LINK));
        let tool = r.get(&TOOL_POSE).unwrap_or_default();
        let posture = r.get(&POSTURE);
        let (largest_mass, largest_inertia) = (r.get(&LARGEST_MASS), r.get(&LARGEST_INERTIA));
        let end_effector = control::EndEffector {
            X_LE: tool.isometry(),
            largest_mass,
            largest_inertia,
            ..control::EndEffector::new(link?)
        };
        Some(Arm { robot: robot?, end_effector, posture })
    }

    /// Plant whose model is used, if it is one of a plant.
    pub fn beside(&self) -> Option<(&str, Position)> {
        self.robot.beside()
    }

    /// Loads the model, the end effector at its place, and gravity in world axes; `None` after faults were recorded.
    pub fn resolve(&self, site: &Site<'_>) -> Option<(Arc<Model>, control::EndEffector, [f64; 3])> {
        let Resolved { model, gravity, X_WR } = self.robot.resolve(site)?;
        Some((model, control::EndEffector { X_WR, ..self.end_effector.clone() }, gravity.into()))
    }
}
