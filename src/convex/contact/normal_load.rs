//! Normal force that friction uses within a step.
//!
//! Friction of the convex step lags: it acts under the normal force n0 that is measured at its start \[Castro 2023,
//! ICF\]. Of two half steps of length h/2 the first has n0, the second n1, the force that is measured in the middle.
//! They are solved with the normal forces f1 and f2, the full step with f. So the impulses of the kept end are
//!
//! ```text
//!                 friction             normal
//! half steps      mu h (n0 + n1) / 2   h (f1 + f2) / 2
//! extrapolated    mu h n1              h (f1 + f2 - f)
//! ```
//!
//! Sliding bodies should have friction of mu times the impulse that carries them. The missing part, times the mobility
//! w \[1/kg\], is the error of the velocity of sliding. Where the force changes smoothly and steps are extrapolated,
//! that is of third order. Where it settles faster than steps follow (a body that is set down, a foot that strikes) it
//! is as large as friction itself, and a body that has begun to slide never loses it.
//!
//! Where one point carries a body, measured and solved forces differ as its geometry turns. There the force f2 at the
//! end is used for the motion, by Simpson's rule:
//!
//! ```text
//! half steps      mu h w (2 n0 - n1 - f2) / 6
//! extrapolated    mu h w (n0 - 2 n1 + f2) / 6
//! ```
//!
//! Friction that follows acts under the normal force of its own step: that of a first solution, with which the step is
//! solved again. A sticking contact yields to it: with t the slip over `sqrt(slip² + tolerance²)`, the slope of
//! friction divides the error by `1 + mu h w n (1 - t²) / sqrt(slip² + tolerance²)`.

use super::contacts::Patch;
use super::elements::{ContactLaw, ContactRow};
use super::islands::Island;
use super::problem::Problem;
use super::turning::find_same;

impl Problem {
    /// True if every body or mechanism in contact is alone in its island. Where several move each other, contacts
    /// change in every step, and the gain of one more solve is soon lost.
    pub(super) fn touch_alone(&self) -> bool {
        self.islands().iter().all(|island| island.patches.is_empty() || island.cliques.len() == 1)
    }

    /// Island of a body; `None` of a fixed one.
    fn island_of_body(&self, body: usize) -> Option<&Island> {
        self.trees.bodies[body].clique.map(|clique| &self.islands()[self.islands.of_clique[clique]])
    }

    /// True if friction of a patch may follow: it acts on a body or mechanism that is alone in its island.
    pub(super) fn follows(&self, patch: &Patch) -> bool {
        self.island_of_body(patch.body_b).is_some_and(|island| island.cliques.len() == 1)
    }

    /// True if feedback acts in the island of a patch.
    pub(super) fn is_led(&self, patch: &Patch) -> bool {
        self.island_of_body(patch.body_b).is_some_and(|island| !island.feedback.is_empty())
    }

    /// Normal force of a contact point \[N\] where the solution of a step of length `h` has the velocities `v`, and the
    /// velocity of sliding \[m/s\].
    fn load_at(&self, point: usize, h: f64, v: &[f64]) -> (f64, f64) {
        let pair = &self.contacts.points[point];
        let law = ContactLaw::new(pair, h);
        let (vn, slip) = law.split(&self.velocity_after(pair, h, v));
        (law.normal_impulse(vn).0 / h, slip.norm())
    }

    /// Largest error of a velocity of sliding \[m/s\] because friction lags behind the normal force, where a full step
    /// and a half step from the problem `start` and a half step from this one were solved for the velocities `full`,
    /// `half` and `end`. `smooth`: the cliques that are extrapolated. Points that move around bodies more than `wander`
    /// times as fast as these turn do not count: their next place is unknown.
    pub fn friction_lag(&self, start: &Problem, [full, half, end]: [&[f64]; 3], smooth: &[bool], wander: f64) -> f64 {
        if !self.touch_alone() {
            return 0.0;
        }
        let (mut most, mut next) = (0.0_f64, 0);
        let following = self.contacts.patches.iter().filter(|patch| self.follows(patch));
        for point in following.flat_map(|patch| patch.points.clone()) {
            let pair = &self.contacts.points[point];
            let n1 = pair.start.normal_force;
            // A contact that begins at the end of the step is an impact: its friction is not known yet.
            if n1 <= 0.0 {
                continue;
            }
            let before = find_same(&start.contacts.points, pair, next);
            next = before.map_or(next, |before| before + 1);
            if before
                .is_some_and(|before| !start.stays(&start.contacts.points[before], pair, self.step_terms.dt, wander))
            {
                continue;
            }
            let n0 = before.map_or(0.0, |before| start.contacts.points[before].start.normal_force);
            let solved = |h, v| before.map_or(0.0, |before| start.load_at(before, h, v).0);
            let (f, f1, (f2, slip)) = (
                solved(2.0 * self.step_terms.dt, full),
                solved(self.step_terms.dt, half),
                self.load_at(point, self.step_terms.dt, end),
            );
            let is_smooth = self.trees.bodies[pair.body_b].clique.is_some_and(|clique| smooth[clique]);
            let lag = match (self.pressed_with(pair).nth(1).is_some(), is_smooth) {
                (true, true) => n1 - (f1 + f2 - f),
                (true, false) => 0.5 * (n0 + n1 - f1 - f2),
                (false, true) => (n0 - 2.0 * n1 + f2) / 6.0,
                (false, false) => (2.0 * n0 - n1 - f2) / 6.0,
            };
            let gain = pair.start.friction * 2.0 * self.step_terms.dt * pair.start.delassus;
            let soft = slip.hypot(pair.start.slip_tolerance);
            let part = slip / soft;
            let sticking = 1.0 + gain * n0.max(n1).max(f2) * (1.0 - part * part) / soft;
            most = most.max(gain * lag.abs() * part / sticking);
        }
        most
    }

    /// Points that press the body or the mechanism of `pair` against something.
    pub(super) fn pressed_with(&self, pair: &ContactRow) -> impl Iterator<Item = &ContactRow> {
        let island = [pair.body_a, pair.body_b].into_iter().find_map(|body| self.island_of_body(body));
        let patches = island.into_iter().flat_map(|island| &island.patches);
        let pairs = patches.flat_map(|&patch| &self.contacts.points[self.contacts.patches[patch].points.clone()]);
        pairs.filter(|pair| pair.start.elastic_force > 0.0)
    }

    /// Makes friction use the normal forces of a solution of a step of length `h` with the velocities `v`.
    pub fn follow_loads(&mut self, h: f64, v: &[f64]) {
        for patch in 0..self.contacts.patches.len() {
            if !self.follows(&self.contacts.patches[patch]) {
                continue;
            }
            for point in self.contacts.patches[patch].points.clone() {
                self.contacts.points[point].start.load = self.load_at(point, h, v).0;
            }
        }
        self.resist_by_loads();
    }

    /// Makes friction use the normal forces at the start of the step.
    pub fn lag_loads(&mut self) {
        self.contacts.points.iter_mut().for_each(|pair| pair.start.load = pair.start.normal_force);
        self.resist_by_loads();
    }
}
