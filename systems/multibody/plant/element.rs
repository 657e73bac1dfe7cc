//! Elements on joints, by the name of their kind: their laws are those of the integrators.

use super::builder::PlantBuilder;
use super::error::PlantError;
use super::single_axis::single_axis;
use crate::Tree;
use kinegraph_core::convex::JointElement;

/// An element on a single-axis joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    /// The joint, by full name (`model/joint`).
    pub joint: String,
    /// Kind of element (`joint_friction`).
    pub kind: String,
    /// Parameters, in the order and the units of the kind.
    pub parameters: Vec<f64>,
}

impl PlantBuilder {
    /// Adds an element to a single-axis joint. An integrator that has no law for it refuses the diagram when the
    /// integrator is made.
    pub fn element(mut self, element: Element) -> Self {
        self.elements.push(element);
        self
    }

    /// The elements with their joints found.
    pub(super) fn place_elements(&self, tree: &Tree, faults: &mut Vec<PlantError>) -> Vec<JointElement> {
        let placed = self.elements.iter().filter_map(|Element { joint: name, kind, parameters }| {
            for &value in parameters.iter().filter(|value| !value.is_finite()) {
                let what = format!("a number of the element `{kind}` on `{name}`");
                faults.push(PlantError::OutOfRange { what, value, expected: "a finite number" });
            }
            let joint = single_axis(tree, name, "an element", faults)?;
            let (velocity, position) = (joint.velocities.start, joint.positions.start);
            Some(JointElement { kind: kind.clone(), velocity, position, parameters: parameters.clone() })
        });
        placed.collect()
    }
}
