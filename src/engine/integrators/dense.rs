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
//! polynomial, with `r2 = r3 = 0` as well a straight line. The choice of a method is as accurate as its step: one
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

use crate::choices::dense::{MIDDLE_ERROR_RATIO, RATE_ERRORS};
use kinegraph_convex::linear_algebra::quaternion::{angular_velocity, turn_near, turned};
use nalgebra::Vector3;

/// Orientation within a step.
#[derive(Clone, Copy, Debug)]
struct Turn {
    /// First index of its quaternion, and the quaternion at the start.
    at: usize,
    start: [f64; 4],
    /// Turn over the step \[rad\].
    whole: Vector3<f64>,
    /// Deviations of the angular velocities at both ends from that, times the step \[rad\].
    ends: (Vector3<f64>, Vector3<f64>),
}

impl Turn {
    /// Quaternion at the part `u` of the step.
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
    /// End of the step: `r0 + r1` has a rounding error.
    end: Vec<f64>,
}

impl DenseStep {
    /// Records a step. A coordinate whose rate of change is not a number at both ends moves on a straight line, the
    /// others on a cubic.
    pub fn record(&mut self, times: (f64, f64), start: &[f64], end: &[f64], rates: (&[f64], &[f64])) {
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

    /// Interpolates the `quaternions` (the first index of each) of the recorded step as turns, as far as their `rates`
    /// at both ends are known.
    pub fn turn(&mut self, quaternions: &[usize], rates: (&[f64], &[f64])) {
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

    /// Records a step on parabolas. For a coordinate, given its start and its change, `bend` returns four times its
    /// deviation from a straight line in the middle.
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

    /// Records a step on straight lines.
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

    /// Bends coordinate `i`, recorded as a straight line, to a parabola through the value `middle` at half of the step.
    /// Its deviation from the line is limited to `most`.
    pub fn bend(&mut self, i: usize, middle: f64, most: f64) {
        let [r0, r1, r2, ..] = &mut self.r;
        let deviation = middle - (r0[i] + 0.5 * r1[i]);
        r2[i] = if deviation.is_finite() { 4.0 * deviation.clamp(-most, most) } else { 0.0 }; // formula
    }

    /// Bends coordinate `i`, recorded as a cubic, if it misses the value `middle` at half of the step by more than
    /// `most` and by more than a tenth of the `accuracy` of that coordinate: then velocities jumped within the step,
    /// and the rates at the ends do not describe it. It becomes a parabola, as in [`bend`](Self::bend).
    pub fn bend_if_off(&mut self, i: usize, middle: f64, most: f64, accuracy: impl FnOnce() -> f64) {
        let [r0, r1, r2, r3, _] = &mut self.r;
        let cubic = r0[i] + 0.5 * (r1[i] + 0.5 * (r2[i] + 0.5 * r3[i]));
        let deviation = (cubic - middle).abs();
        // Not-a-number counts as off.
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

    /// Shapes coordinate `i` by its `rates` of change at both ends. Between these it deviates from a straight line as
    /// the parabola `p u (1 - u)` does to second order; `bend` is p, or `None` where only the rates give it.
    ///
    /// Rates are limited: those of fast changes within the step (a decay, or noise that stiffness amplifies) lead away
    /// from the motion. A coordinate with rates of one sign does not turn. The rates deviate from those of the parabola
    /// by no more than these are themselves, or by five times the `error` of the step. Unknown rates change nothing.
    pub fn lead(&mut self, i: usize, rates: (f64, f64), bend: Option<f64>, error: f64) {
        let h = self.times.1 - self.times.0;
        let [_, r1, r2, r3, _] = &mut self.r;
        let whole = r1[i];
        let (from, to) = (h * rates.0 - whole, h * rates.1 - whole);
        let mut bend = bend.unwrap_or(0.5 * (from - to));
        if !(from.is_finite() && to.is_finite() && bend.is_finite()) {
            return;
        }
        if rates.0 * rates.1 >= 0.0 {
            bend = bend.clamp(-whole.abs(), whole.abs());
        }
        let most = (RATE_ERRORS * error).max(bend.abs());
        let (from, to) = (from.clamp(bend - most, bend + most), to.clamp(-bend - most, -bend + most));
        r2[i] = from;
        r3[i] = -from - to;
    }

    /// Returns p of the parabola `p u (1 - u)` by which coordinate `i` deviates from a straight line if it has the
    /// value `x` at the part `u` of the step.
    pub fn bend_through(&self, i: usize, u: f64, x: f64) -> f64 {
        (x - self.r[0][i] - u * self.r[1][i]) / (u * (1.0 - u))
    }

    /// Term of fourth order, zero until written.
    pub fn quartic(&mut self) -> &mut [f64] {
        &mut self.r[4]
    }

    /// Rates of the polynomials at the part `u` of the step, times its length.
    pub fn slopes(&self, u: f64, slopes: &mut Vec<f64>) {
        let w = 1.0 - u;
        let [_, r1, r2, r3, r4] = &self.r;
        slopes.clear();
        slopes.extend((0..self.end.len()).map(|i| {
            // Values and slopes of the nested factors, from the inside.
            let (a, da) = (r3[i] + w * r4[i], -r4[i]);
            let (b, db) = (r2[i] + u * a, a + u * da);
            let (c, dc) = (r1[i] + w * b, w * db - b);
            c + u * dc
        }));
    }

    /// Writes the continuous state at `time` within the step.
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
