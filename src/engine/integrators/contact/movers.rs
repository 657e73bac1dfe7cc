//! What moves each entry of the continuous state.

use crate::linearize::Layout;
use kinegraph_diagram::Diagram;
use nalgebra::Vector3;
use std::collections::{HashMap, HashSet};

/// An orientation in the continuous state.
#[derive(Clone, Copy, Debug)]
pub struct Rotation {
    /// The first entry of its quaternion.
    pub at: usize,
    /// The clique that turns it.
    pub clique: usize,
    /// The first of the six velocities of a floating base: angular, in world axes, then that of its origin. `None`
    /// where the angular velocity is in the axes of what turns.
    pub base: Option<usize>,
    /// The centre of mass in the axes of a body alone \[m\]; zero of other bodies, whose velocities are those of
    /// origins.
    pub center_of_mass: Vector3<f64>,
}

/// What moves each entry of the continuous state: a clique (a block of the mass matrix), or nothing of a plant.
#[derive(Clone, Debug)]
pub struct Movers {
    /// The clique, numbered over all plants; `None` for external state.
    cliques: Vec<Option<usize>>,
    /// Whether the entry is a velocity of a plant.
    pub is_velocity: Vec<bool>,
    /// The orientations.
    pub rotations: Vec<Rotation>,
    /// The first entry of each of their quaternions.
    pub quaternions: Vec<usize>,
    /// Whether the entry is one of a quaternion.
    is_quaternion: Vec<bool>,
    /// The velocity, among those of all plants, that it is or is the position of; `None` for external state.
    pub velocities: Vec<Option<usize>>,
}

impl Movers {
    /// Those of `diagram`.
    pub fn new(diagram: &Diagram, layout: &Layout) -> Self {
        let mut cliques = vec![None; diagram.state_width()];
        let mut is_velocity = vec![false; diagram.state_width()];
        let mut rotations = Vec::new();
        let mut of = vec![None; diagram.state_width()];
        let mut first = 0;
        for slot in &layout.plants {
            is_velocity[slot.velocities.clone()].fill(true);
            let structure = layout.plant(diagram, slot).structure();
            let clique_of = |v: usize| first + structure.cliques.partition_point(|c| c.end <= v);
            let quaternions: HashSet<usize> = structure.quaternions.iter().copied().collect();
            let spins: HashMap<usize, _> = structure.spins.iter().map(|spin| (spin.velocities.start, spin)).collect();
            let mut position = 0;
            let mut velocity = 0;
            // Positions and velocities run joint by joint; only a quaternion has one position more than velocities.
            while velocity < structure.num_velocities {
                let turns = quaternions.contains(&position);
                let (positions, velocities) = if turns { (4, 3) } else { (1, 1) };
                if turns {
                    let spin = spins.get(&velocity);
                    let alone = spin.and_then(|spin| spin.alone);
                    rotations.push(Rotation {
                        at: slot.positions.start + position,
                        clique: clique_of(velocity),
                        base: spin.map(|_| slot.velocities.start + velocity),
                        center_of_mass: alone.map_or_else(Vector3::zeros, |(_, c)| c.into()),
                    });
                }
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
        let quaternions = rotations.iter().map(|rotation| rotation.at).collect();
        let mut is_quaternion = vec![false; diagram.state_width()];
        rotations.iter().for_each(|rotation: &Rotation| is_quaternion[rotation.at..rotation.at + 4].fill(true));
        Movers { cliques, is_velocity, rotations, quaternions, is_quaternion, velocities: of }
    }

    /// Whether an entry is one of a quaternion.
    pub fn is_quaternion(&self, entry: usize) -> bool {
        self.is_quaternion[entry]
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
