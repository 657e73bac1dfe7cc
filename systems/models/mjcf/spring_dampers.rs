//! `springdamper`: a spring and a damper on a joint by their time constant T and damping ratio ζ.
//!
//! With the inertia I that the joint sees where all joints are at their references and all are free to move,
//! `1/I = (M⁻¹)ᵢᵢ` (of a ball joint the mean of three): k = I/(T² ζ²), c = 2 I/T.

use super::joints::Joints;
use super::log::Log;
use super::settings::Settings;
use kinegraph_multibody::scene_data::TurnSpring;
use kinegraph_multibody::{Armature, Base, InertiaCheck, JointKind, Kinematics, Model, ModelInstance, Tree};
use nalgebra::DMatrix;

/// Gives the joints that ask for it their stiffness and damping.
pub(super) fn resolve(model: &mut Model, joints: &Joints<'_>, settings: &Settings, log: &mut Log<'_>) {
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
    let inertia = |velocities: std::ops::Range<usize>| {
        let (clique, range) = tree.cliques().enumerate().find(|(_, range)| range.contains(&velocities.start))?;
        let block = DMatrix::from_column_slice(range.len(), range.len(), &M[tree.mass_matrix_block(clique)]);
        let inverse = block.cholesky()?.inverse();
        let sum: f64 = velocities.clone().map(|v| inverse[(v - range.start, v - range.start)]).sum();
        Some(velocities.len() as f64 / sum)
    };
    for (joint, [time, ratio]) in asked() {
        let placed = tree.joint(&format!("m/{}", joint.name)).map(|j| tree.joints()[j].velocities.clone());
        let Some(inertia) = placed.and_then(inertia) else { continue };
        let of_model = &mut model.joints[joint.index];
        let rest = of_model.spring.map_or(0.0, |(_, rest)| rest);
        let stiffness = inertia / (time * ratio).powi(2);
        if settings.springs && matches!(joint.kind, JointKind::Ball | JointKind::Floating) {
            let turn = TurnSpring { stiffness, ..joint.turn_spring(of_model) };
            model.scene.turns.retain(|turn| turn.joint != joint.name);
            model.scene.turns.push(turn);
        } else if settings.springs {
            of_model.spring = Some((stiffness, rest));
        }
        if settings.dampers {
            of_model.damping = 2.0 * inertia / time;
        }
    }
}
