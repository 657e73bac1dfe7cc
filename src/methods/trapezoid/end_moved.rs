//! Motion of bodies in a contact that the trapezoid scheme does not follow.
//!
//! Such a contact acts at the end of the step, with the depth that the bodies have after moving by their velocity at
//! the end (`average.rs`). Moved by the mean of their velocities, bodies that the contact stops would end deeper by
//! `h/2` times what they lost, and that depth, which nobody paid for, would throw them out in the next step. Moved by
//! the velocity at the end altogether, sliding and flight would be of first order. So each clique moves by
//!
//! ```text
//! u = (v0 + v)/2 + P (v - v0)/2
//! ```
//!
//! with P the projection, orthogonal in the mass matrix M, onto `M⁻¹ J_n'` of those of its contact points that act:
//! they move by `h J_n v`, as the law supposed, and all else by the mean. With the impulses `M (v - v0) = J_n' n + h f`
//! and the convex potential U of the contacts,
//!
//! ```text
//! T1 - T0 = v_mean' (J_n' n + h f),    U1 - U0 <= -v' J_n' n,    work of f: h u' f
//! T1 + U1 - T0 - U0 - h u' f <= -1/2 |P (v - v0)|²
//! ```
//!
//! since `(1 - P) (v - v0) = h (1 - P) M⁻¹ f`: whatever the step, no energy is gained, but for the turning of the
//! geometry within it.

use super::followed::Unfollowed;
use kinegraph_convex::contact::{ContactLaw, Problem, add_wrench};

/// A direction is linearly dependent if earlier ones span it up to this part of its square.
const DEPENDENT: f64 = 1e-9; // rounding

/// Workspace for the motion of bodies in unfollowed contacts.
#[derive(Clone, Debug, Default)]
pub struct EndMoved {
    /// Clique, contact point and side of each active row.
    rows: Vec<(usize, usize, bool)>,
    /// Patch of each contact point.
    patch_of: Vec<usize>,
    /// Directions of one clique, orthonormal in its mass matrix, and their momenta.
    directions: Vec<f64>,
    momenta: Vec<f64>,
    row: Vec<f64>,
    motion: Vec<f64>,
    /// `(v - v0)/2` of a clique.
    change: Vec<f64>,
}

/// Adds `P (v - v0)/2` to the means of velocities `mean`, where `v` solves this problem, the second one of a step.
pub fn move_with_end(problem: &mut Problem, unfollowed: &Unfollowed, v: &[f64], work: &mut EndMoved, mean: &mut [f64]) {
    if unfollowed.is_empty() {
        return;
    }
    find_rows(problem, unfollowed, v, work);
    let mut at = 0;
    while at < work.rows.len() {
        let clique = work.rows[at].0;
        let count = work.rows[at..].iter().take_while(|row| row.0 == clique).count();
        find_directions(problem, at..at + count, work);
        let range = problem.trees.cliques[clique].velocities.clone();
        let n = range.len();
        // The mean is v0 + (v - v0)/2.
        work.change.clear();
        work.change.extend(v[range.clone()].iter().zip(&mean[range.clone()]).map(|(v, mean)| v - mean));
        for (direction, momentum) in work.directions.chunks_exact(n).zip(work.momenta.chunks_exact(n)) {
            let along = dot(momentum, &work.change);
            mean[range.clone()].iter_mut().zip(direction).for_each(|(mean, d)| *mean += along * d);
        }
        at += count;
    }
}

/// Finds the contact points that act at `v`, for each clique that they act on.
fn find_rows(problem: &Problem, unfollowed: &Unfollowed, v: &[f64], work: &mut EndMoved) {
    work.rows.clear();
    work.patch_of.clear();
    work.patch_of.resize(problem.contacts.points.len(), 0);
    for (p, patch) in problem.contacts.patches.iter().enumerate().filter(|(_, patch)| unfollowed.contains(patch)) {
        for i in patch.points.clone() {
            work.patch_of[i] = p;
            let pair = &problem.contacts.points[i];
            let velocity = problem.relative_velocity(pair, v);
            let law = ContactLaw::new(pair, problem.step_terms.dt);
            if law.normal_impulse(pair.normal.dot(&velocity)).0 <= 0.0 {
                continue;
            }
            let sides = [(patch.body_a, false), (patch.body_b, true)];
            work.rows
                .extend(sides.into_iter().filter_map(|(b, side)| Some((problem.trees.bodies[b].clique?, i, side))));
        }
    }
    work.rows.sort_unstable();
}

/// Directions of one clique that span `M⁻¹ J_n'` of `rows`, by the method of Gram and Schmidt.
fn find_directions(problem: &mut Problem, rows: std::ops::Range<usize>, work: &mut EndMoved) {
    work.directions.clear();
    work.momenta.clear();
    work.row.resize(problem.trees.v0.len(), 0.0);
    for r in rows {
        let (clique, i, side) = work.rows[r];
        let (patch, pair) = (&problem.contacts.patches[work.patch_of[i]], &problem.contacts.points[i]);
        let (body, arm) = if side { (patch.body_b, pair.p_BC) } else { (patch.body_a, pair.p_AC) };
        let range = problem.trees.cliques[clique].velocities.clone();
        work.row[range.clone()].fill(0.0);
        let normal = pair.normal;
        add_wrench(problem, body, &arm.cross(&normal), &normal, 1.0, &mut work.row);
        let momentum = &mut work.row[range.clone()];
        work.motion.clear();
        work.motion.extend_from_slice(momentum);
        if !problem.solve_mass(clique, &mut work.motion) {
            continue;
        }
        let n = range.len();
        let whole = dot(momentum, &work.motion);
        for (direction, own) in work.directions.chunks_exact(n).zip(work.momenta.chunks_exact(n)) {
            let along = dot(direction, momentum);
            momentum.iter_mut().zip(own).for_each(|(m, own)| *m -= along * own);
            work.motion.iter_mut().zip(direction).for_each(|(m, d)| *m -= along * d);
        }
        let left = dot(momentum, &work.motion);
        if left > DEPENDENT * whole {
            let scale = 1.0 / left.sqrt();
            work.directions.extend(work.motion.iter().map(|m| scale * m));
            work.momenta.extend(momentum.iter().map(|m| scale * m));
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
