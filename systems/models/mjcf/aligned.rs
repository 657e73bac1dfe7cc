//! `align` of free joints and `alignfree` of the compiler: of a body that carries no other, the joint has the frame of
//! its inertia. That alters what keyframes say, and nothing of the motion; here the joint keeps the body's own frame.

use super::bodies::Bodies;
use super::fields::Fields;
use super::fluids::axes;
use super::geoms::Geom;
use super::joints::{Joints, Written};
use super::log::Log;
use super::schema::words::AUTO;
use super::settings::Settings;
use kinegraph_multibody::{Inertia, Joint, JointKind};
use nalgebra::{Isometry3, UnitQuaternion};
use std::collections::HashMap;

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
    let mut index: HashMap<&str, usize> = HashMap::new();
    let mut carries_any = vec![false; bodies.bodies.len()];
    for (b, body) in bodies.bodies.iter().enumerate() {
        index.entry(&body.name).or_insert(b);
        carries_any[body.parent] |= b > 0;
    }
    let mut geoms_of: Vec<Vec<&Geom<'_>>> = vec![Vec::new(); bodies.bodies.len()];
    geoms.iter().for_each(|geom| geoms_of[geom.body].push(geom));
    let frame = |joint: &Written<'_>| {
        let element = joint.part.element;
        let by_compiler = settings.of(element).align_free;
        let is_free = element.name == "freejoint";
        let stated = if is_free { Fields::alone(element).word("align", &AUTO, None, log) } else { None };
        let align = stated.unwrap_or(by_compiler);
        let body = *index.get(model_joints[joint.index].child.as_str())?;
        let carries = carries_any[body];
        let inertia = inertias[body].filter(|_| align && !carries && joint.kind == JointKind::Floating)?;
        log.differs(element, HOW);
        let own = &geoms_of[body];
        let turn = UnitQuaternion::from_rotation_matrix(&axes(&bodies.bodies[body], own, &inertia, settings, log));
        Some(Isometry3::from_parts(inertia.p_BoBcm.into(), turn))
    };
    joints.all.iter().map(frame).map(Option::unwrap_or_default).collect()
}
