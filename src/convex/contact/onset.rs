//! Errors of velocity where bodies begin to slide, or come to rest on each other: the time of that is in error then.
//!
//! Regularized friction `mu n s / sqrt(s² + v_s²)` of a body that begins to slide grows to its limit while the slip s
//! passes the stiction tolerance v_s. Under a pull a \[m/s²\] and a limit b of friction below it, the missing friction
//! until then leaves the body faster by about
//!
//! ```text
//! v_s b / (a - b)
//! ```
//!
//! for as long as it slides. A step that ends far beyond v_s misses all of it, and positions do not show that: the step
//! is short against the time in which they would.
//!
//! Such an error lasts while the load does. Where bodies strike or land, and in the feet of a robot that yields,
//! friction follows a load that changes, and few of its errors last. So an error of velocity counts for the time in
//! which the normal force of all points of two bodies changes by a part of itself, `part Σ n / |Σ k vn|`, at most for
//! the horizon. (The force of a single point changes where the load shifts from one to another, which does not affect
//! friction.) It counts where the point stays: a cylinder that all but rests on its face touches at one place of its
//! rim in one step, and elsewhere in the next. Where friction keeps its strength, errors count for bodies and
//! mechanisms that touch alone, and that no controller holds, which would correct them. Where friction falls as bodies
//! break loose, an error decides about the time of that, whatever moves them.

use super::elements::ContactRow;
use super::problem::Problem;
use crate::choices::contact::{DYNAMIC, STATIC};
use nalgebra::Vector3;

/// Time for which an error of the velocity of sliding counts.
#[derive(Clone, Copy, Debug)]
pub struct Lasting {
    /// Longest time \[s\].
    pub horizon: f64,
    /// Relative change of the normal force after which the error no longer counts.
    pub part: f64,
    /// Largest speed of a point around the bodies, over the speed at which they turn and slide.
    pub wander: f64,
}

/// Time in which the total normal force of these points, the load of their friction, changes by as much as itself
/// \[s\]; infinite where it does not change.
fn time_of_load(points: &[ContactRow]) -> f64 {
    let pressed = || points.iter().filter(|point| point.start.elastic_force > 0.0);
    let load: f64 = pressed().map(|point| point.start.normal_force).sum();
    let rate: f64 = pressed().map(|point| point.material.stiffness * point.start.separation0).sum();
    load / rate.abs()
}

impl Problem {
    /// Largest error of the distance of sliding \[m\], where bodies break loose or come to rest on each other: from the
    /// difference of the velocities of a full step of length `h`, `full`, and of its `halves`. `middle`: the problem of
    /// the second half step.
    pub fn breaking_loose(&self, middle: &Problem, h: f64, lasting: Lasting, full: &[f64], halves: &[f64]) -> f64 {
        let mut most = 0.0_f64;
        let touch_alone = self.touch_alone();
        for patch in &self.contacts.patches {
            let alone = touch_alone && self.follows(patch) && !self.is_led(patch);
            let steady = lasting.part * time_of_load(&self.contacts.points[patch.points.clone()]);
            let lasts = lasting.horizon.min(steady);
            for point in patch.points.clone() {
                let pair = &self.contacts.points[point];
                let counts = (alone || pair.weakens()) && pair.start.elastic_force > 0.0;
                let later = middle.same_point(pair, point);
                // Friction that depends on the direction turns with the bodies: the half steps end in its later frame.
                let at_start = Frame { problem: self, point: pair, h };
                let turned = later.filter(|_| pair.has_grain());
                let at_end = turned.map_or(at_start, |point| Frame { problem: middle, point, h: 0.5 * h });
                let found = if counts { at_start.error_of_onset(&at_end, full, halves) } else { None };
                let Some(error) = found.filter(|error| error * lasts > most) else { continue };
                if later.is_some_and(|later| self.stays(pair, later, 0.5 * h, lasting.wander)) {
                    most = error * lasts;
                }
            }
        }
        most
    }
}

/// A point in the law of a step of length h \[s\].
#[derive(Clone, Copy)]
struct Frame<'a> {
    problem: &'a Problem,
    point: &'a ContactRow,
    h: f64,
}

impl Frame<'_> {
    /// Slip at the end of the step, at the velocities `v` there.
    fn slip(&self, v: &[f64]) -> Vector3<f64> {
        let velocity = self.problem.velocity_after(self.point, self.h, v);
        velocity - self.point.normal * self.point.normal.dot(&velocity)
    }

    /// Difference of the velocities of sliding \[m/s\] where the point breaks loose in the step, or comes to rest;
    /// the half steps end in the frame `at_end`.
    fn error_of_onset(&self, at_end: &Frame<'_>, full: &[f64], halves: &[f64]) -> Option<f64> {
        let pair = self.point;
        let start = pair.start.slip0.norm() / pair.start.slip_tolerance;
        if !pair.weakens() && start >= DYNAMIC {
            return None;
        }
        let (a, b) = (self.slip(full), at_end.slip(halves));
        let slips = [start, a.norm() / pair.start.slip_tolerance, b.norm() / pair.start.slip_tolerance];
        let begins = match pair.weakens() {
            true => slips.iter().any(|slip| *slip < DYNAMIC) && slips.iter().any(|slip| *slip > STATIC),
            false => slips[2] > 1.0,
        };
        begins.then(|| (a - b).norm())
    }
}
