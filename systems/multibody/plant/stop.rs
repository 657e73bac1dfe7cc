//! Laws of joint stops: rigid and without restitution by default.

use super::builder::PlantBuilder;
use super::error::PlantError;
use super::single_axis::single_axis;
use crate::Tree;
use kinegraph_core::convex::{JointLimit, StopCompliance};

/// The law of the two stops of a joint: rigid, or compliant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StopLaw {
    /// Restitution of a rigid stop, 0 to 1.
    pub restitution: f64,
    /// The compliance of the stops; `None`: they are rigid.
    pub compliance: Option<StopCompliance>,
}

impl StopLaw {
    /// Rigid stops with this restitution.
    pub fn giving_back(restitution: f64) -> Self {
        StopLaw { restitution, compliance: None }
    }

    /// Compliant stops: stiffness \[N/m, N m/rad\] and dissipation \[s/m, s/rad\] of their force
    /// `stiffness x (1 + dissipation x')` at the excess x.
    pub fn compliant(stiffness: f64, dissipation: f64) -> Self {
        StopLaw { restitution: 0.0, compliance: Some(StopCompliance { stiffness, dissipation, damping: 0.0 }) }
    }

    /// Stops of a spring and a damper in parallel, which push and never pull.
    pub fn damped(stiffness: f64, damping: f64) -> Self {
        StopLaw { restitution: 0.0, compliance: Some(StopCompliance { stiffness, dissipation: 0.0, damping }) }
    }
}

impl PlantBuilder {
    /// Sets the law of the stops of a joint with limits, by full name (`model/joint`).
    pub fn stops(mut self, joint: impl Into<String>, law: StopLaw) -> Self {
        self.stops.push((joint.into(), law));
        self
    }

    /// The limits of all joints, with the laws of their stops.
    pub(super) fn place_stops(&self, tree: &Tree, faults: &mut Vec<PlantError>) -> Vec<JointLimit> {
        let mut limits = tree.limits().to_vec();
        for (model, stop) in self.models.iter().flat_map(|m| m.model.scene.stops.iter().map(move |s| (&m.name, s))) {
            let full = format!("{model}/{}", stop.joint);
            let Some(joint) = single_axis(tree, &full, "a stop", faults) else { continue };
            let own = limits.iter_mut().filter(|limit| limit.velocity == joint.velocities.start);
            let law = StopLaw::damped(stop.stiffness, stop.damping);
            own.for_each(|limit| limit.compliance = law.compliance);
        }
        for (i, (name, law)) in self.stops.iter().enumerate() {
            if self.stops[..i].iter().any(|(other, _)| other == name) {
                faults.push(PlantError::Duplicate { kind: "law of the stops of joint", name: name.clone() });
            }
            check_numbers(name, law, faults);
            let Some(joint) = single_axis(tree, name, "a stop", faults) else { continue };
            match limits.iter_mut().find(|limit| limit.velocity == joint.velocities.start) {
                Some(limit) => (limit.restitution, limit.compliance) = (law.restitution, law.compliance),
                None => faults.push(PlantError::NoStops { joint: name.clone() }),
            }
        }
        limits
    }
}

fn check_numbers(joint: &str, law: &StopLaw, faults: &mut Vec<PlantError>) {
    let mut check = |what: &str, value: f64, valid: bool, expected| {
        if !valid {
            faults.push(PlantError::OutOfRange { what: format!("{what} of the stops of `{joint}`"), value, expected });
        }
    };
    let e = law.restitution;
    match law.compliance {
        None => check("restitution", e, (0.0..=1.0).contains(&e), "a number from 0 to 1"),
        Some(StopCompliance { stiffness: k, dissipation: d, damping: c }) => {
            check("restitution", e, e == 0.0, "zero for compliant stops: their dissipation decides");
            check("stiffness", k, k > 0.0 && k.is_finite(), "a positive finite number");
            check("dissipation", d, d >= 0.0 && d.is_finite(), "a finite number, zero or more");
            check("damping", c, c >= 0.0 && c.is_finite(), "a finite number, zero or more");
            check("damping", c, c == 0.0 || d == 0.0, "zero where there is dissipation");
        }
    }
}
