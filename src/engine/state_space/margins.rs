//! Margins of a loop that is closed by negative feedback, from the response L of the open loop.
//!
//! The closed loop `L/(1 + L)` is at the edge of stability where L passes through -1. How far it is from there
//! \[Franklin, Powell & Emami-Naeini 2019, Feedback control of dynamic systems, sec. 6.4\]:
//!
//! * the gain margin `1/|L|` where L is real and negative: the factor on L that leads to -1;
//! * the phase margin `π + arg L` where |L| = 1; over that frequency, the delay margin, the delay that leads to -1;
//! * the peak of the sensitivity `|1/(1 + L)|`, the inverse of the smallest distance between L and -1.
//!
//! Of several crossings the one nearest to -1 counts: the smallest |ln| of a gain margin, the smallest size of a phase
//! margin, the shortest delay.

use super::LinearModel;
use crate::choices::margins::BISECTIONS;
use crate::measures::lowest;
use nalgebra::Complex;
use std::f64::consts::TAU;

/// Margins of a loop; `None` where L does not cross.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Margins {
    /// Factor on L that makes the closed loop oscillate \[1\].
    pub gain: Option<f64>,
    /// Frequency of that oscillation \[rad/s\].
    pub gain_frequency: Option<f64>,
    /// Change of phase at |L| = 1 that makes the closed loop oscillate \[deg\]; negative: L has passed -1.
    pub phase_deg: Option<f64>,
    /// Frequency of that oscillation \[rad/s\].
    pub phase_frequency: Option<f64>,
    /// Further delay that makes the closed loop oscillate \[s\].
    pub delay_s: Option<f64>,
    /// Largest `|1/(1 + L)|` \[1\].
    pub peak_sensitivity: f64,
    /// Frequency of that peak \[rad/s\].
    pub peak_frequency: f64,
    /// Largest `|L/(1 + L)|` \[1\].
    pub peak_complementary: f64,
    /// Frequency of that peak \[rad/s\].
    pub complementary_frequency: f64,
    /// True if both peaks are those at the frequencies of a grid, as with delays: lower bounds. Else no frequency has
    /// more.
    pub peaks_are_lower_bounds: bool,
    /// True if the closed loop is stable; `None` where that is not known, as with delays.
    pub closed_loop_stable: Option<bool>,
}

impl Margins {
    /// Margins of `response` between the frequencies of a grid, dense enough that L turns little between two of them,
    /// where `values` are known.
    pub fn of(frequencies: &[f64], values: &[Complex<f64>], response: impl Fn(f64) -> Complex<f64>) -> Self {
        let mut margins = Margins { peaks_are_lower_bounds: true, ..Margins::default() };
        // At zero frequency L is real: it may begin beyond -1.
        let start = response(0.0);
        margins.meet_real(0.0, start);
        let one = Complex::new(1.0, 0.0);
        let pairs = frequencies.windows(2).zip(values.windows(2));
        for (w, l) in pairs.filter(|(_, l)| l.iter().all(|l| l.re.is_finite() && l.im.is_finite())) {
            let ends = (w[0], w[1]);
            if l[0].im * l[1].im <= 0.0 && l[0].im != l[1].im {
                let w = bisect(ends, |w| response(w).im);
                let found = response(w);
                if found.re < 0.0 {
                    margins.meet_gain(w, found);
                }
            }
            let beyond = l.iter().map(|l| l.norm_sqr() - 1.0).collect::<Vec<_>>();
            if beyond[0] * beyond[1] <= 0.0 && beyond[0] != beyond[1] {
                let w = bisect(ends, |w| response(w).norm_sqr() - 1.0);
                margins.meet_phase(w, response(w));
            }
        }
        let peak = |size: &dyn Fn(&Complex<f64>) -> f64| {
            let sizes: Vec<f64> = values.iter().map(size).collect();
            let finite = (0..sizes.len()).filter(|k| sizes[*k].is_finite());
            let Some(k) = finite.max_by(|a, b| sizes[*a].total_cmp(&sizes[*b])) else { return (0.0, 0.0) };
            let ends = (frequencies[k.saturating_sub(1)], frequencies[(k + 1).min(sizes.len() - 1)]);
            let (w, low) = lowest(ends.0, ends.1, |w| -size(&response(w)));
            let peak = -low;
            if peak >= sizes[k] { (w, peak) } else { (frequencies[k], sizes[k]) }
        };
        (margins.peak_frequency, margins.peak_sensitivity) = peak(&|l| 1.0 / (one + l).norm());
        (margins.complementary_frequency, margins.peak_complementary) = peak(&|l| l.norm() / (one + l).norm());
        margins
    }

    /// Replaces the peaks of a grid by those of the `model` of the loop times `sign`, which no frequency exceeds, and
    /// says whether the closed loop is stable.
    pub fn refine(&mut self, model: &LinearModel, sign: f64) {
        let Some([sensitivity, complementary]) = model.sensitivities(sign) else { return };
        let stable = |poles: Vec<Complex<f64>>| poles.iter().all(|pole| sensitivity.beyond_stability(*pole) < 0.0);
        self.closed_loop_stable = sensitivity.poles().map(stable);
        if let (Some(s), Some(t)) = (sensitivity.peak_gain(), complementary.peak_gain()) {
            (self.peak_sensitivity, self.peak_frequency) = (s.gain, s.frequency);
            (self.peak_complementary, self.complementary_frequency) = (t.gain, t.frequency);
            self.peaks_are_lower_bounds = false;
        }
    }

    /// Counts the response at a frequency where it may be real: zero, and the highest one in discrete time.
    pub fn meet_real(&mut self, w: f64, l: Complex<f64>) {
        let is_real = l.im.abs() <= 1e-9 * l.re.abs(); // rounding
        if l.re < 0.0 && l.re.is_finite() && is_real {
            self.meet_gain(w, l);
        }
    }

    fn meet_gain(&mut self, w: f64, l: Complex<f64>) {
        let gain = 1.0 / l.norm();
        if gain.is_finite() && self.gain.is_none_or(|best| gain.ln().abs() < best.ln().abs()) {
            (self.gain, self.gain_frequency) = (Some(gain), Some(w));
        }
    }

    fn meet_phase(&mut self, w: f64, l: Complex<f64>) {
        let phase = (-l).arg();
        if self.phase_deg.is_none_or(|best| phase.abs() < best.to_radians().abs()) {
            (self.phase_deg, self.phase_frequency) = (Some(phase.to_degrees()), Some(w));
        }
        let delay = phase.rem_euclid(TAU) / w;
        self.delay_s = Some(self.delay_s.map_or(delay, |best: f64| best.min(delay)));
    }
}

/// Root of `f` between two frequencies at which it has different signs.
fn bisect((mut a, mut b): (f64, f64), f: impl Fn(f64) -> f64) -> f64 {
    let start = f(a);
    if start == 0.0 {
        return a;
    }
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (a + b);
        if middle <= a || middle >= b {
            break;
        }
        if f(middle) * start > 0.0 { a = middle } else { b = middle }
    }
    0.5 * (a + b)
}

/// Phases \[deg\] of a response at increasing frequencies, without jumps by whole turns.
pub fn phases(values: &[Complex<f64>]) -> Vec<f64> {
    let mut turns = 0.0;
    let mut before: Option<f64> = None;
    values
        .iter()
        .map(|value| {
            let phase = value.arg();
            if let Some(before) = before.replace(phase) {
                turns -= TAU * ((phase - before) / TAU).round();
            }
            (phase + turns).to_degrees()
        })
        .collect()
}

/// Size of a response in decibels.
pub fn decibels(value: Complex<f64>) -> f64 {
    20.0 * value.norm().log10() // formula
}
