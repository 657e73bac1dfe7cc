//! Where contact is so soft against the step that an explicit method follows it better than the convex step does.

use super::pools::ContactLaw;
use crate::contact::{CompliantStop, LimitedEffort, Pair, Patch, Problem};

/// A contact point whose place moves faster than the bodies turn by more than this factor wanders.
const WANDER: f64 = 2.0;
/// A place that is the same but for rounding \[m\].
const SAME: f64 = 1e-9;

impl Problem {
    /// Leaves marked the cliques on which nothing acts but rigid constraints and contacts that are soft against a step
    /// of length `h`, and whose points stay where they are on the bodies from here to `later`, the problem of a state
    /// later by `dt` within the step: a point that jumps from one edge of a body to the other makes a torque that no
    /// smooth method follows. `v` is the solution of the step last set.
    pub fn resolves(&self, h: f64, v: &[f64], (later, dt): (&Problem, f64), marked: &mut [bool]) {
        let limited = self.elements.of::<LimitedEffort>().iter().map(|effort| effort.velocity);
        let limited = limited.chain(self.elements.velocities_not_free());
        let stops = self.elements.of::<CompliantStop>().iter();
        let pushing = stops.filter(|stop| stop.may_push(v[stop.velocity], h));
        let limited = limited.chain(pushing.map(|stop| stop.velocity));
        let limited = limited.filter(|&velocity| !self.locked[velocity]).map(|velocity| self.island_of(velocity));
        let acts_on = |island: usize| limited.clone().any(|other| other == island);
        for island in self.islands.all() {
            let others = island.rows.iter().any(|&group| self.rows[group].compliance.is_some())
                || acts_on(island.index)
                || island.feedback.iter().any(|&f| self.feedback[f].limited_rows().next().is_some())
                || island.cliques.iter().any(|&c| self.locked[self.cliques[c].velocities.clone()].contains(&true));
            let soft = |&p: &usize| {
                let patch = &self.patches[p];
                let follows = |i: usize| {
                    let pair = &self.pairs[i];
                    let velocity = self.point_velocity(patch.body_b, &pair.p_BC, v)
                        - self.point_velocity(patch.body_a, &pair.p_AC, v)
                        + pair.bias_velocity;
                    let impulse = ContactLaw::new(&pair.contact, self.dt).impulse(&velocity);
                    if pair.contact.elastic_force <= 0.0 {
                        // A contact that closes within the step acts as well, and a stiff one throws an explicit method
                        // far off.
                        return impulse.dot(&pair.contact.normal) <= 0.0 || pair.contact.can_close(h);
                    }
                    pair.contact.is_soft(h, &impulse) && !self.wanders(patch, i, dt, later)
                };
                patch.pairs.clone().all(follows)
            };
            let resolved = !others && island.patches.iter().all(soft);
            island.cliques.iter().for_each(|&c| marked[c] &= resolved);
        }
    }

    /// Whether contact point `i` is at another place of the bodies in `later`, after the time `dt`.
    fn wanders(&self, patch: &Patch, i: usize, dt: f64, later: &Problem) -> bool {
        let pair = &self.pairs[i];
        let same = |other: &&Pair| other.key == pair.key;
        let Some(other) = later.pairs.get(i).filter(same).or_else(|| later.pairs.iter().find(same)) else {
            return true;
        };
        let ((wa, _), (wb, _)) = (self.velocity_of(patch.body_a), self.velocity_of(patch.body_b));
        let turning = WANDER * dt * (wa.norm() + wb.norm());
        let approach = dt * pair.contact.separation0.abs();
        (other.p_BC - pair.p_BC).norm() > turning * pair.p_BC.norm() + approach + SAME
    }
}
