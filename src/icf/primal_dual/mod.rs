//! A primal-dual Newton method: contact impulses are unknowns beside the velocity.
//!
//! Newton's method on the cost needs many iterations where contacts change between sticking and sliding, because the Hessian of regularized
//! friction varies by orders of magnitude within a step, and because the normal impulse is quadratic in the velocity. Both are
//! linearized differently here; one iteration solves a system of the same pattern, and the minimum is the same:
//!
//! * Friction \[Chan, Golub & Mulet 1999, A nonlinear primal-dual method for total variation-based image restoration\]: with a direction t
//!   of its own for every contact, |t| < 1, the equations are `impulse = -mu n0 t` and `t |vt|_s = vt`. Newton's method on both, with t
//!   eliminated, has the gradient of the cost and the Hessian
//!
//!   ```text
//!   mu n0/s (I - (t th' + th t')/2),   s = |vt|_s + eps,   th = vt/s
//!   ```
//!
//!   which is positive semidefinite: `x'Hx = mu n0/s (|x|² - (t.x)(th.x))`. At t = 0 it bounds the cost from above; at t = th it is the
//!   true one.
//! * Normal impulses are linearized where the contact would settle if the impulses of all others stayed: at
//!   `w = argmin phi(w) + (w - u + s p)²/(2 s)` with the local compliance s and the last impulse p (see `pools/contact_dual.rs`).
//!
//! **When to stop.** For any impulses p~ with Fenchel gaps of the sum gam, and `r = A v - r - J'p~` what is left of the balance, the error
//! e = v - v* obeys `|e|²_A + (u - u*)'(p~ - p*) = r'e`, and the gaps give `(u - u*)'(p~ - p*) >= -gam`. Hence
//!
//! ```text
//! |v - v*|_A  <=  |r| + sqrt(gam)      (|r| in A^-1)
//! ```
//!
//! **Convergence.** The direction is used if it descends well on the cost (`-g'd >= |d|²_A/10`), else the one with normal impulses linearized at
//! the velocity, which always descends. A line search makes the slope half of what it was, unless the full step does. The cost is strongly convex
//! and its gradient Lipschitz, so that such steps lead to the minimum (Zoutendijk).

mod compliance;
mod pair;

use super::assemble;
use super::contact_forces::ContactForces;
use super::islands::Island;
use super::line_search;
use super::newton::{SolveFailure, SolveFault, SolveReport, Solver};
use super::problem::Problem;
use compliance::Inertia;
use pair::{Expansion, Friction, Pair};

/// Line search: accepted slope relative to the initial slope.
const SLOPE: f64 = 0.5;
/// Descent asked of a direction, relative to its length squared.
const DESCENT: f64 = 0.1;
/// Cosine asked of the angle between a direction and the steepest descent.
const ANGLE: f64 = 1e-6;
/// An iteration that leaves more than this part of the error is slow; after two of them compliances are reduced by the same factor.
const SLOW: f64 = 0.3;

/// Memory of the method, kept from solve to solve.
#[derive(Debug, Default)]
pub(super) struct PrimalDual {
    inertia: Inertia,
    pairs: Vec<Pair>,
    /// The gradient without contact, and sums of it with impulses.
    rest: Vec<f64>,
    sum: Vec<f64>,
    parts: [f64; 4],
}

/// Where the iteration stands.
struct Standing {
    /// Bound of the error in A.
    error: f64,
    /// The gradient's norm in A^-1.
    gradient: f64,
}

impl Solver {
    /// Minimizes the cost of an island with contacts, starting from the guess in `v`.
    pub(super) fn solve_primal_dual(
        &mut self,
        problem: &Problem,
        island: &Island,
        relative: f64,
        reference: Option<f64>,
        v: &mut [f64],
        forces: &ContactForces,
    ) -> Result<SolveReport, SolveFailure> {
        let mut report = SolveReport::default();
        let failure = |fault, iterations, gradient_norm, tolerance| SolveFailure {
            fault,
            first_velocity: problem.cliques[island.cliques[0]].velocities.start,
            size: island.size,
            contacts: island.patches.len(),
            iterations,
            gradient_norm,
            tolerance,
        };
        if !self.start_primal_dual(problem, island, forces) {
            return Err(failure(SolveFault::NotPositiveDefinite, 0, f64::NAN, relative));
        }
        let (mut last_error, mut slow) = (f64::INFINITY, 0);
        let env = |name: &str, default: usize| std::env::var(name).ok().and_then(|x| x.parse().ok()).unwrap_or(default);
        let phase = env("PK", 4);
        let patience = env("PW", 3);
        let mut guarded = env("PG", 0) == 1;
        let (mut best, mut bad) = (f64::INFINITY, 0);
        for iteration in 0..=self.options.max_iterations {
            assemble::pair_velocities(problem, island, v, &mut self.work, false);
            let settled = iteration < phase && !guarded;
            let Standing { error, gradient } = self.stand(problem, island, v, settled);
            let tolerance = reference.unwrap_or_else(|| relative * self.norms(problem, island, v).scale);
            if !gradient.is_finite() {
                return Err(failure(SolveFault::NotFinite, iteration, gradient, tolerance));
            }
            if std::env::var("PDT").is_ok() { eprintln!("{iteration} n={} pairs={} E={:.3e} g={:.3e} parts={:?}", island.size, island.patches.iter().map(|&p| problem.patches[p].pairs.len()).sum::<usize>(), error / tolerance, gradient / tolerance, self.primal_dual.parts.map(|x| x / tolerance)); }
            if error <= tolerance {
                return Ok(report);
            }
            if iteration == self.options.max_iterations {
                return Err(failure(SolveFault::IterationLimit, iteration, gradient, tolerance));
            }
            if error < 0.5 * best {
                best = error;
                bad = 0;
            } else {
                bad += 1;
            }
            if !guarded && bad >= patience + if settled { phase } else { 0 } {
                guarded = true;
                if settled {
                    self.stand(problem, island, v, false);
                }
            }
            slow = if error > SLOW * last_error { slow + 1 } else { 0 };
            last_error = error;
            if slow >= 2 {
                slow = 0;
                self.for_pairs(problem, island, |pair, _| pair.compliance *= SLOW);
            }
            let mut expansion = Expansion::Settled;
            if !self.direction(problem, island, v, expansion, &mut report) {
                return Err(failure(SolveFault::NotPositiveDefinite, iteration, gradient, tolerance));
            }
            if guarded && !self.descends(problem, island, gradient) {
                expansion = Expansion::Primal;
                if !self.direction(problem, island, v, expansion, &mut report) {
                    return Err(failure(SolveFault::NotPositiveDefinite, iteration, gradient, tolerance));
                }
            }
            assemble::pair_velocities(problem, island, v, &mut self.work, true);
            let found = if guarded {
            let Some(found) = line_search::search(problem, island, v, &mut self.work, SLOPE) else {
                return Err(failure(SolveFault::LineSearch, iteration, gradient, tolerance));
            };
            found } else { line_search::Found { alpha: 1.0, evaluations: 1 } };
            report.linesearch_evaluations += found.evaluations - 1;
            if std::env::var("PDT").is_ok() { eprintln!("     {expansion:?} alpha={:.3} ev {}", found.alpha, found.evaluations); }
            for &p in &island.patches {
                for i in problem.patches[p].pairs.clone() {
                    self.primal_dual.pairs[i].follow(&problem.pairs[i].law, &self.work.uc[i], expansion);
                }
            }
            for &c in &island.cliques {
                for i in problem.cliques[c].velocities.clone() {
                    v[i] += found.alpha * self.work.direction[i];
                }
            }
            report.iterations += 1;
        }
        unreachable!("the loop returns at the iteration limit")
    }

    /// Factors the inertia and sets up the contact points of the island. `false` if the inertia is not positive definite.
    fn start_primal_dual(&mut self, problem: &Problem, island: &Island, forces: &ContactForces) -> bool {
        let single_phase = 4;
        let PrimalDual { inertia, pairs, rest, sum, .. } = &mut self.primal_dual;
        if !inertia.factor(problem, island) {
            return false;
        }
        for values in [rest, sum] {
            values.resize(problem.size(), 0.0);
        }
        pairs.resize(problem.pairs.len(), Pair::default());
        for &p in &island.patches {
            let patch = &problem.patches[p];
            for i in patch.pairs.clone() {
                let pair = &problem.pairs[i];
                let known = forces.get((patch.body_a, patch.body_b), pair.key);
                pairs[i].start(&pair.law, &known.map_or_else(nalgebra::Vector3::zeros, |force| force * problem.dt));
                let normal = pair.law.normal;
                pairs[i].compliance = inertia.compliance(problem, patch, pair, &normal);
                if single_phase > 0 && patch.pairs.len() == 1 {
                    let other = if normal.x.abs() < 0.5 { nalgebra::Vector3::x() } else { nalgebra::Vector3::y() };
                    let first = normal.cross(&other).normalize();
                    let second = normal.cross(&first);
                    let both = [first, second].map(|e| inertia.compliance(problem, patch, pair, &e));
                    pairs[i].tangential_compliance = 0.5 * (both[0] + both[1]);
                }
            }
        }
        true
    }

    /// Leaves the contact forces of the last solve in `forces`.
    pub(super) fn keep_forces(&self, problem: &Problem, forces: &mut ContactForces) {
        forces.clear();
        let islands = problem.islands().iter().filter(|island| !problem.is_unsymmetric(island));
        for &p in islands.flat_map(|island| &island.patches) {
            let patch = &problem.patches[p];
            for i in patch.pairs.clone() {
                let pair = &problem.pairs[i];
                let impulse = self.primal_dual.pairs[i].last_impulse(&pair.law);
                forces.push((patch.body_a, patch.body_b), pair.key, &(impulse / problem.dt));
            }
        }
        forces.sort();
    }

    /// Calls `f` on every contact point of the island.
    fn for_pairs(&mut self, problem: &Problem, island: &Island, mut f: impl FnMut(&mut Pair, usize)) {
        for &p in &island.patches {
            for i in problem.patches[p].pairs.clone() {
                f(&mut self.primal_dual.pairs[i], i);
            }
        }
    }

    /// Evaluates the laws at `v`, where the pair velocities are known: leaves the gradient in the workspace and bounds the error.
    fn stand(&mut self, problem: &Problem, island: &Island, v: &[f64], settled: bool) -> Standing {
        let PrimalDual { inertia, pairs, rest, sum, .. } = &mut self.primal_dual;
        let (mut settled_gap, mut balanced_gap) = (0.0, 0.0);
        let work = &mut self.work;
        for &p in &island.patches {
            for i in problem.patches[p].pairs.clone() {
                let friction = if settled && problem.patches[p].pairs.len() == 1 { Friction::Settled } else { Friction::Mixed };
                pairs[i].evaluate(&problem.pairs[i].law, &work.vc[i], friction);
            }
        }
        assemble::gradient_of_rest(problem, island, v, rest);
        // The norm of `rest - J'p` for impulses p.
        let mut norm = |impulse: &mut dyn FnMut(usize) -> nalgebra::Vector3<f64>, sum: &mut [f64]| {
            for &c in &island.cliques {
                let range = problem.cliques[c].velocities.clone();
                sum[range.clone()].copy_from_slice(&rest[range]);
            }
            assemble::subtract_impulses(problem, island, impulse, sum);
            inertia.dual_norm_squared(problem, island, sum).sqrt()
        };
        let law = |i: usize| &problem.pairs[i].law;
        let gradient = norm(&mut |i| pairs[i].primal_impulse(law(i)), &mut work.gradient);
        let mut settled = |i: usize| {
            let (impulse, gap) = pairs[i].settled_impulse(law(i));
            settled_gap += gap;
            impulse
        };
        let ns = norm(&mut settled, sum); let settled = ns + settled_gap.sqrt();
        let mut balanced = |i: usize| {
            let (impulse, gap) = pairs[i].balanced_impulse(law(i));
            balanced_gap += gap;
            impulse
        };
        let nb = norm(&mut balanced, sum);let balanced = nb + balanced_gap.sqrt(); self.primal_dual.parts = [ns, settled_gap.sqrt(), nb, balanced_gap.sqrt()];
        Standing { error: gradient.min(settled).min(balanced), gradient }
    }

    /// The direction of the iteration at `v`. `false` if its matrix is not positive definite.
    fn direction(
        &mut self,
        problem: &Problem,
        island: &Island,
        v: &[f64],
        expansion: Expansion,
        report: &mut SolveReport,
    ) -> bool {
        let work = &mut self.work;
        for &p in &island.patches {
            for i in problem.patches[p].pairs.clone() {
                (work.impulse[i], work.stiffness[i]) =
                    self.primal_dual.pairs[i].linearize(&problem.pairs[i].law, expansion);
            }
        }
        let h = self.factor.start(island.size);
        assemble::hessian(problem, island, v, work, h);
        report.factorizations += 1;
        if !self.factor.factor() {
            return false;
        }
        let PrimalDual { rest, sum, .. } = &mut self.primal_dual;
        for &c in &island.cliques {
            let range = problem.cliques[c].velocities.clone();
            sum[range.clone()].copy_from_slice(&rest[range]);
        }
        assemble::subtract_impulses(problem, island, |i| work.impulse[i], sum);
        // The linearized residual takes the place of the gradient.
        std::mem::swap(&mut self.work.gradient, &mut self.primal_dual.sum);
        self.newton_direction(problem, island);
        std::mem::swap(&mut self.work.gradient, &mut self.primal_dual.sum);
        true
    }

    /// Whether the direction descends on the cost, whose gradient has norm `gradient`.
    fn descends(&mut self, problem: &Problem, island: &Island, gradient: f64) -> bool {
        let (work, product) = (&self.work, &mut self.primal_dual.sum);
        for &c in &island.cliques {
            product[problem.cliques[c].velocities.clone()].fill(0.0);
        }
        problem.add_product(island, &work.direction, product);
        let (mut slope, mut square) = (0.0, 0.0);
        for &c in &island.cliques {
            for i in problem.cliques[c].velocities.clone() {
                slope += work.gradient[i] * work.direction[i];
                square += product[i] * work.direction[i];
            }
        }
        -slope >= DESCENT * square && -slope >= ANGLE * gradient * square.sqrt()
    }
}
