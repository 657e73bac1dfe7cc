//! Compliant stops: those of joints, of fixed tendons that run over several joints, and of ball joints.
//!
//! Stops of hinges and slides are springs with dampers, as [`stop_of`](super::surfaces::stop_of) says, times the
//! inertia `1/(M⁻¹)ᵢᵢ` where all joints are at their references.
//!
//! Of the others, as with contact ([`surfaces`](super::surfaces)), the parameters `solreflimit` and `solimplimit` say
//! how deep what is at rest sinks in, whatever its mass: stiffness and dissipation are those per unit of mass, times
//! the inertia that the stop sees where all joints are at their references, `1 / (cᵀ M⁻¹ c)` along the coefficients c
//! of a tendon, and the mean of the three of a ball joint, `3 / tr(M⁻¹)`.

use super::inertias::Inertias;
use super::joints::Joints;
use super::log::Log;
use super::surfaces::Law;
use super::tendons::{Tendon, Tendons};
use kinegraph_multibody::scene_data::{Cone, SoftStop, Stop};
use kinegraph_multibody::{Model, TendonPath};

/// Gives tendons and ball joints with a range their stops.
pub(super) fn resolve(model: &mut Model, joints: &Joints<'_>, tendons: &Tendons<'_>, log: &mut Log<'_>) {
    let asks = |tendon: &&Tendon<'_>| tendon.range.is_some() || tendon.rests_with_joints;
    let first_tendon = tendons.tendons.iter().find(asks).map(|tendon| tendon.element);
    let first_cone = joints.all.iter().find(|joint| joint.cone.is_some()).map(|joint| joint.part.element);
    let first_stop = joints.all.iter().find(|joint| joint.stop.is_some()).map(|joint| joint.part.element);
    let first = first_tendon.or(first_cone);
    let Some(any) = first.or(first_stop) else { return };
    let Some(inertias) = Inertias::of(model) else {
        match first {
            Some(first) => {
                log.differs(first, "has a range, for which the inertia could not be found: it is not simulated");
            }
            None => log.differs(any, "has stops for which the inertia could not be found: they are rigid"),
        }
        return;
    };
    for (joint, [stiffness, damping]) in joints.all.iter().filter_map(|joint| Some((joint, joint.stop?))) {
        let single = [(joint.name.clone(), 1.0)];
        // A joint that moves nothing was fixed.
        let moves = model.joints[joint.index].kind == joint.kind;
        let Some(inertia) = inertias.along(&single).filter(|_| moves) else { continue };
        let (stiffness, damping) = (stiffness * inertia, damping * inertia);
        model.scene.stops.push(SoftStop { joint: joint.name.clone(), stiffness, damping });
    }
    for tendon in &tendons.tendons {
        let (Some((range, law)), Some(name)) = (tendon.range, &tendon.name) else { continue };
        let Some(inertia) = inertias.along(&tendon.joints) else { continue };
        let of_model = model.scene.tendons.iter_mut().find(|of_model| of_model.name == *name);
        if let Some(of_model) = of_model {
            of_model.stop = Some((range, stop(law, inertia)));
            log.differs(tendon.element, "runs over several joints: its range is a compliant stop, as in contact");
        }
    }
    for tendon in &tendons.tendons {
        let of_model = model.scene.spatial_tendons.iter_mut().find(|of| tendon.spatial.as_ref() == Some(&of.name));
        let Some(of_model) = of_model else { continue };
        let Ok(path) = TendonPath::new(&inertias.tree, "m", &of_model.path) else { continue };
        if tendon.rests_with_joints {
            let length = inertias.length_at_rest(&path, joints);
            of_model.rest = (length, length);
        }
        if let Some(((range, law), inertia)) = tendon.range.zip(inertias.along_path(&path)) {
            of_model.stop = Some((range, stop(law, inertia)));
            log.differs(tendon.element, "is a spatial tendon: its range is a stop that yields as contact does");
        }
    }
    for joint in &joints.all {
        let Some((angle, law)) = joint.cone else { continue };
        let Some(inertia) = inertias.of_ball(&joint.name) else { continue };
        model.scene.cones.push(Cone { joint: joint.name.clone(), angle, stop: stop(law, inertia) });
        log.differs(joint.part.element, "is a ball joint: its range is a compliant stop, as in contact");
    }
}

fn stop(law: Law, inertia: f64) -> Stop {
    Stop { stiffness: law.stiffness * inertia, dissipation: law.dissipation }
}
