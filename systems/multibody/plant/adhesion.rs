//! Adhesion: forces that pull bodies together at their contacts.
//!
//! An actuator at the contacts of a body pulls with the force f/n at each of its n contacts; an adhesive surface pulls
//! with its own force at each. The pull acts along the normal, on both bodies at the contact point, within the gap of
//! the two shapes. The contact itself does not change: the pull presses it like a load, so that friction holds
//! `μ (N + f/n)`.
//!
//! Points and normals are those of the state for which forces are computed: the implicit part of a step treats the pull
//! as a constant force.

use super::collision::{CollisionWorld, Query};
use crate::{Kinematics, SpatialVector, Tree};
use kinegraph_core::convex::ContactPoint;
use kinegraph_core::scalar::Scalar;
use nalgebra::Vector3;
use std::cell::RefCell;
use std::cmp::Ordering;

/// A contact within reach of adhesion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bond {
    /// A and B.
    bodies: [usize; 2],
    p_WC: Vector3<f64>,
    /// Normal from A into B.
    normal: Vector3<f64>,
    /// Adhesive force of the two surfaces themselves \[N\].
    adhesion: f64,
}

/// Adhesion of two shapes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Stickiness {
    /// Range \[m\].
    pub gap: f64,
    /// Force \[N\].
    pub adhesion: f64,
}

/// The last contacts that a thread found: derivatives ask for the same state many times.
#[derive(Debug, Default)]
struct Known {
    world: u64,
    p_WB: Vec<[f64; 3]>,
    R_WB: Vec<[f64; 9]>,
    query: Query,
    contacts: Vec<ContactPoint>,
    bonds: Vec<Bond>,
}

thread_local! {
    static KNOWN: RefCell<Known> = RefCell::default();
}

impl CollisionWorld {
    /// Adhesion of two shapes, by index: the sum of both, that of the one of higher priority, or that given for the
    /// pair.
    fn stickiness(&self, i: usize, j: usize) -> Stickiness {
        if let Some(of_pair) = self.stickiness_of_pair(i, j) {
            return of_pair;
        }
        let surfaces = [i, j].map(|i| self.geometries()[i].surface);
        let gap = surfaces.iter().flatten().map(|surface| surface.gap).sum();
        let adhesion = |i: usize| surfaces[i].map_or(0.0, |surface| surface.adhesion);
        let priority = |i: usize| surfaces[i].map_or(0, |surface| surface.priority);
        let adhesion = match priority(0).cmp(&priority(1)) {
            Ordering::Less => adhesion(1),
            Ordering::Greater => adhesion(0),
            Ordering::Equal => adhesion(0) + adhesion(1),
        };
        Stickiness { gap, adhesion }
    }

    /// True if any shape or pair has adhesion of its own.
    pub fn sticks(&self) -> bool {
        let surfaces = self.geometries().iter().filter_map(|g| g.surface).map(|surface| surface.adhesion);
        surfaces.chain(self.stickiness_of_pairs().map(|of_pair| of_pair.adhesion)).any(|adhesion| adhesion > 0.0)
    }

    /// Largest range of adhesion of any two shapes \[m\].
    fn widest_gap(&self) -> f64 {
        let gaps = self.geometries().iter().filter_map(|g| g.surface).map(|surface| 2.0 * surface.gap);
        gaps.chain(self.stickiness_of_pairs().map(|of_pair| of_pair.gap)).fold(0.0, f64::max)
    }

    /// The bodies that a body may touch.
    fn touched_by(&self, body: usize) -> impl Iterator<Item = usize> + '_ {
        let shapes = self.geometries();
        let own = (0..shapes.len()).filter(move |i| shapes[*i].body == body);
        own.flat_map(move |i| (0..shapes.len()).filter(move |j| self.may_touch(i, *j)).map(|j| shapes[j].body))
    }
}

/// The velocities that a pull at the contacts of a body may act on, in increasing order.
pub(super) fn velocities(tree: &Tree, world: &CollisionWorld, body: usize) -> Vec<usize> {
    let bodies = world.touched_by(body).chain([body]);
    let mut velocities: Vec<usize> = bodies.flat_map(|body| tree.velocities_that_move(body)).collect();
    velocities.sort_unstable();
    velocities.dedup();
    velocities
}

/// Calls `work` with the contacts within reach of adhesion; `k` has the positions.
pub(super) fn with_bonds<S: Scalar>(
    tree: &Tree,
    world: &CollisionWorld,
    k: &Kinematics<S>,
    work: impl FnOnce(&[Bond]),
) {
    KNOWN.with_borrow_mut(|known| {
        if known.read_poses(tree, k) || known.world != world.id {
            known.world = world.id;
            known.find(world);
        }
        work(&known.bonds);
    });
}

impl Known {
    /// Reads the poses of the bodies; true if they have changed.
    fn read_poses<S: Scalar>(&mut self, tree: &Tree, k: &Kinematics<S>) -> bool {
        let bodies = tree.bodies().len();
        let mut moved = self.p_WB.len() != bodies;
        self.p_WB.resize(bodies, [0.0; 3]);
        self.R_WB.resize(bodies, [0.0; 9]);
        for (b, (p_WB, R_WB)) in self.p_WB.iter_mut().zip(&mut self.R_WB).enumerate() {
            let X = tree.X_WB(k, b);
            let components = X.p_WB.iter().chain(X.R_WB.iter());
            for (to, x) in p_WB.iter_mut().chain(R_WB).zip(components) {
                moved |= *to != x.value();
                *to = x.value();
            }
        }
        moved
    }

    fn find(&mut self, world: &CollisionWorld) {
        let Known { p_WB, R_WB, query, contacts, bonds, .. } = self;
        world.contacts(p_WB, R_WB, world.widest_gap(), query, contacts);
        bonds.clear();
        bonds.extend(contacts.iter().filter_map(|contact| {
            let [i, j] = world.shapes_of(contact);
            let Stickiness { gap, adhesion } = world.stickiness(i, j);
            (contact.depth >= -gap).then(|| Bond {
                bodies: [contact.body_a, contact.body_b],
                p_WC: contact.p_WC.into(),
                normal: contact.normal.into(),
                adhesion,
            })
        }));
    }
}

/// Adds the force f of an actuator at the contacts of a body to the forces on the velocities.
pub(super) fn pull<S: Scalar>(tree: &Tree, k: &Kinematics<S>, bonds: &[Bond], body: usize, f: S, forces: &mut [S]) {
    let own = || bonds.iter().filter(|bond| bond.bodies.contains(&body));
    let each = f * S::constant(1.0 / own().count().max(1) as f64);
    own().for_each(|bond| bond.add(tree, k, each, forces));
}

/// Adds the adhesive forces of the surfaces themselves.
pub(super) fn stick<S: Scalar>(tree: &Tree, k: &Kinematics<S>, bonds: &[Bond], forces: &mut [S]) {
    for bond in bonds.iter().filter(|bond| bond.adhesion > 0.0) {
        bond.add(tree, k, S::constant(bond.adhesion), forces);
    }
}

impl Bond {
    /// Adds a pull at this contact.
    fn add<S: Scalar>(&self, tree: &Tree, k: &Kinematics<S>, f: S, forces: &mut [S]) {
        for (body, toward) in self.bodies.into_iter().zip([self.normal, -self.normal]) {
            let arm = self.p_WC - tree.X_WB(k, body).p_WB.map(S::value);
            let along = SpatialVector::new(arm.cross(&toward), toward);
            let along = SpatialVector::new(along.angular.map(S::constant), along.linear.map(S::constant));
            tree.for_each_effort(k, body, &along, |velocity, effort| {
                forces[velocity] += f * S::constant(effort.value());
            });
        }
    }
}
