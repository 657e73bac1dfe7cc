//! The second solve of the trapezoid scheme.
//!
//! With the convex step (q^, v^) of length h from (q0, v0), the velocity at the end solves
//!
//! ```text
//! M_ (v - v0) + h k_ = h/2 J0' f_c(q0, v0) + 1/2 J^' gamma^(v),   M_, k_: means of both ends
//! ```
//!
//! \[Kurtz & Castro, CENIC, eq. 25\]: a problem built at (q^, v^), whose start velocity v^ is where its laws are
//! linearized and lagged, with the constant impulse `M_ (v0 - v^) + h/2 J0' f_c`. Contacts have half their potential,
//! and their elastic force is stepped back over the step, so that with v = v^ it is the one at q^. Damping D and
//! springs K act as means as well: `h/2 D (v0 + v)` and, with positions that move by `h (v0 + v)/2`,
//! `h/2 K (q0 + q(v))`.
//!
//! The mean of both ends does not damp what is fast against the step: a stiff contact would ring, and a body stuck by
//! friction creep. A contact that the step does not follow (`followed.rs`), and friction that sticks, act at the end of
//! the step with their whole potential, as in the first solve. Both vanish from the scheme as the step becomes short.
//! Bodies move into a contact that is not followed as its law supposes (`end_moved.rs`).
//!
//! Joint stops, which are near-rigid and hold at the end of a step, are those of the first solve: at full weight, with
//! the violation stepped back likewise. Compliant constraints act as means of both ends, as springs of joints do: half
//! the force that they have at the start, and half of that at the end, where the violation is the one after moving by
//! the mean of the velocities,
//!
//! ```text
//! h/2 (k g0 + c J0 v0) + h/2 (k g(v) + c J^ v),   g(v) = g(q^) + h J^ ((v0 + v)/2 - v^)
//! ```
//!
//! An axis that the step does not follow, `h w (h k + c) >= 1`, is that of the first solve, at full weight: it would
//! ring. (All axes were, once. That is of first order and damps, and both solves err by it alike, so that no estimate
//! shows it.) Rigid bilateral constraints act along their
//! rows at the start with half the impulse gamma0 that they had in the first solve, as contacts do, and with whatever
//! it takes along those at the end,
//!
//! ```text
//! ... = 1/2 J0' gamma0 + J^' gamma,   J^ v = v_hat
//! ```
//!
//! which is of second order: along the way that the rows at the end leave, theirs is no force at all. What starts off
//! its constraints goes the `way` of the first solve by the mean of its velocities, that at the end twice as fast.
//!
//! A joint that meets its stop comes to rest within the step. Moved by the mean of its velocities it would end beyond
//! the stop by `h/2` times what it lost, and be thrown back in the next step: it moves by the velocity at the end, as
//! in the first solve.

use super::compliant_rows::{self, followed_force, is_followed_range};
use super::followed::Unfollowed;
use super::spins;
use crate::choices::trapezoid::CORRECTION_AT_STOPS;
use kinegraph_convex::contact::{
    ContactLaw, ContactRow, Element, ElementVisitor, JointSpring, Problem, RowRangeLaw, VelocityLaw, add_wrench, visit,
};
use nalgebra::Vector3;

/// Moves elements at the end of a step back to its start.
struct StepBack<'a> {
    end: &'a mut Problem,
    start: &'a Problem,
    dt: f64,
}

impl ElementVisitor for StepBack<'_> {
    fn visit<E: Element>(&mut self) {
        let v = &self.end.trees.v0;
        for (element, start) in self.end.elements.of_mut::<E>().iter_mut().zip(self.start.elements.of::<E>()) {
            *element = element.moved(-(self.dt * v[element.velocity()])).begun_as(start);
        }
    }
}

/// True if the stiffness of an element kind grows as the step becomes shorter.
const fn is_rigid<E: Element>() -> bool {
    E::Law::ONE_SIDED && E::Law::RIGID
}

/// Marks velocities that stops hold, and all velocities that bilateral constraints join to them.
struct MarkStopped<'a> {
    end: &'a Problem,
    v: &'a [f64],
    marked: &'a mut [bool],
}

impl ElementVisitor for MarkStopped<'_> {
    fn visit<E: Element>(&mut self) {
        let MarkStopped { end, v, marked } = self;
        let of_kind = if is_rigid::<E>() { end.elements.of::<E>() } else { &[] };
        for stops in of_kind.iter().filter(|stops| !end.trees.locked[stops.velocity()]) {
            let i = stops.velocity();
            if E::Law::new(stops, &end.law_context(i)).piece(v[i]) == 0 {
                continue;
            }
            let island = &end.islands()[end.island_of(i)];
            if island.rows.is_empty() {
                marked[i] = true;
            } else {
                island.cliques.iter().for_each(|&c| marked[end.trees.cliques[c].velocities.clone()].fill(true));
            }
        }
    }
}

/// Detects rigid stops in an island.
struct HasRigid<'a> {
    problem: &'a Problem,
    island: usize,
    found: bool,
}

impl ElementVisitor for HasRigid<'_> {
    fn visit<E: Element>(&mut self) {
        let on_island = |element: &E| self.problem.island_of(element.velocity()) == self.island;
        self.found |= is_rigid::<E>() && self.problem.elements.of::<E>().iter().any(on_island);
    }
}

/// Turns the problem at the end of a step of length `dt` \[s\], complete but for [`finish`](Problem::finish), into
/// that of the trapezoid scheme. `start` is the problem that was solved for the step, `held` the impulses of its
/// constraints; reports what is `unfollowed`.
pub fn average_with(end: &mut Problem, start: &Problem, held: &[Vector3<f64>], dt: f64, unfollowed: &mut Unfollowed) {
    unfollowed.find(start, end, dt);
    let mean = |ends: &mut [f64], starts: &[f64]| {
        ends.iter_mut().zip(starts).for_each(|(end, start)| *end = 0.5 * (*end + start));
    };
    mean(&mut end.trees.mass, &start.trees.mass);
    end.mobilities.clear();
    mean(&mut end.trees.bias, &start.trees.bias);
    end.trees.damping.iter_mut().for_each(|d| *d *= 0.5);
    let mut kick = std::mem::take(&mut end.trees.kick);
    kick.clone_from(&start.trees.kick);
    for clique in &end.trees.cliques {
        let n = clique.size();
        let block = end.trees.mass[clique.block..clique.block + n * n].chunks_exact(n.max(1));
        for (column, j) in block.zip(clique.velocities.clone()) {
            let back = start.trees.v0[j] - end.trees.v0[j];
            kick[clique.velocities.clone()].iter_mut().zip(column).for_each(|(k, m)| *k += m * back);
        }
    }
    for spring in &end.trees.springs {
        let (i, inertia) = (spring.velocity, mean_inertia(spring, dt));
        end.trees.damping[i] += inertia / dt;
        kick[i] -= inertia * (start.trees.v0[i] - end.trees.v0[i]);
    }
    end.trees.springs.clear();
    spins::average(end, start, dt, &mut kick);
    add_contact_impulses_at_start(start, 0.5 * dt, unfollowed, &mut kick);
    for (group, impulse) in
        held.iter().enumerate().filter(|(group, _)| start.constraints.rows[*group].compliance.is_none())
    {
        start.add_row_impulse(group, &(impulse * 0.5), 0, &mut kick);
    }
    for group in 0..start.constraints.rows.len() {
        if let Some(force) = followed_force(start, group, dt) {
            start.add_row_impulse(group, &(force * (0.5 * dt)), 0, &mut kick);
        }
    }
    end.trees.kick = kick;
    for patch in &end.contacts.patches {
        let followed = !unfollowed.contains(patch);
        for pair in &mut end.contacts.points[patch.points.clone()] {
            halve_from_end(pair, dt, followed);
        }
    }
    visit(&mut StepBack { end, start, dt });
    take_corrections_of(end, start, held, dt);
}

/// Inertia by which a spring acts as the mean of both ends of a step of length `dt`: positions move by the mean of the
/// velocities, and half of the force at the end counts.
fn mean_inertia(spring: &JointSpring, dt: f64) -> f64 {
    0.25 * dt * dt * spring.stiffness // formula
}

/// Makes a contact at the end of a step of length `dt` that of a mean with the start, to be solved with that step: the
/// elastic force stepped back by the velocity at the end, and half the potential with the same regularization velocity.
/// A contact that the step has not `followed` keeps its whole potential.
fn halve_from_end(contact: &mut ContactRow, dt: f64, followed: bool) {
    let sticks = ContactLaw::new(contact, dt).sticks();
    contact.start.elastic_force += dt * contact.material.stiffness * contact.start.separation0;
    if followed {
        contact.start.elastic_force *= 0.5;
        contact.material.stiffness *= 0.5;
        if !sticks {
            contact.start.normal_force *= 0.5;
            contact.start.load *= 0.5;
            contact.start.delassus *= 2.0;
        }
    }
}

/// Marks the velocities that move things as they are in `v`, at the end of the step, not by their mean with those
/// at its start: those of joints whose stop acts, and with them all that bilateral constraints join them to; those on
/// which a range acts that the step does not follow.
pub fn stopped(end: &Problem, v: &[f64], marked: &mut Vec<bool>) {
    marked.clear();
    marked.resize(end.size(), false);
    visit(&mut MarkStopped { end, v, marked });
    for (group, rows) in end.constraints.rows.iter().enumerate() {
        let Some(range) = rows.range.as_ref().filter(|_| !is_followed_range(rows, end.step_terms.dt)) else { continue };
        let acts =
            RowRangeLaw::new(range, rows.violation.x, 0.0, end.step_terms.dt).piece(end.row_velocity(group, v).x) != 0;
        for support in end.constraints.support[rows.support.clone()].iter().filter(|_| acts) {
            marked[end.trees.cliques[support.clique].velocities.clone()].fill(true);
        }
    }
}

/// Takes the ways that rigid constraints go within the step of length `dt` from `start`, by the mean of velocities
/// at the start, which are none along their rows, and at the end; averages compliant constraints.
fn take_corrections_of(end: &mut Problem, start: &Problem, held: &[Vector3<f64>], dt: f64) {
    let has_stops = |island: usize| {
        let mut seen = HasRigid { problem: start, island, found: false };
        visit(&mut seen);
        seen.found
    };
    let mut next = 0;
    for group in 0..end.constraints.rows.len() {
        // What contacts resist spinning and rolling with has no name, and is no mean of both ends: they need not touch
        // at both.
        let Some(earlier) = start.same_rows(&end.constraints.rows[group], next) else { continue };
        next = earlier + 1;
        if end.constraints.rows[group].compliance.is_some() {
            compliant_rows::average(end, group, start, earlier, dt);
            continue;
        }
        let own = &start.constraints.rows[earlier];
        let island = start.constraints.support[own.support.clone()].first().map(|s| start.island_of(s.velocity));
        let times = if island.is_some_and(has_stops) { CORRECTION_AT_STOPS } else { 2.0 };
        let way = own.correction_within(dt) * times;
        let row = &mut end.constraints.rows[group];
        (row.correction, row.correction_speed, row.softness) = (way, f64::INFINITY, own.softness);
        row.expected = held.get(earlier).map_or(Vector3::zeros(), |impulse| impulse * (0.5 / dt));
    }
}

/// Adds `J' f_c` of the contacts at the start of the step that it follows, `time` times.
fn add_contact_impulses_at_start(end: &Problem, time: f64, unfollowed: &Unfollowed, out: &mut [f64]) {
    for patch in end.contacts.patches.iter().filter(|patch| !unfollowed.contains(patch)) {
        let (mut torque_a, mut torque_b, mut force) = (Vector3::zeros(), Vector3::zeros(), Vector3::zeros());
        for pair in &end.contacts.points[patch.points.clone()] {
            let f = pair.scaled(&ContactLaw::new(pair, end.step_terms.dt).force_at_start());
            let turning = pair.turning_torque(&f);
            torque_a += pair.p_AC.cross(&f) + turning;
            torque_b += pair.p_BC.cross(&f) + turning;
            force += f;
        }
        add_wrench(end, patch.body_b, &torque_b, &force, time, out);
        add_wrench(end, patch.body_a, &torque_a, &force, -time, out);
    }
}
