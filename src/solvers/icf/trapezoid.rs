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
//! Joint stops and bilateral constraints, which are near-rigid and hold at the end of a step, are those of the first
//! solve: at full weight, with the violation stepped back likewise. Their forces are first-order accurate where their
//! direction turns within the step.
//!
//! A joint that meets its stop comes to rest within the step. Moved by the mean of its velocities it would end beyond
//! the stop by `h/2` times what it lost, and be thrown back in the next step: it moves by the velocity at the end, as
//! in the first solve.

use super::followed::Unfollowed;
use super::pools::{ContactLaw, LimitLaw, VelocityLaw, halve_from_end};
use crate::contact::Problem;
use crate::contact::add_wrench;
use crate::contact::{CompliantStop, JointStops};
use nalgebra::Vector3;

impl Problem {
    /// Turns the problem at the end of a step of length `dt` \[s\], complete but for [`finish`](Self::finish), into
    /// that of the trapezoid scheme. `start` is the problem that was solved for the step; tells what is `unfollowed`.
    pub fn average_with(&mut self, start: &Problem, dt: f64, unfollowed: &mut Unfollowed) {
        unfollowed.find(start, self, dt);
        let mean = |ends: &mut [f64], starts: &[f64]| {
            ends.iter_mut().zip(starts).for_each(|(end, start)| *end = 0.5 * (*end + start));
        };
        mean(&mut self.mass, &start.mass);
        self.mobilities.clear();
        mean(&mut self.bias, &start.bias);
        self.damping.iter_mut().for_each(|d| *d *= 0.5);
        let mut kick = std::mem::take(&mut self.kick);
        kick.clone_from(&start.kick);
        for clique in &self.cliques {
            let n = clique.size();
            let block = self.mass[clique.block..clique.block + n * n].chunks_exact(n.max(1));
            for (column, j) in block.zip(clique.velocities.clone()) {
                let back = start.v0[j] - self.v0[j];
                kick[clique.velocities.clone()].iter_mut().zip(column).for_each(|(k, m)| *k += m * back);
            }
        }
        for &(i, stiffness) in &self.springs {
            let inertia = 0.25 * dt * dt * stiffness;
            self.damping[i] += inertia / dt;
            kick[i] -= inertia * (start.v0[i] - self.v0[i]);
        }
        self.springs.clear();
        self.average_spins(start, dt, &mut kick);
        start.add_contact_impulses_at_start(0.5 * dt, unfollowed, &mut kick);
        self.kick = kick;
        for patch in &self.patches {
            let followed = !unfollowed.contains(patch);
            for pair in &mut self.pairs[patch.pairs.clone()] {
                halve_from_end(&mut pair.contact, dt, followed);
            }
        }
        let struck = start.elements.of::<JointStops>();
        for (stops, struck) in self.elements.of_mut::<JointStops>().iter_mut().zip(struck) {
            let moved = dt * self.v0[stops.velocity];
            stops.lower_gap -= moved;
            stops.upper_gap += moved;
            stops.rebound = struck.rebound;
        }
        for stop in self.elements.of_mut::<CompliantStop>() {
            stop.gap -= dt * stop.sign * self.v0[stop.velocity];
        }
        for group in 0..self.rows.len() {
            let moved = self.row_velocity(group, &self.v0) * dt;
            self.rows[group].violation -= moved;
        }
    }

    /// Marks the velocities that move things as they are in `v`, at the end of the step, not by their mean with those
    /// at its start: those of joints whose stop acts, and with them all that bilateral constraints join them to.
    pub fn stopped(&self, v: &[f64], marked: &mut Vec<bool>) {
        marked.clear();
        marked.resize(self.size(), false);
        let stops = self.elements.of::<JointStops>().iter().filter(|stops| !self.locked[stops.velocity]);
        for stops in stops.filter(|stops| LimitLaw::new(stops, self).piece(v[stops.velocity]) != 0) {
            let island = &self.islands()[self.island_of(stops.velocity)];
            if island.rows.is_empty() {
                marked[stops.velocity] = true;
            } else {
                island.cliques.iter().for_each(|&c| marked[self.cliques[c].velocities.clone()].fill(true));
            }
        }
    }

    /// Adds `J' f_c` of the contacts at the start of the step that it follows, `time` times.
    fn add_contact_impulses_at_start(&self, time: f64, unfollowed: &Unfollowed, out: &mut [f64]) {
        for patch in self.patches.iter().filter(|patch| !unfollowed.contains(patch)) {
            let (mut torque_a, mut torque_b, mut force) = (Vector3::zeros(), Vector3::zeros(), Vector3::zeros());
            for pair in &self.pairs[patch.pairs.clone()] {
                let f = ContactLaw::new(&pair.contact, self.dt).force_at_start();
                torque_a += pair.p_AC.cross(&f);
                torque_b += pair.p_BC.cross(&f);
                force += f;
            }
            add_wrench(self, patch.body_b, &torque_b, &force, time, out);
            add_wrench(self, patch.body_a, &torque_a, &force, -time, out);
        }
    }
}
