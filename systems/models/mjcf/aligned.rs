//! `align` of free joints and `alignfree` of the compiler: of a body that carries no other, the joint has the frame of
//! its inertia. That alters what keyframes say, and nothing of the motion; here the joint keeps the body's own frame.

use super::bodies::Bodies;
use super::fields::Fields;
use super::fluids::axes;
use super::geoms::Geom;
use super::joints::{Joints, Written};
use super::log::Log;
use super::settings::Settings;
use kinegraph_multibody::{Inertia, Joint, JointKind};
use nalgebra::{Isometry3, UnitQuaternion};

const HOW: &str = "has the frame of the inertia: so are keyframes read; sensors and actuators have that of the body";

/// Of each joint the frame of which keyframes say where it is, in the frame of the body.
pub(super) fn frames(
    bodies: &Bodies<'_>,
    joints: &Joints<'_>,
    model_joints: &[Joint],
    geoms: &[Geom<'_>],
    inertias: &[Option<Inertia>],
    settings: &Settings,
    log: &mut Log<'_>,
) -> Vec<Isometry3<f64>> {
    let frame = |joint: &Written<'_>| {
        let element = joint.part.element;
        let by_compiler = settings.of(element).align_free;
        let kinds = [("auto", by_compiler), ("true", true), ("false", false)];
        let align = Fields::alone(element).word("align", &kinds, by_compiler, log);
        let body = bodies.bodies.iter().position(|body| body.name == model_joints[joint.index].child)?;
        let carries = bodies.bodies.iter().skip(1).any(|other| other.parent == body);
        let inertia = inertias[body].filter(|_| align && !carries && joint.kind == JointKind::Floating)?;
        log.differs(element, HOW);
        let own: Vec<&Geom<'_>> = geoms.iter().filter(|geom| geom.body == body).collect();
        let turn = UnitQuaternion::from_rotation_matrix(&axes(&bodies.bodies[body], &own, &inertia, settings, log));
        Some(Isometry3::from_parts(inertia.p_BoBcm.into(), turn))
    };
    joints.all.iter().map(frame).map(Option::unwrap_or_default).collect()
}
