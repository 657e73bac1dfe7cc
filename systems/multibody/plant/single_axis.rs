//! Single-axis joints by name.

use super::error::PlantError;
use crate::Tree;
use crate::tree::TreeJoint;
use kinegraph_core::names::nearest;

/// The single-axis joint `name`, on which `what` acts; `None` after adding a fault.
pub(super) fn single_axis<'a>(
    tree: &'a Tree,
    name: &str,
    what: &'static str,
    faults: &mut Vec<PlantError>,
) -> Option<&'a TreeJoint> {
    let Some(joint) = tree.joint(name) else {
        let names = tree.joints().iter().map(|j| j.name.as_str());
        let nearest = nearest(name, names);
        faults.push(PlantError::Unknown { kind: "joint", name: name.into(), nearest });
        return None;
    };
    let joint = &tree.joints()[joint];
    if joint.velocities.len() != 1 {
        faults.push(PlantError::NotSingleAxis { joint: name.into(), what });
        return None;
    }
    Some(joint)
}
