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

/// The last accepted step.
#[derive(Clone, Debug, Default)]
pub struct DenseStep {
    /// Start and end \[s\].
    pub times: (f64, f64),
    r: [Vec<f64>; 5],
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
    /// `most`: the rates at the ends do not lead along it, for velocities jumped within the step. It goes on a parabola
    /// then, as [`bend`](Self::bend) makes it.
    pub(super) fn bend_if_off(&mut self, i: usize, middle: f64, most: f64) {
        let [r0, r1, r2, r3, _] = &mut self.r;
        let cubic = r0[i] + 0.5 * (r1[i] + 0.5 * (r2[i] + 0.5 * r3[i]));
        // Not-a-number is off.
        if (cubic - middle).abs() <= most {
            return;
        }
        r3[i] = 0.0;
        self.bend(i, middle, most);
    }

    /// The term of fourth order, zero until written.
    pub(super) fn quartic(&mut self) -> &mut [f64] {
        &mut self.r[4]
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
    fn a_cubic_whose_rates_lead_elsewhere_becomes_a_parabola() {
        let mut dense = DenseStep::default();
        let (start, end) = ([1.0, 1.0, 0.0], [1.0, 1.0, 1.0]);
        // One that stops at once, as its middle shows; two that go on as their rates say.
        dense.record((0.0, 1.0), &start, &end, (&[4.0, 4.0, 1.0], &[0.0, 0.0, 1.0]));
        for (i, (middle, most)) in [(1.0, 0.0), (1.5, 0.1), (0.5 + 1e-3, 1e-2)].into_iter().enumerate() {
            dense.bend_if_off(i, middle, most);
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
        dense.evaluate(1.25, &mut at);
        assert!((at[0] - x(1.25)[0] - 1.0).abs() < 1e-14);
        for (t, bound) in [(1.0, 0.0), (1.5, 0.0), (1.0 + 5e-7, 1.7e-11), (1.5 - 5e-7, 1.7e-11)] {
            dense.evaluate(t, &mut at);
            assert!((at[0] - x(t)[0]).abs() <= bound + 1e-15);
        }
    }
}
