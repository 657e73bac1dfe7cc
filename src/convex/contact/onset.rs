//! Where bodies begin to slide, or come to rest on each other: an error of their velocity then is one of when they do.
//!
//! Regularized friction `mu n s / sqrt(s² + v_s²)` of a body that begins to slide grows to its limit while the slip s
//! passes the stiction tolerance v_s. Under a pull a \[m/s²\] and a limit b of friction below it, what it lacks until
//! then leaves the body faster by about
//!
//! ```text
//! v_s b / (a - b)
//! ```
//!
//! for as long as it slides. A step that ends far beyond v_s misses all of it, and positions do not show that: the step
//! is short against the time in which it does.
//!
//! Where bodies strike or land, what friction does is decided by the impact, and few of its errors last: velocities
//! count only where the normal force is as good as steady, and where the point stays. A cylinder that all but rests on
//! its face touches at one place of its rim in one step, and elsewhere in the next. Where friction keeps its strength,
//! they count for bodies and mechanisms that touch alone, and that no controller holds, which would take errors of
//! velocity back. Where friction falls as bodies break loose, an error decides when that is, whoever moves them.

use super::elements::{ContactRow, DYNAMIC, STATIC};
use super::problem::Problem;

/// Where friction falls as bodies break loose, a normal force that changes by so many times the part that it may
/// change by elsewhere is steady, too: the time at which they do is more sensitive to their load.
const WEAKENING: f64 = 100.0;

/// What counts as steady contact.
#[derive(Clone, Copy, Debug)]
pub struct Steadiness {
    /// The largest change of the normal force in a step, as a part of it.
    pub force: f64,
    /// How many times as fast as the bodies turn a point may run around them.
    pub wander: f64,
}

impl ContactRow {
    /// Whether the normal force changes by no more than this `part` of it in a step of length `dt`.
    fn is_steady(&self, dt: f64, part: f64) -> bool {
        dt * self.stiffness * self.separation0.abs() <= part * self.normal_force
    }
}

impl Problem {
    /// By how much the velocities of sliding \[m/s\] of a full step of length `h`, `full`, and of its `halves` differ
    /// where bodies break loose or come to rest on each other. `middle`: the problem of the second half step.
    pub fn breaking_loose(&self, middle: &Problem, h: f64, steady: Steadiness, full: &[f64], halves: &[f64]) -> f64 {
        let mut most = 0.0_f64;
        let touch_alone = self.touch_alone();
        for patch in &self.patches {
            let alone = touch_alone && self.follows(patch) && !self.is_led(patch);
            for point in patch.pairs.clone() {
                let pair = &self.pairs[point];
                let stays = || {
                    let later = middle.same_point(pair, point);
                    later.is_some_and(|later| self.stays(pair, later, 0.5 * h, steady.wander))
                };
                let part = if pair.weakens() { WEAKENING * steady.force } else { steady.force };
                let counts = (alone || pair.weakens()) && pair.is_steady(h, part) && stays();
                if !counts || pair.elastic_force <= 0.0 {
                    continue;
                }
                let slip = |v: &[f64]| {
                    let vc = self.velocity_after(pair, h, v);
                    vc - pair.normal * pair.normal.dot(&vc)
                };
                let (a, b) = (slip(full), slip(halves));
                let slips = [pair.slip0.norm(), a.norm(), b.norm()].map(|slip| slip / pair.slip_tolerance);
                let begins = match pair.weakens() {
                    true => slips.iter().any(|slip| *slip < DYNAMIC) && slips.iter().any(|slip| *slip > STATIC),
                    false => slips[0] < DYNAMIC && slips[2] > 1.0,
                };
                if begins {
                    most = most.max((a - b).norm());
                }
            }
        }
        most
    }
}
