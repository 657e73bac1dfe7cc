//! The norm in which error is controlled: the largest deviation of any coordinate under control.
//!
//! Convex steps control the positions of plants and the external state, absolutely. Methods for differential equations control every
//! state, relative to `max(1, |x|)`: absolute as well for numbers up to one, relative for larger ones (an accuracy of 1e-6 asks for
//! six decimals of the former and six digits of the latter).

use crate::diagram::Diagram;
use crate::linearize::Layout;

/// The error norm of a diagram's continuous state.
#[derive(Clone, Debug, Default)]
pub struct ErrorNorm {
    /// State index, weight and name of each controlled coordinate.
    entries: Vec<(usize, f64)>,
    names: Vec<String>,
}

impl ErrorNorm {
    /// Positions of the plants (radians, metres and quaternion components alike) and, if `external`, every external state.
    pub fn new(diagram: &Diagram, layout: &Layout, external: bool) -> Self {
        let all = diagram.state_names();
        let positions = layout.plants.iter().flat_map(|slot| slot.positions.clone());
        let others = layout.external.iter().copied().filter(|_| external);
        let entries: Vec<_> = positions.chain(others).map(|i| (i, 1.0)).collect();
        let names = entries.iter().map(|&(i, _)| all[i].clone()).collect();
        ErrorNorm { entries, names }
    }

    /// Every continuous state, for [`relative_size`](Self::relative_size).
    pub fn whole(diagram: &Diagram) -> Self {
        ErrorNorm { entries: (0..diagram.state_width()).map(|i| (i, 1.0)).collect(), names: diagram.state_names() }
    }

    /// The largest entry of `error` relative to `max(1, |a|, |b|)`, the states at both ends of a step, and its index among the
    /// controlled ones; not-a-number if any entry is.
    pub fn relative_size(&self, error: &[f64], a: &[f64], b: &[f64]) -> (f64, usize) {
        let (mut largest, mut worst) = (0.0, 0);
        for (k, &(i, weight)) in self.entries.iter().enumerate() {
            let e = error[i].abs() * weight / a[i].abs().max(b[i].abs()).max(1.0);
            if e.is_nan() {
                return (f64::NAN, k);
            }
            if e > largest {
                (largest, worst) = (e, k);
            }
        }
        (largest, worst)
    }

    /// The largest deviation and the index of its coordinate among the controlled ones; not-a-number if any deviation is.
    pub fn distance(&self, a: &[f64], b: &[f64]) -> (f64, usize) {
        let (mut largest, mut worst) = (0.0, 0);
        for (k, &(i, weight)) in self.entries.iter().enumerate() {
            let e = (a[i] - b[i]).abs() * weight;
            if e.is_nan() {
                return (f64::NAN, k);
            }
            if e > largest {
                (largest, worst) = (e, k);
            }
        }
        (largest, worst)
    }

    /// Name of a controlled coordinate.
    pub fn name(&self, index: usize) -> &str {
        self.names.get(index).map_or("nothing", String::as_str)
    }
}
