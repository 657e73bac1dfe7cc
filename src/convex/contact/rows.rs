//! Bilateral constraints of a problem: groups of rows `J v`, and velocities that are locked.
//!
//! Every equality constraint is one or two groups of rows: a weld has three rows of relative angular velocity and three
//! of the relative velocity of a point, a ball the latter, a distance one row along the line, a coupler one row over
//! two coordinates. A group may reach over any number of cliques, which it joins into one island. Rows of a group share
//! one regularization, from the mean of the diagonal of `J M^-1 J'`, which does not depend on the axes of the rows.
//!
//! **Locked velocities** are eliminated in place: their rows and columns of the mass matrix and their columns of every
//! Jacobian become zero, so that the solution is exactly zero there. Their momentum stays in the rest of their clique.

use super::constraints::Constraints;
use super::elements::{RowCompliance, RowGroup, RowName, RowOrigin};
use super::problem::Problem;
use super::support::Support;
use crate::choices::constraint_rows::{HARD, SOFTNESS};
use nalgebra::{Matrix3, Vector3};
use std::ops::Range;

/// Measure of the rows of a group. Vectors in world axes.
#[derive(Clone, Copy, Debug)]
pub enum Rows<'a> {
    /// Angular velocity of B relative to A: three rows.
    Orientation {
        /// The first body.
        body_a: usize,
        /// The second body.
        body_b: usize,
    },
    /// Velocity of a point of B relative to one of A: three rows.
    Point {
        /// The first body.
        body_a: usize,
        /// From the origin of A to its point \[m\].
        p_AP: Vector3<f64>,
        /// The second body.
        body_b: usize,
        /// From the origin of B to its point \[m\].
        p_BQ: Vector3<f64>,
    },
    /// A linear map of the angular velocity of B relative to A: three rows.
    Turn {
        /// The first body.
        body_a: usize,
        /// The second body.
        body_b: usize,
        /// The map.
        axes: Matrix3<f64>,
    },
    /// A linear map of the velocity of a point of B relative to one of A, and one of the relative angular velocity:
    /// three rows.
    Shift {
        /// The first body.
        body_a: usize,
        /// From the origin of A to its point \[m\].
        p_AP: Vector3<f64>,
        /// The second body.
        body_b: usize,
        /// From the origin of B to its point \[m\].
        p_BQ: Vector3<f64>,
        /// The map.
        axes: Matrix3<f64>,
        /// The map of the angular velocity of B relative to A.
        turn: Matrix3<f64>,
    },
    /// Component of the velocity of a point of B relative to one of A along a unit vector: one row.
    Distance {
        /// The first body.
        body_a: usize,
        /// From the origin of A to its point \[m\].
        p_AP: Vector3<f64>,
        /// The second body.
        body_b: usize,
        /// From the origin of B to its point \[m\].
        p_BQ: Vector3<f64>,
        /// Unit vector from the point of A to that of B.
        direction: Vector3<f64>,
    },
    /// A sum of velocities with coefficients: one row.
    Coordinates {
        /// Velocity from which they are counted.
        first: usize,
        /// Velocities and coefficients.
        entries: &'a [(usize, f64)],
    },
}

impl Problem {
    /// Adds a group of rows with its violation at the start of the step (angles, lengths or coordinates); returns its
    /// index. Locks and bodies must have been added.
    pub fn add_rows(&mut self, rows: Rows<'_>, violation: Vector3<f64>, compliance: Option<RowCompliance>) -> usize {
        self.add_rows_by_axis(rows, violation, compliance.map(|law| [law; 3]))
    }

    /// Adds a group of rows with a compliance for each row.
    pub fn add_rows_by_axis(
        &mut self,
        rows: Rows<'_>,
        violation: Vector3<f64>,
        compliance: Option<[RowCompliance; 3]>,
    ) -> usize {
        let start = self.constraints.support.len();
        let count = match rows {
            Rows::Orientation { body_a, body_b } => {
                self.add_relative_motion([body_a, body_b], None, |sign, _, w, _| w * sign);
                3
            }
            Rows::Point { body_a, p_AP, body_b, p_BQ } => {
                self.add_relative_motion([body_a, body_b], Some([p_AP, p_BQ]), |sign, b, w, v| {
                    (v + w.cross(if b { &p_BQ } else { &p_AP })) * sign
                });
                3
            }
            Rows::Turn { body_a, body_b, axes } => {
                self.add_relative_motion([body_a, body_b], None, |sign, _, w, _| axes * w * sign);
                3
            }
            Rows::Shift { body_a, p_AP, body_b, p_BQ, axes, turn } => {
                self.add_relative_motion([body_a, body_b], None, |sign, b, w, v| {
                    (axes * (v + w.cross(if b { &p_BQ } else { &p_AP })) + turn * w) * sign
                });
                3
            }
            Rows::Distance { body_a, p_AP, body_b, p_BQ, direction } => {
                self.add_relative_motion([body_a, body_b], Some([p_AP, p_BQ]), |sign, b, w, v| {
                    let point = v + w.cross(if b { &p_BQ } else { &p_AP });
                    Vector3::new(sign * direction.dot(&point), 0.0, 0.0)
                });
                1
            }
            Rows::Coordinates { first, entries } => {
                for &(velocity, coefficient) in entries {
                    let column = Vector3::new(coefficient, 0.0, 0.0);
                    self.add_support(first + velocity, column, coefficient.abs());
                }
                1
            }
        };
        self.constraints.support[start..].sort_unstable_by_key(|s| s.velocity);
        let support = start..self.constraints.support.len();
        let delassus = self.row_delassus(support.clone(), count);
        let correction_speed = self.settings.correction_speed;
        self.constraints.rows.push(RowGroup {
            support,
            violation,
            correction: -violation,
            farthest: violation.norm(),
            expected: Vector3::zeros(),
            compliance,
            material: false,
            correction_speed,
            delassus,
            count,
            softness: SOFTNESS,
            friction: None,
            range: None,
            bend: 0.0,
            origin: None,
        });
        self.constraints.rows.len() - 1
    }

    /// Names the rows of a group.
    pub fn set_name(&mut self, group: usize, name: RowName) {
        self.constraints.rows[group].origin = Some(RowOrigin::Constraint(name));
    }

    /// Group whose rows are those of `other` in another problem; `guess` is tried first.
    pub fn same_rows(&self, other: &RowGroup, guess: usize) -> Option<usize> {
        let name = other.name()?;
        let is_same = |group: &RowGroup| group.name() == Some(name);
        if self.constraints.rows.get(guess).is_some_and(is_same) {
            Some(guess)
        } else {
            self.constraints.rows.iter().position(is_same)
        }
    }

    /// Key of the rows of a group, among those of its kind, that is the same in problems of other times: from the name
    /// of named rows, from both bodies of those of contacts.
    pub fn key_of_rows(&self, group: usize) -> u64 {
        let rows = &self.constraints.rows[group];
        let joined = |[a, b]: [usize; 2]| (a as u64) << 32 | b as u64;
        match rows.origin {
            // Rows of no constraint have the number 0, and then more parts than fit.
            Some(RowOrigin::Constraint(name)) => joined([name.plant, name.constraint.wrapping_add(1) << 8 ^ name.part]),
            Some(RowOrigin::Contacts(resisting)) => {
                let patch = &self.contacts.patches[resisting.patch];
                joined([patch.body_a, patch.body_b])
            }
            None => group as u64,
        }
    }

    /// Marks the compliance of a group as that of a material, which is never capped.
    pub fn set_material(&mut self, group: usize) {
        self.constraints.rows[group].material = true;
    }

    /// Makes rigid constraints hard against the contacts of their islands. [`finish`](Self::finish) must have been
    /// called.
    pub fn harden_rows(&mut self) {
        let Problem { islands, constraints: Constraints { rows, .. }, .. } = self;
        for island in islands.all().iter().filter(|island| !island.patches.is_empty()) {
            island.rows.iter().for_each(|&group| rows[group].softness = HARD);
        }
    }

    /// Adds columns of `J_B - J_A`; `column(sign, is_b, w, v)` makes them of the columns of the body Jacobians. `arms`
    /// are the positions of points on both bodies.
    fn add_relative_motion(
        &mut self,
        [body_a, body_b]: [usize; 2],
        arms: Option<[Vector3<f64>; 2]>,
        column: impl Fn(f64, bool, Vector3<f64>, Vector3<f64>) -> Vector3<f64>,
    ) {
        let (a, b) = (self.trees.bodies[body_a].clique, self.trees.bodies[body_b].clique);
        for (body, clique, sign, is_b) in [(body_a, a, -1.0, false), (body_b, b, 1.0, true)] {
            let Some(clique) = clique else { continue };
            if is_b && a == b {
                continue; // done together with A
            }
            for (local, velocity) in self.trees.cliques[clique].velocities.clone().enumerate() {
                let (w, v) = self.body_column(body, local);
                let mut sum = column(sign, is_b, w, v);
                let free = |body: usize, is_b: bool, w: &_, v: &_| {
                    self.trees.bodies[body].free_speed(arms.map(|arms| arms[usize::from(is_b)]), w, v)
                };
                let mut size = free(body, is_b, &w, &v);
                if a == b {
                    let (w, v) = self.body_column(body_b, local);
                    sum += column(1.0, true, w, v);
                    size += free(body_b, true, &w, &v);
                }
                self.add_support(velocity, sum, size);
            }
        }
    }

    /// Column `local` of a body's Jacobian.
    pub fn body_column(&self, body: usize, local: usize) -> (Vector3<f64>, Vector3<f64>) {
        let b = &self.trees.bodies[body];
        if b.free {
            let (mut w, mut v) = (Vector3::zeros(), Vector3::zeros());
            if local < 3 {
                w[local] = 1.0;
            } else {
                v[local - 3] = 1.0;
            }
            return (w, v);
        }
        let j = &self.trees.jacobians[b.jacobian + 6 * local..b.jacobian + 6 * local + 6];
        (Vector3::new(j[0], j[1], j[2]), Vector3::new(j[3], j[4], j[5]))
    }

    fn add_support(&mut self, velocity: usize, column: Vector3<f64>, free: f64) {
        if column != Vector3::zeros() && !self.trees.locked[velocity] {
            let clique = self.clique_of(velocity);
            self.constraints.support.push(Support { velocity, clique, column, free });
        }
    }

    /// Mean of the diagonal of `J M^-1 J'` over the first `count` rows.
    pub(super) fn row_delassus(&mut self, support: Range<usize>, count: usize) -> f64 {
        let (mut sum, mut at) = (0.0, support.start);
        while at < support.end {
            let clique = self.constraints.support[at].clique;
            let end = at + self.constraints.support[at..support.end].partition_point(|s| s.clique == clique);
            let first = self.trees.cliques[clique].velocities.start;
            let values = &mut self.mobilities.rows;
            values.clear();
            values.resize(self.trees.cliques[clique].size(), Vector3::zeros());
            self.constraints.support[at..end].iter().for_each(|s| values[s.velocity - first] = s.column);
            let mobility = self.mobility_of_rows(clique);
            // Without a factor (a mass matrix that is not positive definite fails the step anyway) its diagonal is
            // used.
            let of_rows = mobility.unwrap_or_else(|| {
                let own = |s: &Support| s.column.component_mul(&s.column) / self.mass_entry(s.velocity, s.velocity);
                self.constraints.support[at..end].iter().map(own).sum()
            });
            sum = of_rows.iter().fold(sum, |sum, of_row| sum + of_row);
            at = end;
        }
        sum / count as f64
    }

    /// Locks a velocity: it is zero in every solution, and its momentum stays in its clique. Must follow the cliques,
    /// and precede everything else.
    pub fn lock(&mut self, velocity: usize) {
        let clique = &self.trees.cliques[self.clique_of(velocity)];
        let (n, start, block) = (clique.size(), clique.velocities.start, clique.block);
        let (i, v) = (velocity - start, self.trees.v0[velocity]);
        for j in (0..n).filter(|&j| j != i) {
            self.trees.kick[start + j] += self.trees.mass[block + i * n + j] * v;
            self.trees.mass[block + i * n + j] = 0.0;
            self.trees.mass[block + j * n + i] = 0.0;
        }
        for values in [&mut self.trees.v0, &mut self.trees.bias, &mut self.trees.damping, &mut self.trees.kick] {
            values[velocity] = 0.0;
        }
        self.trees.locked[velocity] = true;
    }

    /// Number of groups of rows.
    pub fn num_row_groups(&self) -> usize {
        self.constraints.rows.len()
    }

    /// Velocity `J v` of a group: the rates of the measures of its rows.
    #[inline]
    pub fn row_velocity(&self, group: usize, v: &[f64]) -> Vector3<f64> {
        let mut sum = Vector3::zeros();
        for s in &self.constraints.support[self.constraints.rows[group].support.clone()] {
            sum += s.column * v[s.velocity];
        }
        sum
    }

    /// Adds the generalized impulse `J' gamma` of a group's impulses `gamma` to the velocities
    /// `first..first + out.len()`.
    pub fn add_row_impulse(&self, group: usize, gamma: &Vector3<f64>, first: usize, out: &mut [f64]) {
        for s in &self.constraints.support[self.constraints.rows[group].support.clone()] {
            if let Some(out) = s.velocity.checked_sub(first).and_then(|local| out.get_mut(local)) {
                *out += s.column.dot(gamma);
            }
        }
    }
}
