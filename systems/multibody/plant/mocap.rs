//! Mocap bodies, which are moved from outside: links fixed in the world, with an input for their pose.
//!
//! Welds and balls whose first frame is on such a body hold the other end at the given pose: their target moves with
//! it. The pose is read at the start of a step and held over it, like switches. The forces of these constraints are in
//! `constraint_forces`. Collision shapes of the body stay where the file has them.

use super::constraints::{Frame, PlacedConstraint, PlacedLaw};
use super::model::PlantModel;
use crate::{Kinematics, Tree};
use kinegraph_core::Context;
use kinegraph_core::port::{In, Ports};
use kinegraph_core::signal::Dyn;
use nalgebra::{Isometry3, Quaternion, Rotation3, Translation3, UnitQuaternion};

/// A mocap body.
#[derive(Clone, Debug)]
pub(super) struct Mocap {
    /// `model.link`.
    name: String,
    body: usize,
    /// Pose in the file.
    X_WB: Isometry3<f64>,
}

/// A constraint that follows a mocap body.
#[derive(Clone, Debug)]
pub(super) struct Follower {
    pub constraint: usize,
    /// Pose of the body: position, then quaternion (w first).
    pub pose: In<Dyn>,
    X_WP: Isometry3<f64>,
    X_BP: Isometry3<f64>,
}

/// The mocap bodies of all models, fixed in the world.
pub(super) fn place(tree: &Tree, models: &[PlantModel]) -> Vec<Mocap> {
    let named = || models.iter().flat_map(|m| m.model.scene.mocap.iter().map(move |link| (&m.name, link)));
    if named().next().is_none() {
        return Vec::new();
    }
    let mut k = Kinematics::default();
    tree.position_kinematics(tree.initial_positions(), &mut k);
    let place = |(model, link): (&String, &String)| {
        let body = tree.body(&format!("{model}/{link}")).filter(|body| tree.bodies()[*body].node.is_none())?;
        let X = tree.X_WB(&k, body);
        let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(X.R_WB));
        Some(Mocap { name: format!("{model}.{link}"), body, X_WB: Isometry3::from_parts(X.p_WB.into(), turn) })
    };
    named().filter_map(place).collect()
}

/// Declares the inputs, and finds the constraints that follow each.
pub(super) fn followers(mocaps: &[Mocap], constraints: &[PlacedConstraint], ports: &mut Ports) -> Vec<Follower> {
    let mut followers = Vec::new();
    for mocap in mocaps {
        let pose = ports.optional_input_of_width(format!("{}.pose", mocap.name), 7);
        let elements = ["px", "py", "pz", "qw", "qx", "qy", "qz"].map(|part| format!("{}.pose.{part}", mocap.name));
        ports.name_input_elements(pose, elements.into());
        for (constraint, placed) in constraints.iter().enumerate() {
            let (PlacedLaw::Weld { a, .. } | PlacedLaw::Ball { a, .. } | PlacedLaw::Bushing { a, .. }) = &placed.law
            else {
                continue;
            };
            let Frame { body, X_BF: X_BP } = *a;
            if body == mocap.body && !placed.capture {
                followers.push(Follower { constraint, pose, X_WP: mocap.X_WB * X_BP, X_BP });
            }
        }
    }
    followers
}

impl Follower {
    /// Moves the target of its constraint with the body, if the pose is given.
    pub fn follow(&self, ctx: &Context<f64>, target: &mut [f64]) {
        let Some(given) = ctx.get_optional(self.pose) else { return };
        let turn = Quaternion::new(given[3], given[4], given[5], given[6]);
        if turn.norm() == 0.0 {
            return;
        }
        let place = Translation3::new(given[0], given[1], given[2]);
        let X_WB = Isometry3::from_parts(place, UnitQuaternion::from_quaternion(turn));
        let X_PT = self.X_WP.inverse() * X_WB * self.X_BP;
        let (r, p) = (X_PT.rotation, X_PT.translation);
        match target.len() {
            3 => target.copy_from_slice(p.vector.as_slice()),
            _ => target.copy_from_slice(&[r.w, r.i, r.j, r.k, p.x, p.y, p.z]),
        }
    }
}
