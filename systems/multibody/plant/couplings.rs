//! Couplings of model files, as constraints of the plant. Each is called `model.NAME`, so that its input is
//! `constraints.model.NAME.active`.

use super::bushing::BushingLaw;
use super::constraints::{Frame, PlacedConstraint, PlacedLaw};
use super::error::PlantError;
use super::joint_relation::JointRelation;
use super::model::PlantModel;
use crate::Tree;
use crate::fibre::BeamLaw;
use crate::scene_data::{ConstraintCompliance, Coupling, CouplingLaw};
use kinegraph_core::convex::Compliance;
use kinegraph_core::names::nearest;
use nalgebra::Isometry3;

/// The couplings of all models.
pub(super) fn place(tree: &Tree, models: &[PlantModel], faults: &mut Vec<PlantError>) -> Vec<PlacedConstraint> {
    let all = models.iter().flat_map(|m| m.model.scene.couplings.iter().map(move |coupling| (&m.name, coupling)));
    let held = all.filter_map(|(model, coupling)| {
        let name = format!("{model}.{}", coupling.name);
        let law = place_law(tree, model, &name, coupling, faults)?;
        Some(PlacedConstraint { name, law, active: coupling.active, capture: false, switched: true })
    });
    let mut placed: Vec<_> = held.collect();
    for (model, bend) in models.iter().flat_map(|m| m.model.scene.bends.iter().map(move |bend| (&m.name, bend))) {
        let [a, b] = bend.links.each_ref().map(|link| frame(tree, model, link, &Isometry3::identity(), faults));
        let (Some(a), Some(b)) = (a, b) else { continue };
        // If the joint between them is fixed, there is nothing to bend.
        if tree.bodies()[a.body].node == tree.bodies()[b.body].node {
            continue;
        }
        let law = BeamLaw::hinge(bend.length, bend.stiffness, bend.rest);
        let name = format!("{model}.{}.bend", bend.links[1]);
        let law = PlacedLaw::Beam { a, b, law };
        placed.push(PlacedConstraint { name, law, active: true, capture: false, switched: false });
    }
    placed
}

fn place_law(
    tree: &Tree,
    model: &str,
    name: &str,
    coupling: &Coupling,
    faults: &mut Vec<PlantError>,
) -> Option<PlacedLaw> {
    let frames = |ends: &[(String, Isometry3<f64>); 2], faults: &mut Vec<PlantError>| {
        let [a, b] = ends.each_ref().map(|(link, X_BF)| frame(tree, model, link, X_BF, faults));
        let (a, b) = (a?, b?);
        let bodies = tree.bodies();
        if bodies[a.body].node != bodies[b.body].node {
            return Some((a, b));
        }
        let (a, b) = (bodies[a.body].name.clone(), bodies[b.body].name.clone());
        faults.push(PlantError::CannotMove { constraint: name.into(), a, b });
        None
    };
    Some(match &coupling.law {
        CouplingLaw::Ball(ends) => {
            let (a, b) = frames(ends, faults)?;
            PlacedLaw::Ball { a, b, compliance: None }
        }
        CouplingLaw::SoftBall { ends, compliance } => {
            let (a, b) = frames(ends, faults)?;
            PlacedLaw::Ball { a, b, compliance: Some(row_compliance(*compliance)) }
        }
        CouplingLaw::Weld(ends) => {
            let (a, b) = frames(ends, faults)?;
            PlacedLaw::Weld { a, b, linear: None, angular: None }
        }
        CouplingLaw::Distance { ends, length, compliance } => {
            let (a, b) = frames(ends, faults)?;
            PlacedLaw::Distance { a, b, length: *length, compliance: compliance.map(row_compliance) }
        }
        CouplingLaw::Bushing { ends, linear, angular } => {
            let (a, b) = frames(ends, faults)?;
            let uniform = |laws: &[ConstraintCompliance; 3]| laws[0] == laws[1] && laws[1] == laws[2];
            if uniform(linear) && uniform(angular) {
                // The same law: no axis is distinguished.
                let (linear, angular) = (Some(row_compliance(linear[0])), Some(row_compliance(angular[0])));
                PlacedLaw::Weld { a, b, linear, angular }
            } else {
                let law = BushingLaw { linear: linear.map(row_compliance), angular: angular.map(row_compliance) };
                PlacedLaw::Bushing { a, b, law }
            }
        }
        CouplingLaw::Polynomial { sums, references, coefficients, compliance } => {
            let [first, second] = sums.each_ref().map(|sum| full_names(model, sum));
            let relation = JointRelation::place(tree, [&first, &second], references[1], *coefficients, faults)?;
            PlacedLaw::Relation { relation, offset: references[0], compliance: compliance.map(row_compliance) }
        }
        CouplingLaw::Joints { joints, offset, compliance } => {
            let relation = JointRelation::sum(tree, &full_names(model, joints), faults)?;
            PlacedLaw::Relation { relation, offset: *offset, compliance: compliance.map(row_compliance) }
        }
    })
}

fn full_names(model: &str, joints: &[(String, f64)]) -> Vec<(String, f64)> {
    joints.iter().map(|(joint, coefficient)| (format!("{model}/{joint}"), *coefficient)).collect()
}

fn row_compliance(compliance: ConstraintCompliance) -> Compliance {
    Compliance { stiffness: compliance.stiffness, damping: compliance.damping }
}

fn frame(tree: &Tree, model: &str, link: &str, X_BF: &Isometry3<f64>, faults: &mut Vec<PlantError>) -> Option<Frame> {
    let full = format!("{model}/{link}");
    let body = tree.body(&full);
    if body.is_none() {
        let nearest = nearest(&full, tree.bodies().iter().map(|b| &b.name));
        faults.push(PlantError::Unknown { kind: "link", name: full, nearest });
    }
    Some(Frame { body: body?, X_BF: *X_BF })
}
