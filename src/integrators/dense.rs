//! Dense output of a step: recordings and witness functions read the motion anywhere inside a step without changing it.
//!
//! Over `u = (t - t0)/h` every coordinate is the quartic
//!
//! ```text
//! x(u) = r0 + u (r1 + (1-u) (r2 + u (r3 + (1-u) r4))),
//! r0 = x0,   r1 = x1 - x0,   r2 = h x0' - r1,   r3 = r1 - h x1' - r2
//! ```
//!
//! \[Hairer, Nørsett & Wanner, Solving Ordinary Differential Equations I, II.6\]. With `r4 = 0` it is the cubic Hermite
//! polynomial, with `r2 = r3 = 0` as well a straight line. Which of them a method uses is as accurate as its step: one
//! formula serves all.
//!
//! Orientations turn in a chart that turns along: with the turn X from the first to the last and the angular velocities
//! w0 and w1,
//!
//! ```text
//! q(u) = Exp(y(u)) Exp(u X) q0,   y the cubic with y(0) = y(1) = 0, y'(0) = h w0 - X, y'(1) = h w1 - X
//! ```
//!
//! which is exact about a fixed axis, whatever the angle.

use crate::linear_algebra::quaternion::{angular_velocity, turn_near, turned};
use nalgebra::Vector3;

/// A curve may miss the middle of a step by this part of what the accuracy lets it deviate.
const MIDDLE_ERROR_RATIO: f64 = 0.1;

/// The orientation within a step.
#[derive(Clone, Copy, Debug)]
struct Turn {
    /// The first index of its quaternion, and the quaternion at the start.
    at: usize,
    start: [f64; 4],
    /// The turn over the step \[rad\].
    whole: Vector3<f64>,
    /// By how much the angular velocities at both ends deviate from that, times the step \[rad\].
    ends: (Vector3<f64>, Vector3<f64>),
}

impl Turn {
    /// The quaternion at the part `u` of the step.
    fn at(&self, u: f64) -> [f64; 4] {
        let w = 1.0 - u;
        let apart = (self.ends.0 * w - self.ends.1 * u) * (u * w);
        turned(&apart, &turned(&(self.whole * u), &self.start))
    }
}

/// The last accepted step.
#[derive(Clone, Debug, Default)]
pub struct DenseStep {
    /// Start and end \[s\].
    pub times: (f64, f64),
    r: [Vec<f64>; 5],
    turns: Vec<Turn>,
    /// The end itself: `r0 + r1` has a rounding error.
    end: Vec<f64>,
}

impl DenseStep {
    /// Remembers a step. A coordinate whose rate of change is not a number at both ends moves on a straight line, the
    /// others on a cubic.
    pub(super) fn record(&mut self, times: (f64, f64), start: &[f64], end: &[f64], rates: (&[f64], &[f64])) {
        self.record_lines(times, start, end);
        let h = times.1 - times.0;
        let [_, r1, r2, r3, _] = &mut self.r;
        for i in 0..end.len() {
            let (from, to) = (h * rates.0[i], h * rates.1[i]);
            if from.is_finite() && to.is_finite() {
                r2[i] = from - r1[i];
                r3[i] = r1[i] - to - r2[i];
            }
        }
    }

    /// Lets the `quaternions` (the first index of each) of the step that was recorded turn, as far as their `rates` at
    /// both ends are known.
    pub(super) fn turn(&mut self, quaternions: &[usize], rates: (&[f64], &[f64])) {
        let h = self.times.1 - self.times.0;
        let start = &self.r[0];
        for at in quaternions.iter().map(|&first| first..first + 4) {
            let (q0, q1) = (&start[at.clone()], &self.end[at.clone()]);
            let velocities = (angular_velocity(q0, &rates.0[at.clone()]), angular_velocity(q1, &rates.1[at.clone()]));
            let (from, to) = (velocities.0 * h, velocities.1 * h);
            let whole = turn_near(q0, q1, &((from + to) * 0.5));
            let is_known = (from + to + whole).iter().all(|x| x.is_finite());
            let start = [q0[0], q0[1], q0[2], q0[3]];
            self.turns.extend(is_known.then_some(Turn {
                at: at.start,
                start,
                whole,
                ends: (from - whole, to - whole),
            }));
        }
    }

    /// Remembers a step on parabolas: `bend` gives, of a coordinate, where it starts and by how much it changes, four
    /// times its deviation from a straight line in the middle.
    pub(super) fn record_parabola(
        &mut self,
        times: (f64, f64),
        start: &[f64],
        end: &[f64],
        bend: impl Fn(usize, f64, f64) -> f64,
    ) {
        self.record_lines(times, start, end);
        let [r0, r1, r2, ..] = &mut self.r;
        for i in 0..end.len() {
            r2[i] = bend(i, r0[i], r1[i]);
        }
    }

    /// Remembers a step on straight lines.
    fn record_lines(&mut self, times: (f64, f64), start: &[f64], end: &[f64]) {
        self.times = times;
        self.turns.clear();
        self.end.clear();
        self.end.extend_from_slice(end);
        for r in &mut self.r {
            r.clear();
            r.resize(end.len(), 0.0);
        }
        let [r0, r1, ..] = &mut self.r;
        r0.copy_from_slice(start);
        r1.iter_mut().enumerate().for_each(|(i, r1)| *r1 = end[i] - start[i]);
    }

    /// Leads coordinate `i`, recorded as a straight line, through the value `middle` at half of the step on a parabola,
    /// as far as that deviates from the line by no more than `most`.
    pub(super) fn bend(&mut self, i: usize, middle: f64, most: f64) {
        let [r0, r1, r2, ..] = &mut self.r;
        let deviation = middle - (r0[i] + 0.5 * r1[i]);
        r2[i] = if deviation.is_finite() { 4.0 * deviation.clamp(-most, most) } else { 0.0 };
    }

    /// Bends coordinate `i`, recorded as a cubic, where that misses the value `middle` at half of the step by more than
    /// `most` and than a tenth of the `accuracy` of that coordinate: the rates at the ends do not lead along it, for
    /// velocities jumped within the step. It goes on a parabola then, as [`bend`](Self::bend) makes it.
    pub(super) fn bend_if_off(&mut self, i: usize, middle: f64, most: f64, accuracy: impl FnOnce() -> f64) {
        let [r0, r1, r2, r3, _] = &mut self.r;
        let cubic = r0[i] + 0.5 * (r1[i] + 0.5 * (r2[i] + 0.5 * r3[i]));
        let deviation = (cubic - middle).abs();
        // Not-a-number is off.
        if deviation <= most {
            return;
        }
        let most = most.max(MIDDLE_ERROR_RATIO * accuracy());
        if deviation <= most {
            return;
        }
        r3[i] = 0.0;
        self.bend(i, middle, most);
    }

    /// The term of fourth order, zero until written.
    pub(super) fn quartic(&mut self) -> &mut [f64] {
        &mut self.r[4]
    }

    /// The rates of the polynomials at the part `u` of the step, times its length.
    pub(super) fn slopes(&self, u: f64, slopes: &mut Vec<f64>) {
        let w = 1.0 - u;
        let [_, r1, r2, r3, r4] = &self.r;
        slopes.clear();
        slopes.extend((0..self.end.len()).map(|i| {
            // Values and slopes of the nested factors, from within.
            let (a, da) = (r3[i] + w * r4[i], -r4[i]);
            let (b, db) = (r2[i] + u * a, a + u * da);
            let (c, dc) = (r1[i] + w * b, w * db - b);
            c + u * dc
        }));
    }

    /// The continuous state at `time` within the step.
    pub fn evaluate(&self, time: f64, continuous: &mut Vec<f64>) {
        continuous.clear();
        let (t0, t1) = self.times;
        let h = t1 - t0;
        if time >= t1 || h <= 0.0 {
            continuous.extend_from_slice(&self.end);
            return;
        }
        let u = ((time - t0) / h).clamp(0.0, 1.0);
        let w = 1.0 - u;
        let [r0, r1, r2, r3, r4] = &self.r;
        let value = |i: usize| r0[i] + u * (r1[i] + w * (r2[i] + u * (r3[i] + w * r4[i])));
        continuous.extend((0..self.end.len()).map(value));
        for turn in &self.turns {
            continuous[turn.at..turn.at + 4].copy_from_slice(&turn.at(u));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_bends_through_a_third_point_within_bounds() {
        let mut dense = DenseStep::default();
        let unknown = [f64::NAN; 2];
        dense.record((0.0, 2.0), &[1.0, 1.0], &[5.0, 5.0], (&unknown, &unknown));
        // 1 + t²/2 + t, and far off the line.
        dense.bend(0, 2.5, 0.6);
        dense.bend(1, -40.0, 0.25);
        let mut at = Vec::new();
        dense.evaluate(0.5, &mut at);
        assert_eq!(at[0], 1.0 + 0.125 + 0.5);
        dense.evaluate(1.0, &mut at);
        assert_eq!(at, [2.5, 2.75]);
        dense.evaluate(2.0, &mut at);
        assert_eq!(at, [5.0, 5.0]);
    }

    #[test]
    fn turns_about_a_fixed_axis_are_exact_and_others_of_fourth_order() {
        let q0 = turned(&Vector3::new(0.4, -0.3, 0.9), &[1.0, 0.0, 0.0, 0.0]);
        let rate = |q: &[f64; 4], w: &Vector3<f64>| {
            let (h, mut at) = (1e-7, [0.0; 4]);
            let (on, back) = (turned(&(w * h), q), turned(&(w * -h), q));
            at.iter_mut().enumerate().for_each(|(i, at)| *at = (on[i] - back[i]) / (2.0 * h));
            at
        };
        // Spin about an axis that turns with z: q(t) = Exp(t p) Exp(t s) q0.
        let error = |p: f64, h: f64| {
            let (p, s) = (Vector3::z() * p, Vector3::new(3.0, 4.0, 12.0));
            let at = |t: f64| turned(&(p * t), &turned(&(s * t), &q0));
            let w = |t: f64| {
                let z = turned(&(p * t), &[1.0, 0.0, 0.0, 0.0]);
                p + nalgebra::UnitQuaternion::new_unchecked(nalgebra::Quaternion::new(z[0], z[1], z[2], z[3])) * s
            };
            let mut dense = DenseStep::default();
            let rates = (rate(&at(0.0), &w(0.0)), rate(&at(h), &w(h)));
            dense.record((0.0, h), &at(0.0), &at(h), (&rates.0, &rates.1));
            dense.turn(&[0], (&rates.0, &rates.1));
            let mut found = Vec::new();
            [0.2, 0.5, 0.9].into_iter().fold(0.0_f64, |most, u| {
                dense.evaluate(u * h, &mut found);
                let norm = found.iter().map(|x| x * x).sum::<f64>();
                assert!((norm - 1.0).abs() < 1e-13);
                most.max(crate::linear_algebra::quaternion::angle_between(&found, &at(u * h)))
            })
        };
        // Two revolutions.
        assert!(error(0.0, 1.0) < 1e-6, "{}", error(0.0, 1.0));
        let (coarse, fine) = (error(2.0, 0.1), error(2.0, 0.05));
        assert!((12.0..20.0).contains(&(coarse / fine)), "{coarse} {fine}");
    }

    #[test]
    fn a_cubic_whose_rates_lead_elsewhere_becomes_a_parabola() {
        let mut dense = DenseStep::default();
        let (start, end) = ([1.0, 1.0, 0.0], [1.0, 1.0, 1.0]);
        // One that stops at once, as its middle shows; two that go on as their rates say.
        dense.record((0.0, 1.0), &start, &end, (&[4.0, 4.0, 1.0], &[0.0, 0.0, 1.0]));
        for (i, (middle, most)) in [(1.0, 0.0), (1.5, 0.1), (0.5 + 1e-3, 1e-2)].into_iter().enumerate() {
            dense.bend_if_off(i, middle, most, || 0.0);
        }
        let mut at = Vec::new();
        dense.evaluate(0.25, &mut at);
        assert_eq!(at[0], 1.0);
        assert_eq!(at[1], 1.5625);
        assert_eq!(at[2], 0.25);
    }

    #[test]
    fn cubics_are_exact_lines_are_straight_and_the_quartic_vanishes_at_both_ends_with_its_slope() {
        let x = |t: f64| [t.powi(3) - 2.0 * t, 5.0 * t];
        let rates = |t: f64| [3.0 * t * t - 2.0, f64::NAN];
        let mut dense = DenseStep::default();
        dense.record((1.0, 1.5), &x(1.0), &x(1.5), (&rates(1.0), &rates(1.5)));
        let mut at = Vec::new();
        for t in [1.0, 1.1, 1.2345, 1.5] {
            dense.evaluate(t, &mut at);
            assert!(at.iter().zip(x(t)).all(|(a, b)| (a - b).abs() < 1e-15), "{t}: {at:?}");
        }
        dense.quartic()[0] = 16.0;
        let (mut slopes, mut near) = (Vec::new(), [Vec::new(), Vec::new()]);
        for (u, d) in [(0.25, 1e-6), (0.5, 1e-6), (0.75, 1e-6)] {
            dense.slopes(u, &mut slopes);
            dense.evaluate(1.0 + 0.5 * (u - d), &mut near[0]);
            dense.evaluate(1.0 + 0.5 * (u + d), &mut near[1]);
            assert!((0..2).all(|i| ((near[1][i] - near[0][i]) / (2.0 * d) - slopes[i]).abs() < 1e-8), "{u}");
        }
        dense.evaluate(1.25, &mut at);
        assert!((at[0] - x(1.25)[0] - 1.0).abs() < 1e-14);
        for (t, bound) in [(1.0, 0.0), (1.5, 0.0), (1.0 + 5e-7, 1.7e-11), (1.5 - 5e-7, 1.7e-11)] {
            dense.evaluate(t, &mut at);
            assert!((at[0] - x(t)[0]).abs() <= bound + 1e-15);
        }
    }
}
