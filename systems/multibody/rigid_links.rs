//! Rigid bodies of welded links: only the sum of their inertias acts.
//!
//! A link whose inertia is impossible by itself does no harm if the links welded to it make up for it (an antenna of a
//! few grams with a wrong sign on a base of fifty kilograms). A rigid body of negative mass, or with a negative
//! principal moment, cannot be simulated: it would gain energy by turning.

use super::model::{Inertia, JointKind, Model};
use nalgebra::{Isometry3, Matrix3, Vector3};
use std::collections::HashMap;

/// Below this radius of gyration \[m\] a moment is noise: files carry rounding in place of zeros.
const NOISE_RADIUS: f64 = 1e-6;

/// Principal moments, ascending; `None` for numbers that are not finite.
pub fn principal_moments(I: &Matrix3<f64>) -> Option<[f64; 3]> {
    // The eigenvalue iteration does not end on numbers that are not finite, and wants entries near one.
    let scale = I.amax();
    if scale == 0.0 {
        return Some([0.0; 3]);
    }
    if !I.iter().all(|x| x.is_finite()) {
        return None;
    }
    let mut moments: [f64; 3] = (I / scale).symmetric_eigenvalues().into();
    moments.sort_by(f64::total_cmp);
    Some(moments.map(|moment| moment * scale))
}

/// Tolerance of bounds of the moments of a body with this mass \[kg m²\].
pub fn moment_noise(mass: f64, moments: &[f64; 3], relative: f64) -> f64 {
    let size = moments.iter().fold(0.0_f64, |most, m| most.max(m.abs()));
    relative * size + mass.abs() * NOISE_RADIUS * NOISE_RADIUS
}

/// True if a body can have this mass and these principal moments, the triangle inequality aside.
pub fn is_possible(mass: f64, moments: &[f64; 3], relative: f64) -> bool {
    mass >= 0.0 && moments[0] >= -moment_noise(mass, moments, relative) && (mass > 0.0 || moments[2] <= 0.0)
}

/// Links with an impossible inertia that are also welded into an impossible rigid body.
pub fn impossible_links(model: &Model, relative: f64) -> Vec<usize> {
    let alone = |inertia: &Inertia| {
        principal_moments(&inertia.I_BBcm).is_none_or(|moments| is_possible(inertia.mass, &moments, relative))
    };
    let suspects: Vec<usize> = (0..model.links.len())
        .filter(|&l| model.links[l].inertia.as_ref().is_some_and(|inertia| !alone(inertia)))
        .collect();
    if suspects.is_empty() {
        return suspects;
    }
    let index: HashMap<&str, usize> = model.links.iter().enumerate().map(|(i, l)| (l.name.as_str(), i)).collect();
    // The links that each link is welded to, with their poses in it.
    let mut welds = vec![None; model.links.len()];
    for joint in model.joints.iter().filter(|j| j.kind == JointKind::Fixed) {
        if let (Some(&parent), Some(&child)) = (index.get(joint.parent.as_str()), index.get(joint.child.as_str())) {
            welds[child] = Some((parent, joint.X_PF * joint.X_BM.inverse()));
        }
    }
    let rooted: Vec<(usize, Isometry3<f64>)> = (0..model.links.len())
        .map(|link| {
            let (mut at, mut X) = (link, Isometry3::identity());
            // Rings are reported as a fault of their own.
            for _ in 0..model.links.len() {
                let Some((parent, X_PB)) = welds[at] else { break };
                (at, X) = (parent, X_PB * X);
            }
            (at, X)
        })
        .collect();
    suspects.into_iter().filter(|&suspect| !sum_is_possible(model, &rooted, rooted[suspect].0, relative)).collect()
}

fn sum_is_possible(model: &Model, rooted: &[(usize, Isometry3<f64>)], root: usize, relative: f64) -> bool {
    let members = || {
        let own = model.links.iter().zip(rooted).filter(|(_, (r, _))| *r == root);
        own.filter_map(|(link, (_, X))| Some((link.inertia.as_ref()?, X)))
    };
    let mass: f64 = members().map(|(inertia, _)| inertia.mass).sum();
    let place = |inertia: &Inertia, X: &Isometry3<f64>| X.rotation * inertia.p_BoBcm + X.translation.vector;
    let moment = members().fold(Vector3::zeros(), |sum, (inertia, X)| sum + place(inertia, X) * inertia.mass);
    let center = if mass > 0.0 { moment / mass } else { Vector3::zeros() };
    let total = members().fold(Matrix3::zeros(), |sum, (inertia, X)| {
        let R = X.rotation.to_rotation_matrix();
        let d = place(inertia, X) - center;
        let turned = R * inertia.I_BBcm * R.transpose();
        sum + turned + (Matrix3::identity() * d.norm_squared() - d * d.transpose()) * inertia.mass
    });
    principal_moments(&((total + total.transpose()) / 2.0)).is_none_or(|moments| is_possible(mass, &moments, relative))
}

/// The possible inertia nearest to `I` (about the centre of mass): the tensor of second moments
/// `P = tr(I)/2 - I` of a distribution of mass has no negative eigenvalue, so negative ones are set to zero.
pub fn nearest_possible(I: &Matrix3<f64>) -> Matrix3<f64> {
    let scale = I.amax();
    if scale == 0.0 || !scale.is_finite() {
        return *I;
    }
    let P = Matrix3::identity() * (0.5 * I.trace()) - I;
    let eigen = (P / scale).symmetric_eigen();
    let clipped = Matrix3::from_diagonal(&eigen.eigenvalues.map(|x| x.max(0.0)));
    let P = eigen.eigenvectors * clipped * eigen.eigenvectors.transpose() * scale;
    let I = Matrix3::identity() * P.trace() - P;
    (I + I.transpose()) / 2.0
}
