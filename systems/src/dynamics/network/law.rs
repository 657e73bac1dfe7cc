//! Flow through elements that the values at their ends determine, with its slopes.
//!
//! Each law grows strictly with the value at the first node and falls with that at the second, without bounds: then the
//! balances of all nodes have exactly one solution.

use super::element::ElementLaw;

/// Conductance beside a diode \[S\]: nothing is blocked entirely.
const BLOCKED: f64 = 1e-12;

/// Current \[A\] above which a diode goes on along its tangent: no exponential overflows.
const LARGEST_CURRENT: f64 = 1e6;

/// Conductance of a closed check valve, by that of the open one.
const CLOSED: f64 = 1e-9;

/// Stefan-Boltzmann constant \[W/(m² K⁴)\].
const STEFAN_BOLTZMANN: f64 = 5.670374419e-8;

/// What flows through an element, and how it changes with the values at its ends.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flow {
    /// From the first node to the second.
    pub value: f64,
    /// Slope with the value at the first node, and that with the one at the second, whose sign is turned: both are
    /// positive.
    pub slopes: [f64; 2],
}

impl Flow {
    fn across(value: f64, slope: f64) -> Self {
        Flow { value, slopes: [slope; 2] }
    }
}

impl ElementLaw {
    /// What flows with these values at the nodes; `None` if they do not determine it.
    pub(super) fn flow(&self, [a, b]: [f64; 2]) -> Option<Flow> {
        let v = a - b;
        Some(match *self {
            ElementLaw::Resistance(resistance) => Flow::across(v / resistance, 1.0 / resistance),
            ElementLaw::Diode { saturation_current, thermal_voltage } => {
                let x = v / thermal_voltage;
                let last = (LARGEST_CURRENT / saturation_current).ln().max(1.0);
                let at = x.min(last);
                let slope = saturation_current * at.exp();
                let current = saturation_current * at.exp_m1() + slope * (x - at);
                Flow::across(current + BLOCKED * v, slope / thermal_voltage + BLOCKED)
            }
            ElementLaw::Orifice { area, discharge, density, transition } => {
                let by = discharge * area * (2.0 / density).sqrt();
                let square = v * v + transition * transition;
                let root = square.powf(-0.25);
                Flow::across(by * v * root, by * root / square * (0.5 * v * v + transition * transition))
            }
            ElementLaw::CheckValve { resistance, opening, transition } => {
                let (above, slope) = rounded_ramp(v - opening, transition);
                let (at_zero, _) = rounded_ramp(-opening, transition);
                Flow::across((above - at_zero + CLOSED * v) / resistance, (slope + CLOSED) / resistance)
            }
            ElementLaw::Radiation { area, emissivity } => {
                let by = STEFAN_BOLTZMANN * area * emissivity;
                let [cube_a, cube_b] = [a, b].map(|at| by * at.abs().powi(3));
                Flow { value: a * cube_a - b * cube_b, slopes: [4.0 * cube_a, 4.0 * cube_b] }
            }
            _ => return None,
        })
    }
}

/// `max(s, 0)`, rounded over a width, and its slope: `(s + √(s² + w²))/2`.
fn rounded_ramp(s: f64, width: f64) -> (f64, f64) {
    let root = s.hypot(width);
    // Written without a difference of like numbers.
    let above = if s < 0.0 { 0.5 * width * width / (root - s) } else { 0.5 * (root + s) };
    (above, above / root)
}
