//! Compliant `<equality>`: welds, balls, couplings of joints and of tendons.
//!
//! The format's rule gives each row the force `f = -(b v + d k x + a)/R` with `R = (1 - d)/d A`: x what the row
//! measures, A the mobility along it where all joints are at their references, k and b the spring and the damper per
//! unit of inertia that `solref` says, a the acceleration of x. That is a spring, a damper and an inertia; the first
//! two are taken ([`stop_of`](super::surfaces::stop_of)). A is the sum over both bodies of the mean of the three axes,
//! at the centre of mass: translations for points, rotations for orientations. The format measures rotations by half
//! their angle, times `torquescale`: their stiffness is a quarter of that, times its square.
//! Of couplings of joints A is the sum of the mobilities of the two joints, each by itself, whatever the slope of the
//! polynomial; of tendons the sum of those along each. Of a string it is the mobility along its length.

use super::element::Element;
use super::inertias::Inertias;
use super::log::Log;
use kinegraph_multibody::scene_data::{ConstraintCompliance, CouplingLaw, HigherTerms, SpatialTendon};
use kinegraph_multibody::{Model, TendonPath};

/// How an equality yields.
pub(super) struct Softness<'e> {
    pub element: &'e Element,
    /// Its name among the couplings.
    pub name: String,
    /// Stiffness and damping per unit of inertia.
    pub law: [f64; 2],
    /// Scale of its rotations (`torquescale`).
    pub torque_scale: f64,
    /// The joints, or the sums of joints, that it holds to each other.
    pub sums: Vec<Vec<(String, f64)>>,
}

/// Lets those couplings of a model yield.
pub(super) fn resolve(model: &mut Model, soft: &[Softness<'_>], log: &mut Log<'_>) {
    let Some(first) = soft.first() else { return };
    let Some(inertias) = Inertias::of(model) else {
        log.differs(first.element, "yields by an inertia that could not be found: it is rigid");
        return;
    };
    for Softness { name, law: [stiffness, damping], torque_scale, sums, .. } in soft {
        let Some(coupling) = model.scene.couplings.iter_mut().find(|coupling| coupling.name == *name) else { continue };
        if let CouplingLaw::Joints { compliance, .. } | CouplingLaw::Polynomial { compliance, .. } = &mut coupling.law {
            let along = sums.iter().filter_map(|sum| Some(1.0 / inertias.along(sum)?)).sum::<f64>();
            let of = ConstraintCompliance { stiffness: stiffness / along, damping: damping / along };
            *compliance = (along > 0.0).then_some(of);
            continue;
        }
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

/// A string whose length is held.
pub(super) struct HeldString<'e> {
    pub element: &'e Element,
    /// Its name among the spatial tendons of the model.
    pub string: String,
    /// By how much it is to be longer than at the references \[m\].
    pub beside: f64,
    /// Stiffness and damping per unit of inertia.
    pub law: [f64; 2],
}

/// Lays a spring and a damper along each of those strings.
pub(super) fn hold(model: &mut Model, strings: &[HeldString<'_>], log: &mut Log<'_>) {
    let Some(first) = strings.first() else { return };
    let Some(inertias) = Inertias::of(model) else {
        log.differs(first.element, "yields by an inertia that could not be found: it is left out");
        return;
    };
    for HeldString { string, beside, law: [stiffness, damping], .. } in strings {
        let Some(held) = model.scene.spatial_tendons.iter().find(|tendon| tendon.name == *string) else { continue };
        let Ok(path) = TendonPath::new(&inertias.tree, "m", &held.path) else { continue };
        let Some(inertia) = inertias.along_path(&path) else { continue };
        let length = inertias.length_at_references(&path) + beside;
        let spring = SpatialTendon {
            name: format!("{string}~held"),
            stiffness: stiffness * inertia,
            damping: damping * inertia,
            terms: HigherTerms::default(),
            rest: (length, length),
            stop: None,
            armature: 0.0,
            friction: 0.0,
            creep: 0.0,
            ..held.clone()
        };
        model.scene.spatial_tendons.push(spring);
    }
}
