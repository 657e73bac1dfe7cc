//! Bodies that overlap at a state, also without contact forces.

use kinegraph_core::convex::PlantPoint;
use kinegraph_diagram::{Diagram, State};
use serde::{Deserialize, Serialize};

/// The bodies that touch where a model stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Touching {
    /// Each two of them, the deepest first.
    pub pairs: Vec<TouchingPair>,
}

/// Two bodies that touch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TouchingPair {
    /// The one (`robot/forearm`).
    pub a: String,
    /// The other.
    pub b: String,
    /// How deep they are in each other \[m\].
    pub depth: f64,
}

impl Touching {
    /// Finds the overlapping bodies of all plants at `state`.
    pub fn at(diagram: &Diagram, state: &State) -> Self {
        let mut pairs: Vec<TouchingPair> = Vec::new();
        for (block, plant) in diagram.plants() {
            let structure = plant.structure();
            let (q, v) = state.continuous[block.state.clone()].split_at(structure.num_positions);
            for contact in PlantPoint::touching(plant, q, v).contacts.iter().filter(|contact| contact.depth > 0.0) {
                let name = |body: usize| structure.bodies[body].name.clone();
                let (a, b) = (name(contact.body_a), name(contact.body_b));
                match pairs.iter_mut().find(|pair| pair.a == a && pair.b == b) {
                    Some(pair) => pair.depth = pair.depth.max(contact.depth),
                    None => pairs.push(TouchingPair { a, b, depth: contact.depth }),
                }
            }
        }
        pairs.sort_by(|one, other| other.depth.total_cmp(&one.depth));
        Touching { pairs }
    }
}
