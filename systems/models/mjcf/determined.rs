//! Check that the mass matrix determines how everything moves.
//!
//! A body without inertia is none that moves: forces on it have no measure. Where it carries bodies that have some, its
//! motion may be determined all the same, and often is, so what counts is the mass matrix where all joints are at their
//! references. It is scaled to a diagonal of ones, so that light and heavy bodies are judged alike.

use super::joints::Joints;
use super::log::Log;
use crate::faults::MjcfFault;
use kinegraph_multibody::{Armature, Base, InertiaCheck, Kinematics, Model, ModelInstance, Tree, is_well_above};
use nalgebra::DMatrix;

/// Smaller eigenvalues are rounding.
const MIN_EIGENVALUE: f64 = 1e-14;
/// Eigenvalues are cubic in time: of more velocities that depend on each other, the first step shows it.
const MAX_VELOCITIES: usize = 2000;

/// Faults the joint that moves most in a motion that nothing determines.
pub(super) fn check(model: &Model, joints: &Joints<'_>, log: &mut Log<'_>) {
    let instance = ModelInstance { name: "m".into(), model, base: Base::fixed() };
    // What cannot be assembled has its own faults, when it is.
    let Ok((tree, _)) = Tree::assemble(&[instance], InertiaCheck::Strict) else { return };
    let mut k = Kinematics::default();
    tree.position_kinematics(tree.initial_positions(), &mut k);
    let mut M = vec![0.0; tree.mass_matrix_len()];
    tree.mass_matrix(&mut k, Armature::Included, &mut M);
    // What moves bodies that all have inertia is determined, however they hang together.
    let mut has_massless = vec![false; tree.cliques().len()];
    for joint in tree.joints() {
        let body = &tree.bodies()[joint.body];
        let has_inertia = body.inertia.is_some_and(|i| i.mass > 0.0 && i.I_BBcm.diagonal().iter().all(|&m| m > 0.0));
        if let Some(clique) = body.clique.filter(|_| !has_inertia) {
            has_massless[clique] = true;
        }
    }
    for (clique, range) in tree.cliques().enumerate().filter(|(clique, _)| has_massless[*clique]) {
        let n = range.len();
        let block = DMatrix::from_column_slice(n, n, &M[tree.mass_matrix_block(clique)]);
        if !block.iter().all(|x| x.is_finite()) {
            continue;
        }
        let scale = block.diagonal().map(|x| if x > 0.0 { x.sqrt().recip() } else { 1.0 });
        let scaled = DMatrix::from_fn(n, n, |i, j| block[(i, j)] * scale[i] * scale[j]);
        if n > MAX_VELOCITIES || is_well_above(&scaled, MIN_EIGENVALUE) {
            continue;
        }
        let eigen = scaled.symmetric_eigen();
        let (least, value) = eigen.eigenvalues.argmin();
        if value > MIN_EIGENVALUE {
            continue;
        }
        let velocity = range.start + eigen.eigenvectors.column(least).iamax();
        let joint = tree.joints().iter().find(|joint| joint.velocities.contains(&velocity));
        let written = joint.and_then(|joint| joints.all.iter().find(|w| joint.name == format!("m/{}", w.name)));
        if let Some(written) = written {
            let element = written.part.element.describe();
            let text =
                "its body has no mass or inertia, and what it carries does not make up for it: nothing determines \
                        how it moves"
                    .to_owned();
            log.fault(&written.part.element.at, MjcfFault::Other { element, text });
        }
    }
}
