//! What Cartesian controllers have in common: their model of the arm, and the frame on it that they move.

use super::gravity::gravity;
use super::multibody_plant::pose::{Pose, SECTION};
use crate::files::form::{
    FileName, MODEL_FILE, NUMBER, Needs, Number, Optional, POSITIVE, PerChannel, Reader, ScalarOrList, Section, Site,
    Takes, Text, Vector, needs, optional, takes,
};
use kinegraph_systems::control;
use kinegraph_systems::multibody::Model;
use std::path::PathBuf;
use std::sync::Arc;

/// An arm, its end effector and its posture, as a file describes them.
#[derive(Clone, Debug)]
pub(super) struct Arm {
    file: PathBuf,
    pub end_effector: control::EndEffector,
    pub posture: PerChannel,
    pub gravity: [f64; 3],
}

const MODEL: Needs<Section<PathBuf>> = needs(
    "model",
    Section { about: "the controller's model, such as `{file: robot.urdf}`", read: |r| r.get(&FILE) },
    "the controller's own model of the arm",
);
const FILE: Needs<FileName> = needs("file", MODEL_FILE, "the model");
const LINK: Needs<Text> =
    needs("link", Text { about: "a link of the model" }, "the link of the model that carries the end effector");
const TOOL_POSE: Optional<Section<Pose>> =
    optional("tool_pose", SECTION, "identity", "of the end effector in the frame of the link");
const BASE_POSE: Optional<Section<Pose>> =
    optional("base_pose", SECTION, "identity", "of the model's root link in the world: that of the arm in the plant");
const POSTURE: Takes<ScalarOrList> = takes(
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
const GRAVITY: Takes<Vector<3>> = gravity("gravity that it compensates, in world axes [m/s²]");

impl Arm {
    /// Reads the parameters that both have.
    pub fn read(r: &mut Reader<'_>) -> Option<Arm> {
        let (file, link) = (r.get(&MODEL), r.get(&LINK));
        let (tool, base) = (r.get(&TOOL_POSE).unwrap_or_default(), r.get(&BASE_POSE).unwrap_or_default());
        let posture = r.get(&POSTURE);
        let (largest_mass, largest_inertia) = (r.get(&LARGEST_MASS), r.get(&LARGEST_INERTIA));
        let gravity = r.get(&GRAVITY);
        let end_effector = control::EndEffector {
            X_LE: tool.isometry(),
            X_WR: base.isometry(),
            largest_mass,
            largest_inertia,
            ..control::EndEffector::new(link?)
        };
        Some(Arm { file: file?, end_effector, posture, gravity })
    }

    /// The model; `None` after faults were recorded.
    pub fn model(&self, site: &Site<'_>) -> Option<Arc<Model>> {
        site.loader.model(&self.file)
    }
}
