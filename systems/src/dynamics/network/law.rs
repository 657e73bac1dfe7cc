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

/// Cube of a temperature \[K³\] that is added to those of radiation: near absolute zero heat still has a way.
const COLD_CUBED: f64 = 1e-6;

/// Stefan-Boltzmann constant \[W/(m² K⁴)\].
const STEFAN_BOLTZMANN: f64 = 5.670374419e-8;

/// Flow through an element, with its slopes by the values at its ends.
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
    /// The flow with these values at the nodes; `None` if they do not determine it.
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
                let (above, slope) = rounded_ramp(opening, transition, v);
                Flow::across((above + CLOSED * v) / resistance, (slope + CLOSED) / resistance)
            }
            ElementLaw::Radiation { area, emissivity } => {
                let by = STEFAN_BOLTZMANN * area * emissivity;
                let [cube_a, cube_b] = [a, b].map(|at| at.abs().powi(3));
                let slopes = [cube_a, cube_b].map(|cube| by * (4.0 * cube + COLD_CUBED));
                Flow { value: by * (a * (cube_a + COLD_CUBED) - b * (cube_b + COLD_CUBED)), slopes }
            }
            _ => return None,
        })
    }
}

/// `max(v - o, 0)`, rounded over a width w to `(s + √(s² + w²))/2` with `s = v - o`, above its value at `v = 0`; and
/// the slope. Written without differences of like numbers.
fn rounded_ramp(opening: f64, width: f64, v: f64) -> (f64, f64) {
    let (at_zero, at) = (-opening, v - opening);
    let roots = [at_zero.hypot(width), at.hypot(width)];
    // (√(s² + w²) - s)/w.
    let gap = |s: f64, root: f64| if s > 0.0 { width / (root + s) } else { (root - s) / width };
    let gaps = [gap(at_zero, roots[0]), gap(at, roots[1])];
    let tilt = (at_zero + at) / (roots[0] + roots[1]);
    let above = if tilt > 0.0 { 0.5 * v * (1.0 + tilt) } else { 0.5 * v * (1.0 - tilt) / (gaps[0] * gaps[1]) };
    (above, 0.5 * width / gaps[1] / roots[1])
}
