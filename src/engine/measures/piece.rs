//! A signal over a part of the time: straight lines between samples, or the smooth motion of a step.

use super::search::{change, lowest};

/// Number of points of a local polynomial.
const POINTS: usize = 4;
/// Gauss-Legendre points of an interval from 0 to 1, and their weights: exact for polynomials of degree 5.
const GAUSS: [(f64, f64); 3] =
    [(0.112_701_665_379_258_31, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.887_298_334_620_741_7, 5.0 / 18.0)];

/// Values of a signal at ascending times.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    /// Times \[s\].
    pub times: &'a [f64],
    /// Values.
    pub values: &'a [f64],
    /// True for evenly spaced points of a smooth signal, between which cubic polynomials are as accurate as these;
    /// otherwise straight lines join them.
    pub smooth: bool,
}

impl Piece<'_> {
    fn is_cubic(&self) -> bool {
        self.smooth && self.times.len() >= POINTS
    }

    /// Number of intervals between points.
    fn intervals(&self) -> std::ops::Range<usize> {
        0..self.times.len().saturating_sub(1)
    }

    /// Value at the time `t` within interval `i`.
    fn within(&self, i: usize, t: f64) -> f64 {
        let (times, values) = (self.times, self.values);
        if !self.is_cubic() {
            let length = times[i + 1] - times[i];
            return if length > 0.0 {
                values[i] + (values[i + 1] - values[i]) * ((t - times[i]) / length)
            } else {
                values[i]
            };
        }
        let first = i.saturating_sub(1).min(times.len() - POINTS);
        let nodes = first..first + POINTS;
        let weight = |j: usize| {
            let others = nodes.clone().filter(|k| *k != j);
            others.map(|k| (t - times[k]) / (times[j] - times[k])).product::<f64>()
        };
        nodes.clone().map(|j| values[j] * weight(j)).sum()
    }

    /// Value at the time `t`; `None` outside of the piece.
    pub fn at(&self, t: f64) -> Option<f64> {
        let i = self.intervals().find(|&i| self.times[i] <= t && t <= self.times[i + 1])?;
        Some(self.within(i, t))
    }

    /// Integral of a function `of` the value over the time. Between two samples by the trapezoidal rule.
    pub fn integral(&self, of: impl Fn(f64) -> f64) -> f64 {
        self.intervals().map(|i| self.integral_from(i, self.times[i], self.times[i + 1], &of)).sum()
    }

    /// Integral of the magnitude over the time.
    pub fn integral_of_magnitude(&self) -> f64 {
        let between = |i: usize| {
            let (from, to) = (self.times[i], self.times[i + 1]);
            match self.crossing_within(i, 0.0).filter(|zero| *zero > from && *zero < to) {
                Some(zero) => {
                    [(from, zero), (zero, to)].map(|(a, b)| self.integral_from(i, a, b, &f64::abs)).iter().sum()
                }
                None => self.integral_from(i, from, to, &f64::abs),
            }
        };
        self.intervals().map(between).sum()
    }

    fn integral_from(&self, i: usize, from: f64, to: f64, of: &impl Fn(f64) -> f64) -> f64 {
        if !self.is_cubic() {
            let value = |t: f64| match t {
                t if t == self.times[i] => self.values[i],
                t if t == self.times[i + 1] => self.values[i + 1],
                t => self.within(i, t),
            };
            return 0.5 * (of(value(from)) + of(value(to))) * (to - from);
        }
        GAUSS.iter().map(|(u, weight)| weight * of(self.within(i, from + u * (to - from)))).sum::<f64>() * (to - from)
    }

    /// The smallest value of the signal times `sign`.
    pub fn least(&self, sign: f64) -> f64 {
        let mut least = f64::INFINITY;
        for (i, value) in self.values.iter().enumerate() {
            if value.is_nan() {
                return f64::NAN;
            }
            least = least.min(sign * value);
            if !self.is_cubic() {
                continue;
            }
            let near = |k: usize| sign * self.values[k];
            let last = self.values.len() - 1;
            let is_low = (i == 0 || near(i) <= near(i - 1)) && (i == last || near(i) <= near(i + 1));
            if is_low {
                let (from, to) = (i.saturating_sub(1), (i + 1).min(last));
                let value = |t: f64| sign * self.within(if t < self.times[i] { from } else { i.min(last - 1) }, t);
                least = least.min(lowest(self.times[from], self.times[to], value).1);
            }
        }
        least
    }

    /// First time at which the signal crosses `level`, or reaches it.
    pub fn crossing(&self, level: f64) -> Option<f64> {
        self.intervals().find_map(|i| self.crossing_within(i, level))
    }

    fn crossing_within(&self, i: usize, level: f64) -> Option<f64> {
        let (t, time) = (self.times[i], self.times[i + 1]);
        let (a, b) = (self.values[i] - level, self.values[i + 1] - level);
        (a * b < 0.0 || b == 0.0 && a != 0.0).then(|| match self.is_cubic() && b != 0.0 {
            true => change(t, time, |at| (self.within(i, at) - level) * b > 0.0),
            false => t + (time - t) * a / (a - b),
        })
    }

    /// Last time at which the distance from `target` is `band`, if it is larger before; `None` if it never is.
    pub fn last_outside(&self, target: f64, band: f64) -> Option<f64> {
        let outside = |value: f64| (value - target).abs() > band;
        let i = self.values.iter().rposition(|value| outside(*value))?;
        if i + 1 == self.values.len() {
            return Some(self.times[i]);
        }
        Some(change(self.times[i], self.times[i + 1], |t| !outside(self.within(i, t))))
    }
}
