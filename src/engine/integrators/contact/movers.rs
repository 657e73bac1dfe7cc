//! Clique that moves each entry of the continuous state.

use crate::linearize::Layout;
use kinegraph_diagram::Diagram;
use nalgebra::Vector3;
use std::collections::{HashMap, HashSet};

/// An orientation in the continuous state.
#[derive(Clone, Copy, Debug)]
pub struct Rotation {
    /// First entry of its quaternion.
    pub at: usize,
    /// Clique that turns it.
    pub clique: usize,
    /// First of the six velocities of a floating base: angular, in world axes, then that of its origin. `None` where
    /// the angular velocity is in the body's own axes.
    pub base: Option<usize>,
    /// Centre of mass of a body that moves alone, in its axes \[m\]; zero of other bodies, whose velocities are those
    /// of origins.
    pub center_of_mass: Vector3<f64>,
}

/// Mover of each entry of the continuous state: a clique (a block of the mass matrix), or nothing of a plant.
#[derive(Clone, Debug)]
pub struct Movers {
    /// The clique, numbered over all plants; `None` for external state.
    cliques: Vec<Option<usize>>,
    /// For each entry, true if it is a velocity of a plant.
    pub is_velocity: Vec<bool>,
    /// The orientations.
    pub rotations: Vec<Rotation>,
    /// First entry of each quaternion.
    pub quaternions: Vec<usize>,
    /// For each entry, true if it belongs to a quaternion.
    is_quaternion: Vec<bool>,
    /// For each entry, the velocity among those of all plants whose value or position it is; `None` for external state.
    pub velocities: Vec<Option<usize>>,
}

impl Movers {
    /// Movers of the entries of `diagram`.
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

    /// True if an entry belongs to a quaternion.
    pub fn is_quaternion(&self, entry: usize) -> bool {
        self.is_quaternion[entry]
    }

    /// Clique that moves an entry.
    pub fn clique_of(&self, entry: usize) -> Option<usize> {
        self.cliques[entry]
    }

    /// Entries that are moved by cliques for which `is` is true; external state among them if `all`.
    pub fn entries<'a>(&'a self, all: bool, is: impl Fn(usize) -> bool + 'a) -> impl Iterator<Item = usize> + 'a {
        let moved = move |clique: &Option<usize>| clique.map_or(all, &is);
        self.cliques.iter().enumerate().filter(move |(_, clique)| moved(clique)).map(|(i, _)| i)
    }
}
