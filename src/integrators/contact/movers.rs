//! What moves each entry of the continuous state.

use crate::diagram::Diagram;
use crate::linearize::Layout;

/// What moves each entry of the continuous state: a clique (a block of the mass matrix), or nothing of a plant.
#[derive(Clone, Debug)]
pub(in crate::integrators) struct Movers {
    /// The clique, numbered over all plants; `None` for external state.
    cliques: Vec<Option<usize>>,
    /// Whether the entry is a velocity of a plant.
    pub is_velocity: Vec<bool>,
    /// The velocity, among those of all plants, that it is or is the position of; `None` for external state.
    pub velocities: Vec<Option<usize>>,
}

impl Movers {
    /// Those of `diagram`.
    pub fn new(diagram: &Diagram, layout: &Layout) -> Self {
        let mut cliques = vec![None; diagram.state_width()];
        let mut is_velocity = vec![false; diagram.state_width()];
        let mut of = vec![None; diagram.state_width()];
        let mut first = 0;
        for slot in &layout.plants {
            is_velocity[slot.velocities.clone()].fill(true);
            let structure = layout.plant(diagram, slot).structure();
            let clique_of = |v: usize| first + structure.cliques.partition_point(|c| c.end <= v);
            let mut position = 0;
            let mut velocity = 0;
            // Positions and velocities run joint by joint; only a quaternion has one position more than velocities.
            while velocity < structure.num_velocities {
                let (positions, velocities) = if structure.quaternions.contains(&position) { (4, 3) } else { (1, 1) };
                for p in position..position + positions {
                    cliques[slot.positions.start + p] = Some(clique_of(velocity));
                    of[slot.positions.start + p] = Some(slot.global.start + velocity);
                }
                for v in velocity..velocity + velocities {
                    cliques[slot.velocities.start + v] = Some(clique_of(v));
                    of[slot.velocities.start + v] = Some(slot.global.start + v);
                }
                position += positions;
                velocity += velocities;
            }
            first += structure.cliques.len();
        }
        Movers { cliques, is_velocity, velocities: of }
    }

    /// The clique that moves an entry.
    pub fn clique_of(&self, entry: usize) -> Option<usize> {
        self.cliques[entry]
    }

    /// The entries that cliques of which `is` holds move; external state among them if it holds of `all`.
    pub fn entries<'a>(&'a self, all: bool, is: impl Fn(usize) -> bool + 'a) -> impl Iterator<Item = usize> + 'a {
        let moved = move |clique: &Option<usize>| clique.map_or(all, &is);
        self.cliques.iter().enumerate().filter(move |(_, clique)| moved(clique)).map(|(i, _)| i)
    }
}
