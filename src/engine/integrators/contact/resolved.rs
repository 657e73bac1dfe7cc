//! Finds contacts so soft against the step that an explicit method follows them better than the convex step.

use kinegraph_convex::contact::{
    ContactLaw, ContactMaterial, ContactRow, ContactStart, Element, ElementVisitor, Patch, Problem, visit,
};
use kinegraph_core::convex::surface_of;

/// Tolerance of a place, as a part of its distance from the origins of the bodies, for rounding.
const ROUNDING: f64 = 4.5e6 * f64::EPSILON;

/// A state later within the step.
#[derive(Clone, Copy, Debug)]
pub struct Later<'a> {
    /// Contact problem of that state.
    pub problem: &'a Problem,
    /// Time by which it is later \[s\].
    pub dt: f64,
    /// Factor over the speed of the bodies from which a contact point counts as another one.
    pub wander: f64,
}

/// Visitor that finds whether an element hinders an explicit method on an island.
struct Hindered<'a> {
    problem: &'a Problem,
    island: usize,
    v: &'a [f64],
    h: f64,
    found: bool,
}

impl ElementVisitor for Hindered<'_> {
    fn visit<E: Element>(&mut self) {
        let Hindered { problem, island, v, h, found } = self;
        let acts = |element: &&E| {
            !problem.trees.locked[element.velocity()] && element.hinders_explicit(v[element.velocity()], *h)
        };
        let elements = problem.elements.of::<E>().iter().filter(acts);
        *found |= elements.map(|element| problem.island_of(element.velocity())).any(|other| other == *island);
    }
}

/// Keeps those cliques marked on which nothing acts but rigid constraints and contacts that are soft against a step of
/// length `h`, and whose points stay where they are on the bodies from here to `later` within the step: a point that
/// jumps from one edge of a body to the other makes a torque that no smooth method follows. `v` is the solution of the
/// step last set; `followed`: steps are short to follow an impact.
pub fn resolves(problem: &Problem, h: f64, v: &[f64], later: Later<'_>, followed: bool, marked: &mut [bool]) {
    let hindered = |island: usize| {
        let mut seen = Hindered { problem, island, v, h, found: false };
        visit(&mut seen);
        seen.found
    };
    for island in problem.islands.all() {
        let others = island.rows.iter().any(|&group| problem.constraints.rows[group].compliance.is_some())
            || hindered(island.index)
            || island.feedback.iter().any(|&f| problem.feedback[f].limited_rows().next().is_some())
            || island
                .cliques
                .iter()
                .any(|&c| problem.trees.locked[problem.trees.cliques[c].velocities.clone()].contains(&true));
        let soft = |&p: &usize| {
            let patch = &problem.contacts.patches[p];
            let follows = |i: usize| {
                let pair = &problem.contacts.points[i];
                let velocity = problem.relative_velocity(pair, v);
                let impulse = ContactLaw::new(pair, problem.step_terms.dt).impulse(&velocity);
                if pair.start.elastic_force <= 0.0 {
                    // A contact that closes within the step acts as well, and a stiff one throws an explicit method
                    // far off.
                    return impulse.dot(&pair.normal) <= 0.0 || pair.can_close(h);
                }
                match surface_of(pair.key) {
                    Some(surface) => whole(problem, patch, pair, surface).is_soft(h, &impulse, followed),
                    None => pair.is_soft(h, &impulse, followed) && !wanders(problem, patch, i, later),
                }
            };
            patch.points.clone().all(follows)
        };
        let resolved = !others && island.patches.iter().all(soft);
        island.cliques.iter().for_each(|&c| marked[c] &= resolved);
    }
}

/// Point of a contact surface with the stiffness and the forces of all of its points, which act together: they come and
/// go as the bodies move, and their sum hardly changes by that.
fn whole(problem: &Problem, patch: &Patch, pair: &ContactRow, surface: u64) -> ContactRow {
    let points = problem.contacts.points[patch.points.clone()].iter();
    let start = ContactRow {
        material: ContactMaterial { stiffness: 0.0, ..pair.material },
        start: ContactStart { elastic_force: 0.0, normal_force: 0.0, ..pair.start },
        ..*pair
    };
    points.filter(|other| surface_of(other.key) == Some(surface) && other.start.elastic_force > 0.0).fold(
        start,
        |sum, other| ContactRow {
            material: ContactMaterial { stiffness: sum.material.stiffness + other.material.stiffness, ..sum.material },
            start: ContactStart {
                elastic_force: sum.start.elastic_force + other.start.elastic_force,
                normal_force: sum.start.normal_force + other.start.normal_force,
                ..sum.start
            },
            ..sum
        },
    )
}

/// True if contact point `i` is at another place of the bodies `later`.
fn wanders(problem: &Problem, patch: &Patch, i: usize, later: Later<'_>) -> bool {
    let Later { problem: later, dt, wander } = later;
    let pair = &problem.contacts.points[i];
    let name = |pair: &ContactRow| (pair.key, pair.body_a, pair.body_b);
    let same = |other: &&ContactRow| name(other) == name(pair);
    // Points that joined or left shift the others by a few places.
    let nearest_first =
        (0..later.contacts.points.len().max(i)).flat_map(|away| [i.checked_add(away), i.checked_sub(away + 1)]);
    let Some(other) = nearest_first.flatten().filter_map(|k| later.contacts.points.get(k)).find(same) else {
        return true;
    };
    let ((wa, _), (wb, _)) = (problem.velocity_of(patch.body_a), problem.velocity_of(patch.body_b));
    let turning = wander * dt * (wa.norm() + wb.norm());
    // Where bodies reverse, their speed at the start says nothing.
    let approach = dt * pair.start.separation0.abs().max(other.start.separation0.abs());
    let rounding = ROUNDING * (pair.p_AC.norm() + pair.p_BC.norm());
    (other.p_BC - pair.p_BC).norm() > turning * pair.p_BC.norm() + approach + rounding
}
