//! `<drake:linear_bushing_rpy>`: springs and dampers along and about each axis of its first frame.
//!
//! Frames and values are the text of its children. Any frame, link or joint of the file may be an end, and the world.
//! Angles are those of the rotation vector, which to first order are roll, pitch and yaw.

use super::draft::Draft;
use super::frames::{WORLD, Written};
use crate::faults::FaultKind;
use crate::report::Report;
use crate::xml::{Element, Known};
use kinegraph_multibody::Model;
use kinegraph_multibody::scene_data::{ConstraintCompliance, Coupling, CouplingLaw};
use nalgebra::Isometry3;
use std::collections::HashMap;

/// The element.
pub(super) const BUSHING: &str = "drake:linear_bushing_rpy";

const ENDS: [&str; 2] = ["drake:bushing_frameA", "drake:bushing_frameC"];
const TORQUE: [&str; 2] = ["drake:bushing_torque_stiffness", "drake:bushing_torque_damping"];
const FORCE: [&str; 2] = ["drake:bushing_force_stiffness", "drake:bushing_force_damping"];
const PARTS: Known = Known {
    attributes: &[],
    once: &[ENDS[0], ENDS[1], TORQUE[0], TORQUE[1], FORCE[0], FORCE[1]],
    many: &[],
    ignored: &[],
    ignored_attributes: &[],
};

/// A bushing with its frames by name.
pub(super) struct Bushing {
    name: String,
    ends: [Written; 2],
    linear: [ConstraintCompliance; 3],
    angular: [ConstraintCompliance; 3],
}

/// Reads a bushing; a faulty one is left out.
pub(super) fn read(draft: &mut Draft, element: Element<'_, '_>, scope: &str, report: &mut Report<'_>) {
    element.check(&PARTS, report);
    let ends = ENDS.map(|part| {
        let child = required(element, part, report)?;
        let name = child.content();
        if name.value == WORLD {
            draft.needs_world(child, report);
        }
        Some(draft.within(Written::of(&name, child, report), scope))
    });
    let [angular, linear] = [TORQUE, FORCE].map(|parts| {
        let [k, d] = parts.map(|part| magnitudes(element, part, report));
        let (k, d) = (k?, d?);
        Some([0, 1, 2].map(|axis| ConstraintCompliance { stiffness: k[axis], damping: d[axis] }))
    });
    let ([Some(a), Some(c)], Some(linear), Some(angular)) = (ends, linear, angular) else { return };
    let name = format!("{scope}linear_bushing_rpy{}", draft.bushings.len());
    draft.bushings.push(Bushing { name, ends: [a, c], linear, angular });
}

fn required<'a, 'i>(element: Element<'a, 'i>, part: &'static str, report: &mut Report<'_>) -> Option<Element<'a, 'i>> {
    let found = element.child(part);
    match found {
        Some(child) => child.check(&Known::TEXT, report),
        None => report.fault(element.span(), FaultKind::MissingElement { element: element.describe(), child: part }),
    }
    found
}

/// Three numbers, none of them negative.
fn magnitudes(element: Element<'_, '_>, part: &'static str, report: &mut Report<'_>) -> Option<[f64; 3]> {
    let value = required(element, part, report)?.content();
    let numbers = value.numbers::<3>(report)?;
    numbers.into_iter().try_for_each(|x| value.not_negative(x, report).map(drop))?;
    Some(numbers)
}

impl Bushing {
    /// Places the bushing between its links.
    pub fn place(
        self,
        model: &mut Model,
        pose: &impl Fn(&str) -> Isometry3<f64>,
        links: &HashMap<String, String>,
        report: &mut Report<'_>,
    ) {
        let ends = self.ends.map(|end| {
            let link = end.link(links, report)?;
            let pose_in_link = pose(&link).inverse() * pose(&end.name);
            Some((link, pose_in_link))
        });
        let [Some(a), Some(c)] = ends else { return };
        let law = CouplingLaw::Bushing { ends: [a, c], linear: self.linear, angular: self.angular };
        model.scene.couplings.push(Coupling { name: self.name, active: true, law });
    }
}
