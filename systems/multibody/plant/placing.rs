//! Resolution of the links and joints that constraints and locks name.

use super::builder::PlantBuilder;
use super::constraint::{Attachment, Constraint, ConstraintLaw};
use super::constraints::{Frame, PlacedConstraint, PlacedLaw, PlacedLock};
use super::error::PlantError;
use super::joint_relation::JointRelation;
use super::single_axis::single_axis;
use crate::Tree;
use kinegraph_core::convex::Compliance;
use kinegraph_core::names::nearest;

impl PlantBuilder {
    /// Places the constraints: those of the author first, then one coupler per mimic joint.
    pub(super) fn place_constraints(&self, tree: &Tree, faults: &mut Vec<PlantError>) -> Vec<PlacedConstraint> {
        let mut placed = Vec::new();
        for (i, constraint) in self.constraints.iter().enumerate() {
            if self.constraints[..i].iter().any(|c| c.name == constraint.name) {
                faults.push(PlantError::Duplicate { kind: "constraint", name: constraint.name.clone() });
            }
            check_numbers(constraint, faults);
            check_joints(constraint, faults);
            if let Some(law) = place(tree, constraint, faults) {
                let Constraint { name, active, capture, .. } = constraint.clone();
                placed.push(PlacedConstraint { name, law, active, capture, switched: true });
            }
        }
        for joint in tree.joints() {
            let Some((leader, mimic)) = leader(tree, joint) else { continue };
            let law = PlacedLaw::Coupler {
                positions: [joint.positions.start, tree.joints()[leader].positions.start],
                velocities: [joint.velocities.start, tree.joints()[leader].velocities.start],
                ratio: mimic.multiplier,
                offset: mimic.offset,
                compliance: None,
            };
            let name = joint.name.clone();
            placed.push(PlacedConstraint { name, law, active: true, capture: false, switched: false });
        }
        placed
    }

    /// The joints that may be locked.
    pub(super) fn place_locks(&self, tree: &Tree, faults: &mut Vec<PlantError>) -> Vec<PlacedLock> {
        let mut placed: Vec<PlacedLock> = Vec::new();
        for (name, locked) in &self.locks {
            let Some(joint) = tree.joint(name) else {
                let nearest = nearest(name, tree.joints().iter().map(|j| &j.name));
                faults.push(PlantError::Unknown { kind: "joint", name: name.clone(), nearest });
                continue;
            };
            if placed.iter().any(|l| l.name == *name) {
                faults.push(PlantError::Duplicate { kind: "lock of joint", name: name.clone() });
            }
            let velocities = tree.joints()[joint].velocities.clone();
            placed.push(PlacedLock { name: name.clone(), velocities, locked: *locked });
        }
        placed
    }

    /// Sets the initial positions of mimic joints without an initial value of their own from the joints that they
    /// follow.
    pub(super) fn start_mimic_joints(&self, tree: &Tree, q: &mut [f64], v: &mut [f64]) {
        for joint in tree.joints() {
            let Some((leader, mimic)) = leader(tree, joint) else { continue };
            if self.initial.iter().any(|(name, ..)| *name == joint.name) {
                continue;
            }
            let leader = &tree.joints()[leader];
            q[joint.positions.start] = mimic.multiplier * q[leader.positions.start] + mimic.offset;
            v[joint.velocities.start] = mimic.multiplier * v[leader.velocities.start];
        }
    }
}

/// The joint that a mimic joint follows, if there is such a joint and both have a single axis.
fn leader<'a>(tree: &Tree, joint: &'a crate::TreeJoint) -> Option<(usize, &'a crate::Mimic)> {
    let mimic = joint.mimic.as_ref()?;
    let leader = tree.joint(&format!("{}/{}", tree.models()[joint.model].name, mimic.joint))?;
    let single = joint.velocities.len() == 1 && tree.joints()[leader].velocities.len() == 1;
    (single && tree.joints()[leader].name != joint.name).then_some((leader, mimic))
}

fn place(tree: &Tree, constraint: &Constraint, faults: &mut Vec<PlantError>) -> Option<PlacedLaw> {
    let name = &constraint.name;
    match &constraint.law {
        ConstraintLaw::Weld { a, b, linear, angular } => {
            let (a, b) = frames(tree, name, a, b, faults)?;
            Some(PlacedLaw::Weld { a, b, linear: *linear, angular: *angular })
        }
        ConstraintLaw::Bushing { a, b, law } => {
            let (a, b) = frames(tree, name, a, b, faults)?;
            Some(PlacedLaw::Bushing { a, b, law: *law })
        }
        ConstraintLaw::Ball { a, b, compliance } => {
            let (a, b) = frames(tree, name, a, b, faults)?;
            Some(PlacedLaw::Ball { a, b, compliance: *compliance })
        }
        ConstraintLaw::Distance { a, b, length, compliance } => {
            let (a, b) = frames(tree, name, a, b, faults)?;
            Some(PlacedLaw::Distance { a, b, length: *length, compliance: *compliance })
        }
        ConstraintLaw::Coupler { joints: [first, second], ratio, offset, compliance } => {
            let i = single_axis(tree, first, "a coupler", faults).map(|j| (j.positions.start, j.velocities.start));
            let j = single_axis(tree, second, "a coupler", faults).map(|j| (j.positions.start, j.velocities.start));
            let (i, j) = (i?, j?);
            if i == j {
                faults.push(PlantError::CouplerOfOneJoint { constraint: name.clone(), joint: first.clone() });
                return None;
            }
            let (positions, velocities) = ([i.0, j.0], [i.1, j.1]);
            Some(PlacedLaw::Coupler { positions, velocities, ratio: *ratio, offset: *offset, compliance: *compliance })
        }
        ConstraintLaw::Sum { joints, offset, compliance } => {
            let relation = JointRelation::sum(tree, joints, faults)?;
            Some(PlacedLaw::Relation { relation, offset: *offset, compliance: *compliance })
        }
        ConstraintLaw::Polynomial { joints, coefficients, compliance } => {
            let [first, second] = joints.each_ref().map(|joint| [(joint.clone(), 1.0)]);
            let relation = JointRelation::place(tree, [&first, &second], 0.0, *coefficients, faults)?;
            Some(PlacedLaw::Relation { relation, offset: 0.0, compliance: *compliance })
        }
    }
}

/// Two frames on links that can move relative to each other.
fn frames(
    tree: &Tree,
    constraint: &str,
    a: &Attachment,
    b: &Attachment,
    faults: &mut Vec<PlantError>,
) -> Option<(Frame, Frame)> {
    let mut find = |at: &Attachment| {
        let body = tree.body(&at.link);
        if body.is_none() {
            let nearest = nearest(&at.link, tree.bodies().iter().map(|b| &b.name));
            faults.push(PlantError::Unknown { kind: "link", name: at.link.clone(), nearest });
        }
        Some(Frame { body: body?, X_BF: at.X_BF })
    };
    let (a, b) = (find(a), find(b));
    let (a, b) = (a?, b?);
    let bodies = tree.bodies();
    if bodies[a.body].node == bodies[b.body].node {
        let (a, b) = (bodies[a.body].name.clone(), bodies[b.body].name.clone());
        faults.push(PlantError::CannotMove { constraint: constraint.into(), a, b });
        return None;
    }
    Some((a, b))
}

/// Checks that a coupler of several joints names each once, and depends on all.
fn check_joints(constraint: &Constraint, faults: &mut Vec<PlantError>) {
    let of = || constraint.name.clone();
    let joints: Vec<(&String, f64)> = match &constraint.law {
        ConstraintLaw::Sum { joints, .. } => joints.iter().map(|(joint, by)| (joint, *by)).collect(),
        ConstraintLaw::Polynomial { joints, coefficients, .. } => {
            let slope = coefficients[1..].iter().copied().find(|c| *c != 0.0).unwrap_or(0.0);
            joints.iter().zip([1.0, slope]).collect()
        }
        _ => return,
    };
    for (i, &(joint, by)) in joints.iter().enumerate() {
        if joints[..i].iter().any(|(before, _)| *before == joint) {
            faults.push(PlantError::CouplerOfOneJoint { constraint: of(), joint: joint.clone() });
        }
        if by == 0.0 {
            faults.push(PlantError::CouplerWithoutEffect { constraint: of(), joint: joint.clone() });
        }
    }
}

fn check_numbers(constraint: &Constraint, faults: &mut Vec<PlantError>) {
    let mut check = |what: &str, value: f64, valid: bool, expected| {
        if !valid {
            let what = format!("{what} of constraint `{}`", constraint.name);
            faults.push(PlantError::OutOfRange { what, value, expected });
        }
    };
    let not_negative = |x: f64| x >= 0.0 && x.is_finite();
    let (finite, positive) = ("a finite number", "a finite number, zero or more");
    let mut compliances: Vec<&Option<Compliance>> = Vec::new();
    let mut attachments: Vec<&Attachment> = Vec::new();
    match &constraint.law {
        ConstraintLaw::Weld { a, b, linear, angular } => {
            compliances.extend([linear, angular]);
            attachments.extend([a, b]);
        }
        ConstraintLaw::Bushing { a, b, law } => {
            for Compliance { stiffness, damping } in law.linear.iter().chain(&law.angular) {
                check("stiffness", *stiffness, not_negative(*stiffness), positive);
                check("damping", *damping, not_negative(*damping), positive);
            }
            attachments.extend([a, b]);
        }
        ConstraintLaw::Ball { a, b, compliance } => {
            compliances.push(compliance);
            attachments.extend([a, b]);
        }
        ConstraintLaw::Distance { a, b, length, compliance } => {
            check("length", *length, not_negative(*length), positive);
            compliances.push(compliance);
            attachments.extend([a, b]);
        }
        ConstraintLaw::Coupler { ratio, offset, compliance, .. } => {
            check("ratio", *ratio, ratio.is_finite(), finite);
            check("offset", *offset, offset.is_finite(), finite);
            compliances.push(compliance);
        }
        ConstraintLaw::Sum { joints, offset, compliance } => {
            for (joint, coefficient) in joints {
                check(&format!("coefficient of `{joint}`"), *coefficient, coefficient.is_finite(), finite);
            }
            check("number of joints", 0.0, !joints.is_empty(), "one or more");
            check("offset", *offset, offset.is_finite(), finite);
            compliances.push(compliance);
        }
        ConstraintLaw::Polynomial { coefficients, compliance, .. } => {
            let bad = coefficients.iter().find(|c| !c.is_finite());
            bad.iter().for_each(|bad| check("a coefficient", **bad, false, finite));
            compliances.push(compliance);
        }
    }
    for Compliance { stiffness, damping } in compliances.into_iter().flatten() {
        check("stiffness", *stiffness, not_negative(*stiffness), positive);
        check("damping", *damping, not_negative(*damping), positive);
    }
    for at in attachments {
        let numbers = at.X_BF.translation.vector.iter().chain(at.X_BF.rotation.coords.iter());
        if let Some(bad) = numbers.copied().find(|x| !x.is_finite()) {
            check(&format!("pose on `{}`", at.link), bad, false, finite);
        }
    }
}
