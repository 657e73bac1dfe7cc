//! One iteration of the primal-dual method: its laws at a velocity, the bound of the error, its direction.

use super::{copy, for_velocities};
use crate::contact::ContactForces;
use crate::contact::{Island, Wrench};
use crate::contact::{Patch, Problem};
use crate::profile::{Lap, Phase};
use crate::solvers::SolveReport;
use crate::solvers::common::assemble;
use crate::solvers::common::pools::Potential;
use crate::solvers::icf::inertia::{Inertia, LANES};
use crate::solvers::icf::pair_iterate::{Expansion, Friction, PairIterate};
use crate::solvers::icf::pools::{ContactLaw, ContactPool};
use crate::solvers::icf::primal_dual_memory::PrimalDual;
use crate::solvers::icf::solver::Solver;
use nalgebra::{Matrix3, Vector3};

use crate::choices::system::{ANGLE, DESCENT};

/// Distance of a velocity from the minimum.
pub(super) struct Bound {
    /// Bound of the error, in A.
    pub error: f64,
    /// The gradient's norm, in `A^-1`.
    pub gradient: f64,
}

impl Solver {
    /// Factors the inertia and sets up the contact points of the island. `false` if the inertia is not positive
    /// definite.
    pub(super) fn set_up(&mut self, problem: &Problem, island: &Island, forces: &ContactForces) -> bool {
        let PrimalDual { inertia, pairs, rest, sum, .. } = &mut self.primal_dual;
        if !inertia.factor(problem, island) {
            return false;
        }
        self.work.enter(problem, island);
        self.factor.enter(problem, island, &self.pools, &self.work);
        rest.resize(problem.size(), 0.0);
        sum.resize(problem.size(), 0.0);
        pairs.resize(problem.contacts.points.len(), PairIterate::default());
        for &p in &island.patches {
            let patch = &problem.contacts.patches[p];
            for i in patch.points.clone() {
                let pair = &problem.contacts.points[i];
                let known = forces.get([patch.body_a, patch.body_b], pair.key).unwrap_or_else(Vector3::zeros);
                pairs[i].start(&self.pools.contact.laws[i], &(known * problem.step_terms.dt));
            }
        }
        true
    }

    /// Leaves the contact forces of the last solve in `forces`.
    pub(in crate::solvers::icf) fn keep_forces(&self, problem: &Problem, forces: &mut ContactForces) {
        forces.clear();
        for island in problem.islands().iter().filter(|island| !problem.is_unsymmetric(island)) {
            for &p in &island.patches {
                let patch = &problem.contacts.patches[p];
                for i in patch.points.clone() {
                    let pair = &problem.contacts.points[i];
                    let impulse = self.primal_dual.pairs[i].impulse(&self.pools.contact.laws[i]);
                    forces.push([patch.body_a, patch.body_b], pair.key, &(impulse / problem.step_terms.dt));
                }
            }
        }
        forces.sort();
    }

    /// Evaluates the laws at `v`: leaves the gradient in the workspace and bounds the error. `phase`: friction of
    /// points without neighbours is linearized where it settles.
    #[inline(always)]
    pub(super) fn assess(&mut self, problem: &Problem, island: &Island, v: &[f64], phase: bool) -> Bound {
        self.pools.contact.values.set_velocities(problem, island, v);
        let PrimalDual { inertia, pairs, rest, sum, .. } = &mut self.primal_dual;
        let (work, contact) = (&mut self.work, &self.pools.contact);
        let jacobians = &contact.values.jacobians;
        assemble::gradient_of_rest(problem, island, v, &self.pools, rest);
        copy(island, rest, &mut work.gradient);
        copy(island, rest, sum);
        let mut gap = 0.0;
        for &p in &island.patches {
            let patch = &problem.contacts.patches[p];
            let alone = patch.points.len() == 1;
            let friction = if phase && alone { Friction::Settled } else { Friction::Mixed };
            let by_points = !jacobians.of(patch.points.start).is_empty();
            if !alone && !by_points {
                measure_patch(inertia, pairs, problem, patch, contact);
            }
            let (mut primal, mut feasible) = (Wrench::default(), Wrench::default());
            for i in patch.points.clone() {
                let (pair, own) = (&problem.contacts.points[i], &mut pairs[i]);
                let (law, vc) = (&contact.laws[i], &contact.values.vc[i]);
                if own.is_idle(law, vc) {
                    continue;
                }
                if own.acts(law, vc) {
                    if by_points {
                        let compliance = inertia.point_compliance(problem, jacobians, i);
                        measure_on_tree(own, &compliance, law, alone);
                    } else {
                        measure(inertia, own, problem, patch, law);
                    }
                }
                let found = own.evaluate(law, vc, friction);
                gap += found.gap;
                if by_points {
                    jacobians.subtract(jacobians.of(i), &found.primal, &mut work.gradient);
                    jacobians.subtract(jacobians.of(i), &found.feasible, sum);
                } else {
                    primal.add(pair, &found.primal);
                    feasible.add(pair, &found.feasible);
                }
            }
            if by_points {
                continue;
            }
            primal.subtract_from(problem, patch, &mut work.gradient);
            feasible.subtract_from(problem, patch, sum);
        }
        let gradient = inertia.dual_norm_squared(problem, island, &work.gradient).sqrt();
        let error = inertia.error_bound(problem, island, sum, gap);
        Bound { error: gradient.min(error), gradient }
    }

    /// Calls [`assess`](Self::assess) without the phase, in rare cases.
    #[cold]
    #[inline(never)]
    pub(super) fn assess_again(&mut self, problem: &Problem, island: &Island, v: &[f64]) -> Bound {
        self.assess(problem, island, v, false)
    }

    /// Calls [`direction`](Self::direction), in rare cases.
    #[cold]
    #[inline(never)]
    pub(super) fn other_direction(
        &mut self,
        problem: &Problem,
        island: &Island,
        v: &[f64],
        expansion: Expansion,
        report: &mut SolveReport,
        lap: &mut Lap,
    ) -> bool {
        self.direction(problem, island, v, expansion, report, lap)
    }

    /// Computes the direction of the iteration at `v`, where [`assess`](Self::assess) was called last. `false` if its
    /// matrix is not positive definite.
    #[inline(always)]
    pub(super) fn direction(
        &mut self,
        problem: &Problem,
        island: &Island,
        v: &[f64],
        expansion: Expansion,
        report: &mut SolveReport,
        lap: &mut Lap,
    ) -> bool {
        let (work, PrimalDual { pairs, rest, sum, .. }) = (&mut self.work, &mut self.primal_dual);
        let contact = &mut self.pools.contact;
        ContactPool::for_each(problem, island, |i| {
            (contact.values.impulse[i], contact.values.curvature[i]) = pairs[i].linearize(&contact.laws[i], expansion);
        });
        self.factor.assemble(problem, island, v, &self.pools, work);
        self.watch.lap(Phase::Assembly, lap);
        report.factorizations += 1;
        if !self.factor.factor() {
            return false;
        }
        copy(island, rest, sum);
        self.pools.contact.add_gradient(problem, island, v, sum);
        // The linearized residual takes the place of the gradient.
        std::mem::swap(&mut self.work.gradient, &mut self.primal_dual.sum);
        self.factor.newton_direction(problem, island, &mut self.work);
        std::mem::swap(&mut self.work.gradient, &mut self.primal_dual.sum);
        self.watch.lap(Phase::Factorization, lap);
        true
    }

    /// True if the direction descends well on the cost, whose gradient has norm `gradient`.
    pub(super) fn descends(&mut self, problem: &Problem, island: &Island, gradient: f64) -> bool {
        let (work, product) = (&self.work, &mut self.primal_dual.sum);
        for_velocities(island, |i| product[i] = 0.0);
        problem.add_product(island, &work.direction, product);
        let (mut slope, mut square) = (0.0, 0.0);
        for_velocities(island, |i| {
            slope += work.gradient[i] * work.direction[i];
            square += product[i] * work.direction[i];
        });
        -slope >= DESCENT * square && -slope >= ANGLE * gradient * square.sqrt()
    }
}

/// Finds the compliances of the one contact point of a patch, once in a solve: along the normal and across it.
#[inline(never)]
fn measure(inertia: &mut Inertia, own: &mut PairIterate, problem: &Problem, patch: &Patch, law: &ContactLaw) {
    let (n, pair) = (law.normal, &problem.contacts.points[patch.points.start]);
    if law.friction_impulse <= 0.0 {
        let [along, ..] = inertia.compliances(problem, patch, &[(pair, n)]);
        return own.set_compliance(along, 0.0);
    }
    let other = if n.x.abs() < 0.5 { Vector3::x() } else { Vector3::y() };
    let first = n.cross(&other).normalize();
    let directions = [n, first, n.cross(&first)].map(|direction| (pair, direction));
    let [along, one, other, _] = inertia.compliances(problem, patch, &directions);
    own.set_compliance(along, 0.5 * (one + other));
}

/// Finds the compliances along the normals of the points of a patch that act for the first time in a solve.
fn measure_patch(
    inertia: &mut Inertia,
    pairs: &mut [PairIterate],
    problem: &Problem,
    patch: &Patch,
    contact: &ContactPool,
) {
    let mut next = patch.points.clone();
    loop {
        let (mut which, mut count) = ([0; LANES], 0);
        while count < LANES
            && let Some(i) = next.find(|&i| pairs[i].acts(&contact.laws[i], &contact.values.vc[i]))
        {
            which[count] = i;
            count += 1;
        }
        if count == 0 {
            return;
        }
        let points = which.map(|i| (&problem.contacts.points[i], contact.laws[i].normal));
        let along = inertia.compliances(problem, patch, &points[..count]);
        which[..count].iter().zip(along).for_each(|(&i, along)| pairs[i].set_compliance(along, 0.0));
    }
}

/// Takes the compliances of a contact point with rows of its own, as [`measure`] does.
#[inline(never)]
fn measure_on_tree(own: &mut PairIterate, compliance: &Matrix3<f64>, law: &ContactLaw, alone: bool) {
    let along = law.normal.dot(&(compliance * law.normal));
    let across = if alone && law.friction_impulse > 0.0 { 0.5 * (compliance.trace() - along) } else { 0.0 };
    own.set_compliance(along, across);
}
