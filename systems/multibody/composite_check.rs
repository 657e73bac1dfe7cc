//! Check that every joint moves something with inertia: otherwise the mass matrix is singular.

use super::Armature;
use super::assembly_error::AssemblyError;
use super::joint::JointMap;
use super::kinematics::Kinematics;
use super::model_check::Findings;
use super::spatial::{SpatialInertia, parallel_axis};
use super::tree::Tree;
use nalgebra::{DMatrix, DVector};
use std::collections::HashSet;
use std::ops::Range;

/// Below this radius of gyration \[m\] a body counts as a point.
const POINT_RADIUS: f64 = 1e-12;
/// Least eigenvalue of a regular mass matrix whose directions are scaled to one.
const SINGULAR: f64 = 1e-13;
/// Maximum number of coupled velocities that are checked, since eigenvalues take cubic time. With more, a singular
/// matrix shows in the first step.
const MAX_VELOCITIES: usize = 2000;
/// Displacement of joints away from a position that may be singular by chance \[rad, m\].
const APART: f64 = 0.3;

impl Tree {
    /// Reports joints whose composite inertia, armature included, is zero in one of their directions at the initial
    /// positions.
    pub(crate) fn check_composites(&self, findings: &mut Findings) {
        let mut k = Kinematics::default();
        self.position_kinematics(&self.initial_positions, &mut k);
        // Centres of mass relative to O, so that no digits are lost far from the world's origin.
        let mut composite: Vec<(SpatialInertia<f64>, f64)> = Vec::with_capacity(self.nodes.len());
        k.ensure_inertias(self);
        for inertia in &k.inertias {
            composite.push((*inertia, inertia.mass));
        }
        for (n, node) in self.nodes.iter().enumerate().rev() {
            let (inertia, mass) = composite[n];
            if let Some(parent) = node.parent {
                composite[parent].0 += &inertia;
                composite[parent].1 += mass;
            }
            let floor = |scale: f64| scale * POINT_RADIUS * POINT_RADIUS;
            let carries = match &node.map {
                JointMap::Floating => {
                    let c = inertia.moment / if mass == 0.0 { 1.0 } else { mass };
                    let about = inertia.rotational - parallel_axis(&inertia.moment, &c);
                    mass > 0.0
                        && least(&DMatrix::from_column_slice(3, 3, about.as_slice()))
                            > floor(mass).max(1e-14 * about.norm())
                }
                JointMap::Translation { .. } => mass + self.armature[node.v] > 0.0,
                JointMap::Rotation { .. }
                | JointMap::Screw { .. }
                | JointMap::Universal { .. }
                | JointMap::Planar { .. }
                | JointMap::Ball { .. } => {
                    let columns = &k.columns[node.velocities()];
                    let about = DMatrix::from_fn(node.nv, node.nv, |i, j| columns[i].dot(&inertia.apply(&columns[j])));
                    // Rounding of the parts that cancel when O stands away from the axis.
                    let arm = columns.iter().map(|s| s.linear.norm_squared()).sum::<f64>();
                    let noise = 1e-15 * (inertia.rotational.norm() + mass * arm);
                    least(&about) + self.armature[node.v] > floor(mass).max(noise)
                }
            };
            if !carries {
                let joint = self.joints.iter().find(|j| j.velocities.start == node.v);
                let (joint, body) = joint.map_or((String::new(), 0), |j| (j.name.clone(), j.body));
                findings.inertia_fault(AssemblyError::NothingToMove { joint, link: self.bodies[body].name.clone() });
            }
        }
        if findings.errors.is_empty() {
            self.check_massless_bodies(&k, findings);
        }
    }

    /// Reports a body without mass whose motion, together with that of the joints on it, moves no mass: a combination
    /// of velocities without kinetic energy, both at the initial positions and away from them.
    fn check_massless_bodies(&self, k: &Kinematics<f64>, findings: &mut Findings) {
        let is_massless = |n: &usize| k.inertias[*n].mass == 0.0;
        let massless: Vec<usize> = (0..self.nodes.len()).filter(is_massless).collect();
        if massless.is_empty() {
            return;
        }
        let mut away = self.initial_positions.clone();
        for node in self.nodes.iter().filter(|node| node.nv == 1) {
            away[node.q] += APART;
        }
        let clique_of = |n: &usize| self.cliques().position(|range| range.contains(&self.nodes[*n].v));
        let asked: HashSet<usize> = massless.iter().filter_map(clique_of).collect();
        let singular = [&self.initial_positions, &away].map(|q| self.singular_cliques(q, &asked));
        for (clique, range) in self.cliques().enumerate() {
            if !singular.iter().all(|cliques| cliques[clique]) {
                continue;
            }
            let of_clique = |n: &&usize| range.contains(&self.nodes[**n].v);
            let body = massless.iter().find(of_clique).and_then(|&n| self.body_of_node(n));
            if let Some(body) = body {
                findings.inertia_fault(AssemblyError::MasslessLink { link: self.bodies[body].name.clone() });
            }
        }
    }

    /// Flags the `asked` cliques with a singular mass matrix, each direction scaled by its own inertia.
    fn singular_cliques(&self, q: &[f64], asked: &HashSet<usize>) -> Vec<bool> {
        let mut k = Kinematics::default();
        self.position_kinematics(q, &mut k);
        let mut M = vec![0.0; self.mass_matrix_len()];
        self.mass_matrix(&mut k, Armature::Included, &mut M);
        let is_singular = |(clique, range): (usize, Range<usize>)| {
            if !asked.contains(&clique) || range.len() > MAX_VELOCITIES {
                return false;
            }
            let block = &M[self.mass_matrix_block(clique)];
            let n = range.len();
            let scale = |i: usize| block[i * (n + 1)].sqrt();
            let scaled = DMatrix::from_fn(n, n, |i, j| block[i + n * j] / (scale(i) * scale(j)));
            !is_well_above(&scaled, SINGULAR) && least(&scaled) < SINGULAR
        };
        self.cliques().enumerate().map(is_singular).collect()
    }

    /// The outermost body of a node.
    fn body_of_node(&self, n: usize) -> Option<usize> {
        let start = self.nodes[n].v;
        let moved = self.joints.iter().find(|joint| joint.velocities.start == start).map(|joint| joint.body);
        moved.or_else(|| (1..self.bodies.len()).find(|&b| self.bodies[b].node == Some(n)))
    }
}

/// True if the smallest eigenvalue of a symmetric matrix is known to be far larger than `least`. Much faster than
/// computing the eigenvalues.
/// that of its eigenvalues. What is not known to be is false.
pub fn is_well_above(matrix: &DMatrix<f64>, least: f64) -> bool {
    /// Iterations towards the smallest eigenvalue.
    const ITERATIONS: usize = 8;
    /// Factor by which the smallest eigenvalue may still be less than its estimate.
    const MARGIN: f64 = 1e4;
    let n = matrix.nrows();
    let Some(factor) = matrix.iter().all(|x| x.is_finite()).then(|| matrix.clone().cholesky()).flatten() else {
        return false;
    };
    // No eigenvector of a matrix that occurs in practice is orthogonal to this one.
    let mut x = DVector::from_fn(n, |i, _| 1.0 + 0.7 * (i as f64 * 2.399).sin());
    for _ in 0..ITERATIONS {
        x /= x.norm();
        factor.solve_mut(&mut x);
    }
    x.norm() * least * MARGIN < 1.0
}

/// Smallest eigenvalue of a symmetric matrix; `-inf` for one that overflowed.
fn least(matrix: &DMatrix<f64>) -> f64 {
    // The eigenvalue iteration does not end on numbers that are not finite.
    if matrix.iter().all(|x| x.is_finite()) { matrix.symmetric_eigenvalues().min() } else { f64::NEG_INFINITY }
}
