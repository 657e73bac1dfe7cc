//! Dry friction that creeps: the rates at which it has its full force.
//!
//! Joints and tendons come with that rate per acceleration that the full force gives ([`creep_of`]). The acceleration
//! is that where all joints are at their references, as that of [stops](super::soft_stops).
//!
//! [`creep_of`]: super::surfaces::creep_of

use super::element::Element;
use super::inertias::Inertias;
use super::log::Log;
use kinegraph_multibody::{JointKind, Model, TendonPath};

/// Turns rates per acceleration into rates.
pub(super) fn resolve(model: &mut Model, root: &Element, log: &mut Log<'_>) {
    let scene = &model.scene;
    let of_tendons = scene.tendons.iter().map(|tendon| tendon.creep * tendon.friction);
    let of_strings = scene.spatial_tendons.iter().map(|tendon| tendon.creep * tendon.friction);
    let of_joints = model.joints.iter().map(|joint| joint.creep * joint.friction);
    if of_joints.chain(of_tendons).chain(of_strings).all(|creep| creep == 0.0) {
        return;
    }
    let inertias = Inertias::of(model);
    if inertias.is_none() {
        log.differs(root, "has dry friction that creeps by an inertia that could not be found: it does not creep");
    }
    let rate = |creep: f64, friction: f64, inertia: Option<f64>| inertia.map_or(0.0, |I| creep * friction / I);
    for joint in model.joints.iter_mut().filter(|joint| joint.creep != 0.0) {
        let inertia = inertias.as_ref().and_then(|inertias| match joint.kind {
            JointKind::Ball => inertias.of_ball(&joint.name),
            _ => inertias.along(&[(joint.name.clone(), 1.0)]),
        });
        joint.creep = rate(joint.creep, joint.friction, inertia);
    }
    for tendon in model.scene.tendons.iter_mut().filter(|tendon| tendon.creep != 0.0) {
        let inertia = inertias.as_ref().and_then(|inertias| inertias.along(&tendon.joints));
        tendon.creep = rate(tendon.creep, tendon.friction, inertia);
    }
    for tendon in model.scene.spatial_tendons.iter_mut().filter(|tendon| tendon.creep != 0.0) {
        let inertia = inertias.as_ref().and_then(|inertias| {
            let path = TendonPath::new(&inertias.tree, "m", &tendon.path).ok()?;
            inertias.along_path(&path)
        });
        tendon.creep = rate(tendon.creep, tendon.friction, inertia);
    }
}
