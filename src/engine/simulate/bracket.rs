//! Shrinking the bracket of a root: false position, with the Illinois rule so that both ends move, and bisection where
//! that is slow.

/// A bracket of a root: the function has one sign at `low` and another (or crosses) at `high`.
#[derive(Clone, Copy, Debug)]
pub struct Bracket {
    pub low: f64,
    pub high: f64,
    tolerance: f64,
    /// End that moved last, and how often in a row.
    moved: (End, i32),
    /// Width two steps ago: if it has not halved since, bisect.
    widths: [f64; 2],
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    Low,
    High,
}

impl Bracket {
    pub fn new(low: f64, high: f64, tolerance: f64) -> Self {
        Bracket { low, high, tolerance, moved: (End::Low, 0), widths: [f64::INFINITY; 2] }
    }

    /// Next point to evaluate, given the values at both ends; `None` if the bracket is as narrow as the tolerance, or
    /// as rounding allows.
    pub fn next(&mut self, f_low: f64, f_high: f64) -> Option<f64> {
        let width = self.high - self.low;
        if width <= self.tolerance {
            return None;
        }
        // The end that stays counts for half as much every time the other one moves again.
        let weight = 0.5_f64.powi((self.moved.1 - 1).max(0));
        let (a, b) = match self.moved.0 {
            End::Low => (f_low, f_high * weight),
            End::High => (f_low * weight, f_high),
        };
        let secant = self.low + width * (a / (a - b));
        let middle = self.low + 0.5 * width;
        let slow = width > 0.5 * self.widths[0];
        self.widths = [self.widths[1], width];
        // Not nearer to an end than the tolerance: the step that closes the bracket must pass the root.
        let margin = 0.5 * self.tolerance;
        let t =
            if slow || !secant.is_finite() { middle } else { secant.max(self.low + margin).min(self.high - margin) };
        (t > self.low && t < self.high).then_some(t)
    }

    /// Notes that the root is at `t` or before.
    pub fn cut_high(&mut self, t: f64) {
        self.high = t;
        self.count(End::High);
    }

    /// Notes that the root is after `t`.
    pub fn cut_low(&mut self, t: f64) {
        self.low = t;
        self.count(End::Low);
    }

    fn count(&mut self, end: End) {
        self.moved = (end, if self.moved.0 == end { self.moved.1 + 1 } else { 1 });
    }

    /// Far end.
    pub fn high(&self) -> f64 {
        self.high
    }
}
