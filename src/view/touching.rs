//! Bodies that touch at a state, whether or not anything presses them.

use crate::diagram::{Diagram, State};
use crate::systems::convex::PlantPoint;
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
    /// Those of all plants at `state`.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagram::DiagramBuilder;
    use kinegraph_systems::geometry::Shape;
    use kinegraph_systems::multibody::plant::PlantBuilder;
    use kinegraph_systems::multibody::{Base, Collision, Inertia, Link, Model};
    use nalgebra::{Isometry3, Matrix3, Vector3};

    /// Three balls in a row, of which two overlap by 50 mm, and one of these and the third by 10 mm.
    #[test]
    fn balls_that_overlap_touch_by_their_depth() {
        let ball = |name: &str| {
            let inertia = Inertia { mass: 1.0, p_BoBcm: Vector3::zeros(), I_BBcm: Matrix3::identity() * 0.004 };
            let (X_BG, shape) = (Isometry3::identity(), Shape::Sphere { radius: 0.1 });
            let collisions = vec![Collision { name: String::new(), X_BG, shape, surface: None }];
            let link = Link { name: "ball".into(), inertia: Some(inertia), collisions, ..Link::default() };
            Model { name: name.into(), links: vec![link], ..Model::default() }
        };
        let at = |x: f64| Base::Floating {
            X_WR: Isometry3::translation(x, 0.0, 0.0),
            w_WR: Vector3::zeros(),
            v_WR: Vector3::zeros(),
        };
        let rows = [("left", 0.0), ("middle", 0.15), ("right", 0.34), ("far", 2.0)];
        let plant = rows.iter().fold(PlantBuilder::new(), |plant, (name, x)| plant.model(*name, ball(name), at(*x)));
        let mut builder = DiagramBuilder::new("balls");
        builder.add("plant", plant.build().unwrap());
        let diagram = builder.build().unwrap();
        let found = Touching::at(&diagram, &diagram.initial_state());
        let pairs: Vec<_> = found.pairs.iter().map(|pair| (pair.a.as_str(), pair.b.as_str())).collect();
        assert_eq!(pairs, [("left/ball", "middle/ball"), ("middle/ball", "right/ball")]);
        for (pair, depth) in found.pairs.iter().zip([0.05, 0.01]) {
            assert!((pair.depth - depth).abs() < 1e-12, "{pair:?}");
        }
    }
}
