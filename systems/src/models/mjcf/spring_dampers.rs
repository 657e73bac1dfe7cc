//! `springdamper`: a spring and a damper on a joint by their time constant T and damping ratio ζ.
//!
//! With the inertia I that the joint sees where all joints are at their references: k = I/(T² ζ²), c = 2 I/T.

use super::joints::Joints;
use super::log::Log;
use crate::multibody::{Armature, Base, InertiaCheck, Kinematics, Model, ModelInstance, Tree};

/// Gives the joints that ask for it their stiffness and damping.
pub(super) fn resolve(model: &mut Model, joints: &Joints<'_>, log: &mut Log<'_>) {
    let asked = || joints.all.iter().filter_map(|joint| Some((joint, joint.spring_damper?)));
    let Some((first, _)) = asked().next() else { return };
    let instance = ModelInstance { name: "m".into(), model, base: Base::fixed() };
    let Ok((tree, _)) = Tree::assemble(&[instance], InertiaCheck::Lenient) else {
        log.differs(first.part.element, "has a springdamper, for which the inertia could not be found");
        return;
    };
    let mut k = Kinematics::default();
    tree.position_kinematics(tree.initial_positions(), &mut k);
    let mut M = vec![0.0; tree.mass_matrix_len()];
    tree.mass_matrix(&mut k, Armature::Included, &mut M);
    let inertia = |velocity: usize| {
        tree.cliques().enumerate().find(|(_, range)| range.contains(&velocity)).map(|(clique, range)| {
            let (n, i) = (range.len(), velocity - range.start);
            M[tree.mass_matrix_block(clique).start + i * (n + 1)]
        })
    };
    for (joint, [time, ratio]) in asked() {
        let placed = tree.joint(&format!("m/{}", joint.name)).map(|j| tree.joints()[j].velocities.start);
        let Some(inertia) = placed.and_then(inertia) else { continue };
        let of_model = &mut model.joints[joint.index];
        let rest = of_model.spring.map_or(0.0, |(_, rest)| rest);
        of_model.spring = Some((inertia / (time * ratio).powi(2), rest));
        of_model.damping = 2.0 * inertia / time;
    }
}
