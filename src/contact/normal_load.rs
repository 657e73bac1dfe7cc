//! The normal force under which friction acts within a step.
//!
//! Friction of the convex step lags: it acts under the normal force n0 that is measured at its start
//! \[Castro 2023, ICF\]. Of two half steps of length h/2 the first has n0, the second n1, the force that is measured in
//! the middle. With n2 at the end, and Simpson's rule for the mean of the force, the velocity of sliding errs by
//!
//! ```text
//! half steps      mu h w (2 n0 - n1 - n2) / 6
//! extrapolated    mu h w (n0 - 2 n1 + n2) / 6
//! ```
//!
//! where w is the mobility \[1/kg\]. Where the force changes smoothly the second is of third order. Where it settles
//! faster than steps follow (a body that is set down, a foot that strikes) it is as large as friction itself, and a
//! body that has begun to slide never loses it.
//!
//! Friction that follows acts under the normal force of its own step: that of a first solution, with which the step is
//! solved again. What sticks yields to it: with t the slip over `sqrt(slip² + tolerance²)`, the slope of friction
//! takes `1 + mu h w n (1 - t²) / sqrt(slip² + tolerance²)` of it back.

use super::elements::ContactLaw;
use super::islands::Island;
use super::problem::{Patch, Problem};
use super::turning::find_same;

impl Problem {
    /// Whether every body or mechanism that touches something is alone in its island. Where several move each other,
    /// contacts change in every step, and what one solve more would buy is soon lost.
    pub(super) fn touch_alone(&self) -> bool {
        self.islands().iter().all(|island| island.patches.is_empty() || island.cliques.len() == 1)
    }

    /// Whether friction of a patch may follow: a controller takes errors of velocity back.
    pub(super) fn follows(&self, patch: &Patch) -> bool {
        self.bodies[patch.body_b].clique.is_some_and(|clique| {
            let Island { cliques, feedback, .. } = &self.islands()[self.islands.of_clique[clique]];
            cliques.len() == 1 && feedback.is_empty()
        })
    }

    /// The normal force of a contact point \[N\] where the solution of a step of length `h` has the velocities `v`, and
    /// the velocity of sliding \[m/s\].
    fn load_at(&self, point: usize, h: f64, v: &[f64]) -> (f64, f64) {
        let pair = &self.pairs[point];
        let law = ContactLaw::new(pair, h);
        let (vn, slip) = law.split(&self.relative_velocity(pair, v));
        (law.normal_impulse(vn).0 / h, slip.norm())
    }

    /// By how much a velocity of sliding errs at most \[m/s\] since friction lags behind the normal force, where two
    /// half steps lead to `v`: the first from the problem `start`, the second from this one. `smooth`: the cliques that
    /// are extrapolated.
    pub fn friction_lag(&self, start: &Problem, v: &[f64], smooth: &[bool]) -> f64 {
        if !self.touch_alone() {
            return 0.0;
        }
        let (mut most, mut next) = (0.0_f64, 0);
        let following = self.patches.iter().filter(|patch| self.follows(patch));
        for point in following.flat_map(|patch| patch.pairs.clone()) {
            let pair = &self.pairs[point];
            let n1 = pair.normal_force;
            // What only touches at the end of the step is an impact: nothing says yet what friction does.
            if n1 <= 0.0 {
                continue;
            }
            let before = find_same(&start.pairs, pair, next);
            next = before.map_or(next, |before| before + 1);
            let n0 = before.map_or(0.0, |before| start.pairs[before].normal_force);
            let (n2, slip) = self.load_at(point, self.dt, v);
            let is_smooth = self.bodies[pair.body_b].clique.is_some_and(|clique| smooth[clique]);
            let lag = if is_smooth { n0 - 2.0 * n1 + n2 } else { 2.0 * n0 - n1 - n2 };
            let gain = pair.friction * 2.0 * self.dt * pair.delassus;
            let soft = slip.hypot(pair.slip_tolerance);
            let part = slip / soft;
            let sticking = 1.0 + gain * n0.max(n1).max(n2) * (1.0 - part * part) / soft;
            most = most.max(gain * lag.abs() / 6.0 * part / sticking);
        }
        most
    }

    /// Lets friction act under the normal forces of a solution of a step of length `h` with the velocities `v`.
    pub fn follow_loads(&mut self, h: f64, v: &[f64]) {
        for patch in 0..self.patches.len() {
            if !self.follows(&self.patches[patch]) {
                continue;
            }
            for point in self.patches[patch].pairs.clone() {
                self.pairs[point].load = self.load_at(point, h, v).0;
            }
        }
    }

    /// Lets friction act under the normal forces at the start of the step.
    pub fn lag_loads(&mut self) {
        self.pairs.iter_mut().for_each(|pair| pair.load = pair.normal_force);
    }
}
