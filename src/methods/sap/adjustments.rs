//! Changes of the contact step by the presets of SAP: poses in single precision, rotational inertias of single bodies.

use kinegraph_convex::contact::{BodyInertia, Problem};
use kinegraph_core::convex::{PlantPoint, PlantStructure};
use nalgebra::{Matrix3, Vector3};

/// Rounds the poses of bodies to single precision.
pub(super) fn round_poses(data: &mut PlantPoint) {
    let round = |x: &mut f64| *x = f64::from(*x as f32);
    data.p_WB.iter_mut().flatten().for_each(round);
    data.R_WB.iter_mut().flatten().for_each(round);
}

/// Sets the rotational inertias of the bodies of a plant, by their moments of inertia alone.
pub(super) fn add_inertias(problem: &mut Problem, structure: &PlantStructure, data: &PlantPoint, body_offset: usize) {
    for (b, body) in structure.bodies.iter().enumerate().filter(|(_, body)| body.clique.is_some()) {
        let R_WB = Matrix3::from_column_slice(&data.R_WB[b]);
        let inverses = Vector3::from(body.moments).map(|moment| if moment > 0.0 { 1.0 / moment } else { 0.0 });
        let inverse = R_WB * Matrix3::from_diagonal(&inverses) * R_WB.transpose();
        let center = R_WB * Vector3::from(body.center_of_mass);
        problem.set_inertia(body_offset + b, BodyInertia { center, inverse });
    }
}
