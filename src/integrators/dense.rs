//! Dense output of a step: recordings read the motion anywhere inside a step without changing it.
//!
//! Positions: cubic Hermite from the positions and their rates at both ends. Everything else: linear. Both are as accurate as the
//! step itself.

/// The last accepted step.
#[derive(Clone, Debug, Default)]
pub struct DenseStep {
    /// Start and end \[s\].
    pub times: (f64, f64),
    pub(super) start: Vec<f64>,
    pub(super) end: Vec<f64>,
    pub(super) start_rates: Vec<f64>,
    pub(super) end_rates: Vec<f64>,
    /// Whether state i has rates.
    pub(super) smooth: Vec<bool>,
}

impl DenseStep {
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
        let (u2, u3) = (u * u, u * u * u);
        for i in 0..self.end.len() {
            let (a, b) = (self.start[i], self.end[i]);
            continuous.push(if self.smooth[i] {
                let (da, db) = (h * self.start_rates[i], h * self.end_rates[i]);
                a * (2.0 * u3 - 3.0 * u2 + 1.0) + da * (u3 - 2.0 * u2 + u) + b * (3.0 * u2 - 2.0 * u3) + db * (u3 - u2)
            } else {
                a + u * (b - a)
            });
        }
    }
}
