//! Gravity compensation of bodies, in part, in full or more: a force `-β m g` at the centre of mass.

use super::error::PlantError;
use super::model::PlantModel;
use crate::{Kinematics, SpatialVector, Tree};
use kinegraph_core::names::nearest;
use kinegraph_core::scalar::Scalar;
use nalgebra::Vector3;

/// A body with gravity compensation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carried {
    body: usize,
    /// The compensated mass \[kg\].
    mass: f64,
    /// Centre of mass in the body's frame \[m\].
    p_BoBcm: Vector3<f64>,
}

/// The gravity compensation of all models.
pub(super) fn place(tree: &Tree, models: &[PlantModel], faults: &mut Vec<PlantError>) -> Vec<Carried> {
    let mut placed = Vec::new();
    let all = models.iter().flat_map(|m| m.model.scene.carried.iter().map(move |carried| (&m.name, carried)));
    for (model, (link, part)) in all {
        let full = format!("{model}/{link}");
        let Some(body) = tree.body(&full) else {
            let nearest = nearest(&full, tree.bodies().iter().map(|b| &b.name));
            faults.push(PlantError::Unknown { kind: "link", name: full, nearest });
            continue;
        };
        let of = &tree.bodies()[body];
        if let (Some(inertia), Some(_)) = (of.inertia, of.clique) {
            placed.push(Carried { body, mass: part * inertia.mass, p_BoBcm: inertia.p_BoBcm });
        }
    }
    placed
}

impl Carried {
    /// The body, and the spatial force on it in world axes, about its origin, at the positions of `k`.
    pub fn force<S: Scalar>(
        &self,
        tree: &Tree,
        k: &Kinematics<S>,
        gravity: &Vector3<f64>,
    ) -> (usize, SpatialVector<S>) {
        let arm = tree.X_WB(k, self.body).R_WB * self.p_BoBcm.map(S::constant);
        let force = (gravity * -self.mass).map(S::constant);
        (self.body, SpatialVector::new(arm.cross(&force), force))
    }

    /// Potential energy of the force, the negative of that of the compensated weight \[J\].
    pub fn energy(&self, tree: &Tree, k: &Kinematics<f64>, gravity: &Vector3<f64>) -> f64 {
        let X = tree.X_WB(k, self.body);
        self.mass * gravity.dot(&(X.p_WB + X.R_WB * self.p_BoBcm))
    }
}
