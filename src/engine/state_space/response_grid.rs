//! Frequencies at which a response is evaluated: as dense as it bends.

use crate::choices::response_grid::{BEND, DECADES_BEYOND, MAX_HALVINGS, PER_DECADE};
use nalgebra::{Complex, DMatrix};

/// A response at increasing frequencies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResponseGrid {
    /// Angular frequencies \[rad/s\].
    pub frequencies: Vec<f64>,
    /// Response at each: outputs x inputs.
    pub values: Vec<DMatrix<Complex<f64>>>,
}

/// A response at one frequency.
#[derive(Clone, Debug)]
struct Sample {
    w: f64,
    value: DMatrix<Complex<f64>>,
}

impl Sample {
    fn at(w: f64, response: &impl Fn(f64) -> DMatrix<Complex<f64>>) -> Self {
        Sample { w, value: response(w) }
    }
}

/// Range of frequencies \[rad/s\] around the corners of a model: its poles, and the inverse of its delays.
pub fn response_range(poles: &[Complex<f64>], delays: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let corners = poles.iter().map(|pole| pole.norm()).chain(delays.map(|delay| 1.0 / delay));
    // A pole in the origin comes out as the root of rounding.
    let fastest = corners.clone().fold(0.0, f64::max);
    let (low, high) = corners
        .filter(|corner| *corner > 1e-7 * fastest) // rounding
        .fold((f64::INFINITY, 0.0_f64), |(low, high), corner| (low.min(corner), high.max(corner)));
    let beyond = 10.0_f64.powf(DECADES_BEYOND); // formula
    if high > 0.0 { (low / beyond, high * beyond) } else { (1.0 / beyond, beyond) }
}

impl ResponseGrid {
    /// Evaluates `response` between two frequencies, at even ratios and wherever an entry turns or grows by more than a
    /// little between two of them.
    pub fn of(range: (f64, f64), response: impl Fn(f64) -> DMatrix<Complex<f64>>) -> Self {
        let decades = (range.1 / range.0).log10().max(0.0);
        let count = (decades * PER_DECADE).ceil().max(1.0) as usize;
        let ratio = range.1 / range.0;
        let mut grid = ResponseGrid::default();
        let mut before: Option<Sample> = None;
        for i in 0..=count {
            let here = Sample::at(range.0 * ratio.powf(i as f64 / count as f64), &response);
            if let Some(before) = before.replace(here.clone()) {
                grid.refine(&before, &here, MAX_HALVINGS, &response);
            }
            grid.push(here);
        }
        grid
    }

    /// Adds frequencies between two where the response bends.
    fn refine(&mut self, from: &Sample, to: &Sample, left: usize, response: &impl Fn(f64) -> DMatrix<Complex<f64>>) {
        let bends = from.value.iter().zip(to.value.iter()).any(|(x, y)| {
            let change = y / x;
            change.re.is_finite() && (change.norm().ln().abs() > BEND || change.arg().abs() > BEND)
        });
        if left == 0 || !bends {
            return;
        }
        let middle = Sample::at((from.w * to.w).sqrt(), response);
        self.refine(from, &middle, left - 1, response);
        self.push(middle.clone());
        self.refine(&middle, to, left - 1, response);
    }

    fn push(&mut self, sample: Sample) {
        self.frequencies.push(sample.w);
        self.values.push(sample.value);
    }

    /// Response from one input to one output.
    pub fn entry(&self, output: usize, input: usize) -> Vec<Complex<f64>> {
        self.values.iter().map(|value| value[(output, input)]).collect()
    }
}
