//! The problem: everything that is fixed during a solve.
//!
//! Quantities that do not depend on the step length are set once per state ([`Problem::clear`], `add_*`,
//! [`Problem::finish`]); [`Problem::set_step`] then sets the step length any number of times. Retries and half steps
//! reuse the rest.

use super::body::{Body, BodyExtent, BodyInertia};
use super::constraints::Constraints;
use super::contacts::{Contacts, Patch};
use super::elements::{
    ContactRow, Elements, JointSpring, JointStops, LawContext, PlantElements, Rebound, VelocityStart,
};
use super::feedback::FeedbackBlock;
use super::islands::{Island, Islands};
use super::mobility::Mobilities;
use super::settings::ProblemSettings;
use super::spins::Spin;
use super::step_terms::StepTerms;
use super::trees::{Clique, Trees};
use kinegraph_core::convex::PlantStructure;
use nalgebra::Vector3;
use std::ops::Range;

/// The convex problem of one step.
#[derive(Clone, Debug, Default)]
pub struct Problem {
    /// Trees of bodies at the state.
    pub trees: Trees,
    /// Contact points.
    pub contacts: Contacts,
    /// Bilateral constraints.
    pub constraints: Constraints,
    /// Elements on single velocities: joint stops, limited efforts, …; set before [`Problem::set_step`].
    pub elements: Elements,
    /// Linear feedback without limits. The velocities of each block are set before [`Problem::finish`], its gains
    /// before [`Problem::set_step`].
    pub feedback: Vec<FeedbackBlock>,
    /// Spinning bodies, in the order of their velocities.
    pub spins: Vec<Spin>,
    /// Terms that depend on the length of the step.
    pub step_terms: StepTerms,
    /// Groups of cliques that are solved together.
    pub islands: Islands,
    /// Mobilities of contact points and velocities.
    pub mobilities: Mobilities,
    /// Settings of what is added from now on.
    pub settings: ProblemSettings,
}

impl Problem {
    /// Empties the problem. Keeps all memory.
    pub fn clear(&mut self) {
        self.trees.clear();
        self.contacts.clear();
        self.constraints.clear();
        self.spins.clear();
        self.elements.clear();
        self.mobilities.clear();
        self.settings.correction_speed = f64::INFINITY;
    }

    /// Adds a clique: its mass matrix (column major), viscous damping, bias and velocity at the start of the step.
    pub fn add_clique(&mut self, mass_matrix: &[f64], damping: &[f64], bias: &[f64], v0: &[f64]) -> usize {
        let n = v0.len();
        debug_assert_eq!(mass_matrix.len(), n * n);
        let start = self.trees.v0.len();
        self.trees.clique_of.resize(start + n, self.trees.cliques.len());
        self.trees.cliques.push(Clique { velocities: start..start + n, block: self.trees.mass.len() });
        self.trees.mass.extend_from_slice(mass_matrix);
        self.trees.damping.extend_from_slice(damping);
        self.trees.bias.extend_from_slice(bias);
        self.trees.v0.extend_from_slice(v0);
        self.trees.locked.resize(start + n, false);
        self.trees.kick.resize(start + n, 0.0);
        self.trees.cliques.len() - 1
    }

    /// Adds a body. `jacobian` is `J_WB` at the body origin (6 x clique size, column major); not needed for a fixed or
    /// free body, nor for one that takes part in no contact and no constraint.
    pub fn add_body(&mut self, clique: Option<usize>, free: bool, jacobian: &[f64], mass: f64) -> usize {
        let start = self.trees.jacobians.len();
        let velocities = clique.map_or(0..0, |c| self.trees.cliques[c].velocities.clone());
        let locked = self.trees.locked[velocities.clone()].contains(&true);
        let first = self.trees.moving.len();
        if free && locked {
            // The rest of the identity.
            self.trees.jacobians.extend((0..36).map(|i| f64::from(u8::from(i % 7 == 0))));
        } else {
            self.trees.jacobians.extend_from_slice(jacobian);
        }
        if locked {
            for (column, velocity) in self.trees.jacobians[start..].chunks_exact_mut(6).zip(velocities) {
                if self.trees.locked[velocity] {
                    column.fill(0.0);
                }
            }
        }
        for (i, column) in self.trees.jacobians[start..].chunks_exact(6).enumerate() {
            if column.iter().any(|x| *x != 0.0) {
                self.trees.moving.push(i as u32);
            }
        }
        let moving = first..self.trees.moving.len();
        let inertia = BodyInertia::default();
        let extent = BodyExtent::default();
        self.trees.bodies.push(Body { clique, free: free && !locked, mass, inertia, extent, jacobian: start, moving });
        self.trees.bodies.len() - 1
    }

    /// Sets the rotational inertia of a body, for estimates that look at bodies alone.
    pub fn set_inertia(&mut self, body: usize, inertia: BodyInertia) {
        self.trees.bodies[body].inertia = inertia;
    }

    /// Sets the size of a body. Must precede the rows of constraints that hold it.
    pub fn set_extent(&mut self, body: usize, extent: BodyExtent) {
        self.trees.bodies[body].extent = extent;
    }

    /// Nonzero columns of the Jacobian of a body that is not free, each with the index of its velocity in the clique.
    #[inline]
    pub fn moving_columns(&self, body: &Body) -> impl Iterator<Item = (usize, &[f64; 6])> + Clone {
        let (columns, _) = self.trees.jacobians[body.jacobian..].as_chunks::<6>();
        self.trees.moving[body.moving.clone()].iter().map(move |&i| (i as usize, &columns[i as usize]))
    }

    /// Velocity \[m/s\] of the material point at `p_BP` from the origin of `body`, at the velocities `v`.
    pub fn point_velocity(&self, body: usize, p_BP: &Vector3<f64>, v: &[f64]) -> Vector3<f64> {
        let (w, vo) = self.body_velocity(body, v);
        vo + w.cross(p_BP)
    }

    /// Angular velocity and velocity of the origin of `body` at the start of the step.
    pub fn velocity_of(&self, body: usize) -> (Vector3<f64>, Vector3<f64>) {
        self.body_velocity(body, &self.trees.v0)
    }

    /// True if the velocity of `body` follows from the velocities: a body without a Jacobian takes part in nothing.
    #[inline]
    pub fn knows_velocity(&self, body: usize) -> bool {
        let Body { clique, free, jacobian, .. } = self.trees.bodies[body];
        let end = self.trees.bodies.get(body + 1).map_or(self.trees.jacobians.len(), |next| next.jacobian);
        clique.is_none() || free || end > jacobian
    }

    /// Angular velocity and velocity of the origin of `body`.
    #[inline(always)]
    pub fn body_velocity(&self, body: usize, v: &[f64]) -> (Vector3<f64>, Vector3<f64>) {
        let b = &self.trees.bodies[body];
        let Some(clique) = b.clique else { return (Vector3::zeros(), Vector3::zeros()) };
        let v = &v[self.trees.cliques[clique].velocities.clone()];
        if b.free {
            return (Vector3::new(v[0], v[1], v[2]), Vector3::new(v[3], v[4], v[5]));
        }
        self.linked_velocity(b, v)
    }

    /// Angular velocity and velocity of the origin of a body in a tree of several; `v` of its clique.
    fn linked_velocity(&self, body: &Body, v: &[f64]) -> (Vector3<f64>, Vector3<f64>) {
        let mut out = [0.0; 6];
        for (i, column) in self.moving_columns(body) {
            let vi = v[i];
            for (o, &x) in out.iter_mut().zip(column) {
                *o += x * vi;
            }
        }
        (Vector3::new(out[0], out[1], out[2]), Vector3::new(out[3], out[4], out[5]))
    }

    /// Relative velocity in the law of the contact point, B relative to A, at the velocities `v`.
    pub fn relative_velocity(&self, pair: &ContactRow, v: &[f64]) -> Vector3<f64> {
        pair.velocity_between(&self.body_velocity(pair.body_a, v), &self.body_velocity(pair.body_b, v))
            + pair.bias_velocity
    }

    /// Velocity along the surface with which the bodies slide at the contact point, at the velocities `v`.
    pub fn sliding(&self, pair: &ContactRow, v: &[f64]) -> Vector3<f64> {
        let motion = pair.motion_between(&self.body_velocity(pair.body_a, v), &self.body_velocity(pair.body_b, v));
        motion - pair.normal * pair.normal.dot(&motion)
    }

    /// Changes the velocity of surfaces at contact point `pair`. Lagged values (normal force, friction coefficient)
    /// stay those of the start.
    pub fn set_bias_velocity(&mut self, pair: usize, velocity: Vector3<f64>) {
        let row = &mut self.contacts.points[pair];
        row.bias_velocity = row.scaled(&velocity);
    }

    /// Adds a contact point. Points of the same two bodies must follow each other: they share a patch.
    ///
    /// Contract: all points of a patch agree about where the two origins are, `p_AC - p_BC = p_AB`. The Hessian of a
    /// patch is summed up about one origin and moved to the other by the `p_AB` of its first point. Checked in debug
    /// builds where both bodies move, but for [`witnesses`](Self::witnesses).
    pub fn add_contact(&mut self, given: &ContactRow) {
        debug_assert!(
            self.contacts.witnesses || self.agrees_with_patch(given),
            "the points of a patch differ in p_AC - p_BC: {given:?}"
        );
        let mut row = ContactRow { max_step: self.settings.scales.max_step, ..*given };
        let vc0 = self.relative_velocity(given, &self.trees.v0);
        let b = self.delassus(given.body_b, &given.p_BC, &given.normal);
        let a = self.delassus(given.body_a, &given.p_AC, &given.normal);
        row.measure(&vc0, b.0 + a.0);
        row.start.mobility = row.start.delassus.max(b.1 + a.1);
        let at = self.contacts.points.len();
        self.contacts.points.push(row);
        match self.contacts.patches.last_mut() {
            Some(last) if last.body_a == row.body_a && last.body_b == row.body_b => last.points.end = at + 1,
            _ => {
                self.contacts.patches.push(Patch { body_a: row.body_a, body_b: row.body_b, points: at..at + 1 });
            }
        }
    }

    /// True if the point has the `p_AB` of the patch it would join, up to rounding.
    fn agrees_with_patch(&self, input: &ContactRow) -> bool {
        let moves = |body: usize| self.trees.bodies[body].clique.is_some();
        let same = |patch: &&Patch| patch.body_a == input.body_a && patch.body_b == input.body_b;
        let Some(patch) =
            self.contacts.patches.last().filter(same).filter(|_| moves(input.body_a) && moves(input.body_b))
        else {
            return true;
        };
        let first = &self.contacts.points[patch.points.start];
        let apart = (input.p_AC - input.p_BC) - (first.p_AC - first.p_BC);
        let lengths = [&input.p_AC, &input.p_BC, &first.p_AC, &first.p_BC].map(|p| p.norm());
        // Not-a-number is found by the solver.
        apart.norm().is_nan() || apart.norm() <= 1e-9 * lengths.iter().fold(0.0, |a: f64, b| a.max(*b)) // rounding
    }

    /// Adds the stops of velocity `velocity`: distance to the lower and the upper stop at the start of the step. Those
    /// of a locked velocity never act.
    pub fn add_stops(&mut self, velocity: usize, lower_gap: f64, upper_gap: f64) {
        self.add_elastic_stops(velocity, [lower_gap, upper_gap], 0.0);
    }

    /// Adds the stops of velocity `velocity` with this restitution.
    pub fn add_elastic_stops(&mut self, velocity: usize, gaps: [f64; 2], restitution: f64) {
        self.elements.push(JointStops::new(velocity, gaps, restitution, &self.start_of(velocity, 1.0)));
    }

    /// Adds the elements of a plant at the positions `q`, whose first velocity is `first`. Bodies and locks must have
    /// been added.
    pub fn add_elements(&mut self, structure: &PlantStructure, q: &[f64], first: usize, stiction_tolerance: f64) {
        let mut elements = std::mem::take(&mut self.elements);
        let scales = self.settings.scales;
        let start = |v: usize| self.start_of(first + v, scales.unit(structure.coordinates[v]));
        elements.add_of(&PlantElements { structure, q, first, stiction_tolerance, scales, start: &start });
        self.elements = elements;
    }

    /// State of a velocity at the start of the step, of which `unit` counts as 1 m/s does.
    fn start_of(&self, velocity: usize, unit: f64) -> VelocityStart {
        let clique = &self.trees.cliques[self.clique_of(velocity)];
        let mass = self.trees.mass[clique.block + (velocity - clique.velocities.start) * (clique.size() + 1)];
        VelocityStart {
            velocity: self.trees.v0[velocity],
            acceleration: if mass > 0.0 { -self.trees.bias[velocity] / mass } else { 0.0 },
            locked: self.trees.locked[velocity],
            correction_speed: self.settings.correction_speed,
            slowest_rebound: self.settings.slowest_rebound * unit,
            max_step: self.settings.scales.max_step,
        }
    }

    /// Adds a spring of the given stiffness \[N/m, N m/rad\] on velocity `velocity`, whose force at the start of the
    /// step is part of the bias: see [`JointSpring`].
    pub fn add_spring(&mut self, velocity: usize, stiffness: f64) {
        if !self.trees.locked[velocity] {
            self.trees.springs.push(JointSpring { velocity, stiffness });
        }
    }

    /// Makes all rigid joint stops too far to act.
    pub fn open_stops(&mut self) {
        for stops in self.elements.of_mut::<JointStops>() {
            (stops.lower_gap, stops.upper_gap) = (f64::INFINITY, f64::INFINITY);
        }
    }

    /// Measures the inertia of impacts on stops: the law yields to their impulse in proportion to it.
    fn measure_rebounds(&mut self) {
        let mut elements = std::mem::take(&mut self.elements);
        for stops in elements.of_mut::<JointStops>() {
            let Rebound { restitution, start_velocity, slowest, .. } = stops.rebound;
            if restitution > 0.0 && start_velocity.abs() > slowest && !self.trees.locked[stops.velocity] {
                stops.rebound.mobility = self.mobility_of_velocity(stops.velocity);
            }
        }
        self.elements = elements;
    }

    /// Completes the part that does not depend on the step length: scales, islands.
    pub fn finish(&mut self) {
        self.measure_rebounds();
        let n = self.trees.v0.len();
        self.trees.scale.clear();
        self.trees.scale.resize(n, 0.0);
        for clique in &self.trees.cliques {
            let diagonal = self.trees.mass[clique.block..].iter().step_by(clique.size() + 1);
            let scale = &mut self.trees.scale[clique.velocities.clone()];
            scale.iter_mut().zip(diagonal).for_each(|(scale, mass)| *scale = 1.0 / mass.sqrt());
        }
        self.step_terms.force.clear();
        self.step_terms.force.resize(n, 0.0);
        self.step_terms.momentum.clear();
        self.step_terms.momentum.resize(n, 0.0);
        self.find_islands();
    }

    /// Sets the step length \[s\], after `force`, `feedback` gains and limited efforts have been set for it.
    pub fn set_step(&mut self, dt: f64) {
        self.step_terms.dt = dt;
        self.step_terms.dynamics.clear();
        self.step_terms.dynamics.extend_from_slice(&self.trees.mass);
        for clique in self.trees.cliques.iter().filter(|_| !self.settings.explicit_damping) {
            let diagonal = self.step_terms.dynamics[clique.block..].iter_mut().step_by(clique.size() + 1);
            diagonal.zip(&self.trees.damping[clique.velocities.clone()]).for_each(|(a, damping)| *a += dt * damping);
        }
        self.step_terms.spring_inertia.clear();
        self.step_terms.spring_inertia.resize(self.trees.v0.len(), 0.0);
        for spring in &self.trees.springs {
            self.step_terms.spring_inertia[spring.velocity] += spring.inertia(dt);
        }
        for clique in self.trees.cliques.iter().filter(|_| !self.trees.springs.is_empty()) {
            let n = clique.size();
            for (i, added) in self.step_terms.spring_inertia[clique.velocities.clone()].iter_mut().enumerate() {
                let at = clique.block + i * n + i;
                if !self.settings.implicit_springs {
                    *added = JointSpring::excess(*added, self.trees.mass[at]);
                }
                self.step_terms.dynamics[at] += *added;
            }
        }
        if self.trees.locked.contains(&true) {
            for block in &mut self.feedback {
                block.clear_locked(&self.trees.locked);
            }
        }
        // r = A v0 + dt (force - k), with the feedback part of A: dt P v0.
        let mut r = std::mem::take(&mut self.step_terms.momentum);
        r.iter_mut().for_each(|x| *x = 0.0);
        for c in 0..self.trees.cliques.len() {
            self.add_clique_product(c, &self.trees.v0, &mut r);
        }
        for block in &self.feedback {
            block.add_product(dt, &self.trees.v0, &mut r);
        }
        self.add_spins(&mut r);
        let forces = self.step_terms.force.iter().zip(&self.trees.bias);
        let springs = self.step_terms.spring_inertia.iter().zip(&self.trees.v0);
        let kicks = self.trees.kick.iter().zip(&self.trees.locked);
        for (r, ((force, bias), ((spring, v0), (kick, locked)))) in r.iter_mut().zip(forces.zip(springs.zip(kicks))) {
            *r += dt * (force - bias) - spring * v0;
            *r += kick;
            if *locked {
                *r = 0.0;
            }
        }
        self.step_terms.momentum = r;
    }

    /// `y += (M + dt D) x` on one clique.
    #[inline(always)]
    pub(crate) fn add_clique_product(&self, clique: usize, x: &[f64], y: &mut [f64]) {
        let c = &self.trees.cliques[clique];
        let n = c.size();
        let (x, y) = (&x[c.velocities.clone()], &mut y[c.velocities.clone()]);
        let free = (<&[f64; 6]>::try_from(x), <&mut [f64; 6]>::try_from(&mut *y));
        if let (Ok(x), Ok(y), Some(block)) = (free.0, free.1, self.step_terms.dynamics[c.block..].first_chunk::<36>()) {
            for j in 0..6 {
                for i in 0..6 {
                    y[i] += block[6 * j + i] * x[j];
                }
            }
            return;
        }
        for (column, &xj) in self.step_terms.dynamics[c.block..c.block + n * n].chunks_exact(n).zip(x) {
            for (yi, &a) in y.iter_mut().zip(column) {
                *yi += a * xj;
            }
        }
    }

    /// `y += A x` on one island.
    #[inline(always)]
    pub fn add_product(&self, island: &Island, x: &[f64], y: &mut [f64]) {
        for &c in &island.cliques {
            self.add_clique_product(c, x, y);
        }
        for &f in &island.feedback {
            self.feedback[f].add_product(self.step_terms.dt, x, y);
        }
    }

    /// `|x|` of velocities in A, without bilateral rows \[sqrt(J)\]: the size of an error.
    pub fn energy_norm(&self, x: &[f64]) -> f64 {
        let mut product = vec![0.0; x.len()];
        self.islands().iter().for_each(|island| self.add_product(island, x, &mut product));
        x.iter().zip(&product).map(|(x, y)| x * y).sum::<f64>().max(0.0).sqrt()
    }

    /// Number of velocities.
    pub fn size(&self) -> usize {
        self.trees.v0.len()
    }

    /// True if any body belongs to a tree of several velocities and is not free.
    pub fn has_linkages(&self) -> bool {
        self.trees
            .bodies
            .iter()
            .any(|body| body.clique.is_some_and(|clique| !body.free && self.trees.cliques[clique].size() > 1))
    }

    /// Number of contact points.
    pub fn num_contacts(&self) -> usize {
        self.contacts.points.len()
    }

    /// Velocities at the start of the step.
    pub fn start_velocity(&self) -> &[f64] {
        &self.trees.v0
    }

    /// Step length last set \[s\].
    pub fn step(&self) -> f64 {
        self.step_terms.dt
    }

    /// True if a velocity is zero in every solution.
    pub fn is_locked(&self, velocity: usize) -> bool {
        self.trees.locked[velocity]
    }

    /// Entry of the mass matrix between two velocities.
    pub fn mass_entry(&self, i: usize, j: usize) -> f64 {
        let clique = &self.trees.cliques[self.clique_of(i)];
        if !clique.velocities.contains(&j) {
            return 0.0;
        }
        let (row, column) = (i - clique.velocities.start, j - clique.velocities.start);
        self.trees.mass[clique.block + column * clique.size() + row]
    }

    /// Appends the entries of the mass matrix between velocity `j` and each of `rows`.
    pub fn push_mass_column(&self, j: usize, rows: &[usize], out: &mut Vec<f64>) {
        let clique = &self.trees.cliques[self.clique_of(j)];
        let (first, n) = (clique.velocities.start, clique.size());
        let column = &self.trees.mass[clique.block + (j - first) * n..][..n];
        out.extend(rows.iter().map(|i| column.get(i.wrapping_sub(first)).copied().unwrap_or(0.0)));
    }

    /// Diagonal entry of A at the velocity `i`, without feedback.
    pub(crate) fn inertia_of(&self, i: usize) -> f64 {
        let clique = &self.trees.cliques[self.clique_of(i)];
        self.step_terms.dynamics[clique.block + (i - clique.velocities.start) * (clique.size() + 1)]
    }

    /// Data that a law on one velocity may depend on, at the step length last set.
    pub fn law_context(&self, velocity: usize) -> LawContext {
        let inverse_mass = self.trees.scale[velocity].powi(2);
        LawContext { dt: self.step_terms.dt, inverse_mass, inertia: self.inertia_of(velocity) }
    }

    /// Velocities of a clique.
    pub fn velocities_of(&self, clique: usize) -> Range<usize> {
        self.trees.cliques[clique].velocities.clone()
    }

    /// Number of cliques.
    pub fn num_cliques(&self) -> usize {
        self.trees.cliques.len()
    }

    /// Clique that holds a velocity.
    pub fn clique_of(&self, velocity: usize) -> usize {
        self.trees.clique_of.get(velocity).copied().unwrap_or(self.trees.cliques.len())
    }
}
