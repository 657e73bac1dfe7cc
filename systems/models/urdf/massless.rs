//! Joints at the ends of a robot that move no mass: fingers that have a shape but no inertia.
//!
//! The motion of such a joint is undetermined, and no force on it affects the rest: it is treated as fixed, at zero or
//! at the limit nearest to zero, and noted. If the whole robot has no mass, or if a joint that moves mass follows one
//! that does not, this is not possible, and the plant refuses the joint by name.
//! some follows one that does not, there is no such reading, and the plant refuses the joint by name.

use super::joints::Edge;
use super::links::WORLD;
use super::tree::Names;
use crate::notes::NoteKind;
use crate::report::Report;
use kinegraph_multibody::scene_data::CouplingLaw;
use kinegraph_multibody::{Joint, JointKind, Model};
use nalgebra::{Translation3, Unit, UnitQuaternion};

/// Fixes the joints that move neither mass nor a rotor.
pub(crate) fn hold(model: &mut Model, edges: &[Edge<'_, '_>], names: &Names, report: &mut Report<'_>) {
    let carries = carrying(model, names);
    let moves = |joint: &Joint| !matches!(joint.kind, JointKind::Fixed | JointKind::Floating);
    let weighs = |joint: &Joint| names.links.get(&joint.child).is_none_or(|&link| carries[link]);
    let idle: Vec<bool> = model.joints.iter().map(|j| moves(j) && !weighs(j) && j.armature == 0.0).collect();
    if !idle.contains(&true) {
        return;
    }
    let any = model.links.iter().any(|link| link.inertia.is_some() && link.name != WORLD);
    let leads = |name: &str| {
        let followers = model.joints.iter().zip(&idle).filter(|(_, idle)| !**idle);
        followers.filter_map(|(j, _)| j.mimic.as_ref()).any(|mimic| mimic.joint == name)
    };
    let held: Vec<bool> = model.joints.iter().zip(&idle).map(|(j, &idle)| idle && any && !leads(&j.name)).collect();
    for ((joint, edge), (idle, held)) in model.joints.iter_mut().zip(edges).zip(idle.into_iter().zip(held)) {
        let name = || joint.name.clone();
        if held {
            report.note(edge.element.span(), NoteKind::HeldMassless { joint: name() });
            model.transmissions.retain(|driven| *driven != joint.name);
            model.scene.actuators.retain(|actuator| actuator.name != joint.name);
            model.scene.tendons.iter_mut().for_each(|t| t.joints.retain(|(pulled, _)| *pulled != joint.name));
            model.scene.couplings.retain(|coupling| !holds(&coupling.law, &joint.name));
            fix(joint);
        } else if idle {
            report.note(edge.element.span(), NoteKind::MovesNothing { joint: name() });
        }
    }
}

/// True if a law involves a joint.
fn holds(law: &CouplingLaw, joint: &str) -> bool {
    matches!(law, CouplingLaw::Joints { joints, .. } if joints.iter().any(|(held, _)| held == joint))
}

/// For each link: true if it or one of its descendants has mass.
fn carrying(model: &Model, names: &Names) -> Vec<bool> {
    let mut carries = vec![false; model.links.len()];
    let mut above = vec![None; model.links.len()];
    for joint in &model.joints {
        if let (Some(&parent), Some(&child)) = (names.links.get(&joint.parent), names.links.get(&joint.child)) {
            above[child] = Some(parent);
        }
    }
    for (link, found) in model.links.iter().enumerate() {
        // Once a link is known to carry mass, all above it are known to; a ring ends there too.
        let mut at = Some(link).filter(|_| found.inertia.is_some() || found.name == WORLD);
        while let Some(link) = at.filter(|link| !carries[*link]) {
            carries[link] = true;
            at = above[link];
        }
    }
    carries
}

/// Fixes a joint at zero, or at the limit nearest to zero.
fn fix(joint: &mut Joint) {
    let q = 0.0_f64.max(joint.limits.0).min(joint.limits.1);
    match joint.kind {
        JointKind::Revolute | JointKind::Continuous => {
            joint.X_PF *= UnitQuaternion::from_axis_angle(&Unit::new_normalize(joint.axis), q);
        }
        JointKind::Prismatic => joint.X_PF *= Translation3::from(joint.axis * q),
        JointKind::Screw => {
            joint.X_PF *= UnitQuaternion::from_axis_angle(&Unit::new_normalize(joint.axis), q);
            joint.X_PF *= Translation3::from(joint.axis * (q * joint.pitch / std::f64::consts::TAU));
        }
        JointKind::Fixed | JointKind::Floating | JointKind::Ball | JointKind::Universal | JointKind::Planar => {}
    }
    joint.kind = JointKind::Fixed;
    joint.mimic = None;
}
