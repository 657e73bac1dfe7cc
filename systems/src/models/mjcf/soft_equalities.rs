//! Welds and balls of `<equality>` that yield.
//!
//! The format's rule gives each row the force `f = -(b v + d k x + a)/R` with `R = (1 - d)/d A`: x what the row
//! measures, A the mobility along it where all joints are at their references, k and b the spring and the damper per
//! unit of inertia that `solref` says, a the acceleration of x. That is a spring, a damper and an inertia; the first
//! two are taken ([`stop_of`](super::surfaces::stop_of)). A is the sum over both bodies of the mean of the three axes,
//! at the centre of mass: translations for points, rotations for orientations. The format measures rotations by half
//! their angle, times `torquescale`: their stiffness is a quarter of that, times its square.

use super::element::Element;
use super::inertias::Inertias;
use super::log::Log;
use crate::multibody::Model;
use crate::multibody::scene_data::{ConstraintCompliance, CouplingLaw};

/// How an equality yields.
pub(super) struct Softness<'e> {
    pub element: &'e Element,
    /// Its name among the couplings.
    pub name: String,
    /// Stiffness and damping per unit of inertia.
    pub law: [f64; 2],
    /// What its rotations are scaled by.
    pub torque_scale: f64,
}

/// Lets those couplings of a model yield.
pub(super) fn resolve(model: &mut Model, soft: &[Softness<'_>], log: &mut Log<'_>) {
    let Some(first) = soft.first() else { return };
    let Some(inertias) = Inertias::of(model) else {
        log.differs(first.element, "yields by an inertia that could not be found: it is rigid");
        return;
    };
    for Softness { name, law: [stiffness, damping], torque_scale, .. } in soft {
        let Some(coupling) = model.scene.couplings.iter_mut().find(|coupling| coupling.name == *name) else { continue };
        let (CouplingLaw::Ball(ends) | CouplingLaw::Weld(ends)) = &coupling.law else { continue };
        let mobilities = ends.each_ref().map(|(link, _)| inertias.mobilities_of(link));
        let [along, about] = [0, 1].map(|kind| mobilities[0][kind] + mobilities[1][kind]);
        let of = |mobility: f64, scale: f64| ConstraintCompliance {
            stiffness: scale * stiffness / mobility,
            damping: scale * damping / mobility,
        };
        if along <= 0.0 {
            continue;
        }
        let (ends, linear) = (ends.clone(), of(along, 1.0));
        coupling.law = match coupling.law {
            CouplingLaw::Ball(_) => CouplingLaw::SoftBall { ends, compliance: linear },
            _ if about > 0.0 && *torque_scale > 0.0 => {
                let angular = of(about, torque_scale * torque_scale / 4.0);
                CouplingLaw::Bushing { ends, linear: [linear; 3], angular: [angular; 3] }
            }
            // Nothing but the points are held.
            _ => CouplingLaw::SoftBall { ends, compliance: linear },
        };
    }
}
