//! Step responses: outputs after a step of one input from rest.
//!
//! Without delays each point follows from the one before by a matrix exponential. With delays that have a common
//! divisor h, time falls into segments, each a part of h: over one of them the delayed signals are those of a segment
//! before, known at its nodes, and the states follow exactly from their interpolating polynomials. The segments are so
//! short that interpolation between the nodes errs by rounding only; jumps and kinks of delayed signals are at the ends
//! of segments. Delays without a small common divisor are rounded to one, which [`StepResponses::rounded`] says.

use super::LinearModel;
use super::delays::DelayedModel;
use super::model::eigenvalues;
use crate::choices::step_response::{DECAY, MAX_SEGMENTS, NODES, POINTS, REACH};
use nalgebra::{Complex, DMatrix};
use std::f64::consts::PI;

/// Step responses from all inputs to all outputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepResponses {
    /// Times \[s\].
    pub times: Vec<f64>,
    /// Outputs x inputs at each time.
    pub values: Vec<DMatrix<f64>>,
    /// Largest change of a delay \[s\] that the segments needed.
    pub rounded: f64,
}

/// A time in which the responses of a model show themselves \[s\].
pub fn step_duration(poles: &[Complex<f64>], period: Option<f64>, longest_delay: f64) -> f64 {
    let rate = |pole: &Complex<f64>| match period {
        Some(period) => Complex::new(pole.norm().max(f64::MIN_POSITIVE).ln(), pole.arg()) / period,
        None => *pole,
    };
    let rates: Vec<Complex<f64>> = poles.iter().map(rate).collect();
    let fastest = rates.iter().fold(0.0, |most: f64, rate| most.max(rate.norm()));
    let at_edge = |rate: &&Complex<f64>| rate.re.abs() > 1e-6 * fastest; // rounding
    let growth = rates.iter().filter(at_edge).fold(0.0, |most: f64, rate| most.max(rate.re));
    let slowest = rates.iter().filter(at_edge).fold(f64::INFINITY, |least: f64, rate| least.min(rate.re.abs()));
    let own = if growth > 0.0 {
        DECAY / growth
    } else if slowest.is_finite() {
        DECAY / slowest
    } else if fastest > 0.0 {
        10.0 * PI / fastest // message: five turns in a picture
    } else {
        1.0
    };
    (own + REACH * longest_delay).max(period.map_or(0.0, |period| 20.0 * period)) // message: steps in a picture
}

impl LinearModel {
    /// Step responses up to `duration` \[s\].
    pub fn step_responses(&self, duration: f64) -> StepResponses {
        let inputs = self.b.ncols();
        let (next, input, length) = match self.period {
            Some(period) => (self.a.clone(), self.b.clone(), period),
            None => {
                let length = duration / POINTS as f64;
                let flow = flow(&self.a, &self.b, length);
                let n = self.a.nrows();
                (flow.view((0, 0), (n, n)).into_owned(), flow.view((0, n), (n, inputs)).into_owned(), length)
            }
        };
        let mut responses = StepResponses::default();
        let mut x = DMatrix::zeros(self.a.nrows(), inputs);
        for k in 0..=((duration / length).ceil() as usize).min(MAX_SEGMENTS) {
            responses.times.push(k as f64 * length);
            responses.values.push(&self.c * &x + &self.d);
            x = &next * x + &input;
        }
        responses
    }
}

/// The matrix that takes state and held input over `length` \[s\].
fn flow(a: &DMatrix<f64>, b: &DMatrix<f64>, length: f64) -> DMatrix<f64> {
    let (n, m) = (a.nrows(), b.ncols());
    let mut rates = DMatrix::zeros(n + m, n + m);
    rates.view_mut((0, 0), (n, n)).copy_from(a);
    rates.view_mut((0, n), (n, m)).copy_from(b);
    (rates * length).exp()
}

impl DelayedModel {
    /// Step responses up to `duration` \[s\], through the delays themselves.
    pub fn step_responses(&self, duration: f64) -> StepResponses {
        if !self.has_delays() {
            return self.model.step_responses(duration);
        }
        Segments::new(self, duration).run(duration)
    }
}

/// A model cut into states and delayed signals, with its segments.
struct Segments<'a> {
    model: &'a LinearModel,
    /// Indices of the states and of the delayed signals.
    states: Vec<usize>,
    late: Vec<usize>,
    /// Length of a segment \[s\], and number of segments of each delay.
    length: f64,
    behind: Vec<usize>,
    rounded: f64,
    /// Relative places of the nodes in a segment.
    nodes: Vec<f64>,
    /// For each node, the states there from those at the start, from the inputs, and from the delayed signals at all
    /// nodes.
    maps: Vec<[DMatrix<f64>; 3]>,
}

impl<'a> Segments<'a> {
    fn new(delayed: &'a DelayedModel, duration: f64) -> Self {
        let model = &delayed.model;
        let (late, states): (Vec<usize>, Vec<usize>) =
            (0..delayed.delays.len()).partition(|&i| delayed.delays[i].is_some());
        let delays: Vec<f64> = late.iter().filter_map(|&i| delayed.delays[i]).collect();
        let pick = |rows: &[usize], columns: &[usize]| model.a.select_rows(rows).select_columns(columns);
        let (a, of_late) = (pick(&states, &states), pick(&states, &late));
        let b = model.b.select_rows(&states);
        let fastest = eigenvalues(&a).unwrap_or_default().iter().fold(0.0, |most: f64, pole| most.max(pole.norm()));
        // Polynomials follow what turns by less than a radian between some nodes.
        let wanted = (1.0 / fastest.max(f64::MIN_POSITIVE)).min(duration / POINTS as f64 * 2.0);
        let shortest = delays.iter().copied().fold(f64::INFINITY, f64::min);
        let common = common_divisor(&delays).filter(|common| duration / common < MAX_SEGMENTS as f64);
        let unit = common.unwrap_or(shortest / (MAX_SEGMENTS as f64 * shortest / duration / 4.0).ceil().max(1.0));
        let parts = (unit / wanted).ceil().clamp(1.0, (MAX_SEGMENTS as f64 * unit / duration).max(1.0));
        let length = unit / parts;
        let behind: Vec<usize> = delays.iter().map(|delay| (delay / length).round().max(1.0) as usize).collect();
        let off = |(delay, count): (&f64, &usize)| (delay - *count as f64 * length).abs();
        let rounded = delays.iter().zip(&behind).map(off).fold(0.0, f64::max);
        let nodes: Vec<f64> = (0..NODES).map(|k| 0.5 - 0.5 * (PI * k as f64 / (NODES - 1) as f64).cos()).collect();
        let maps = nodes.iter().map(|node| maps(&a, &b, &of_late, &nodes, length, *node)).collect();
        let rounding = 1e-9 * shortest; // rounding
        Segments {
            model,
            states,
            late,
            length,
            behind,
            rounded: if rounded > rounding { rounded } else { 0.0 },
            nodes,
            maps,
        }
    }

    fn run(&self, duration: f64) -> StepResponses {
        let (model, inputs) = (self.model, self.model.b.ncols());
        let count = ((duration / self.length).ceil() as usize).clamp(1, MAX_SEGMENTS);
        let mut responses = StepResponses { rounded: self.rounded, ..StepResponses::default() };
        let mut x = DMatrix::zeros(self.states.len(), inputs);
        // What went into each delay, at all nodes of all segments.
        let mut entered: Vec<Vec<DMatrix<f64>>> = Vec::with_capacity(count);
        for segment in 0..count {
            let late_at = |node: usize| {
                DMatrix::from_fn(self.late.len(), inputs, |i, j| {
                    let from = segment.checked_sub(self.behind[i]);
                    from.map_or(0.0, |from| entered[from][node][(i, j)])
                })
            };
            let late: Vec<DMatrix<f64>> = (0..NODES).map(late_at).collect();
            let mut stacked = DMatrix::zeros(self.late.len() * NODES, inputs);
            for (node, values) in late.iter().enumerate() {
                stacked.rows_mut(node * self.late.len(), self.late.len()).copy_from(values);
            }
            let mut inside = Vec::with_capacity(NODES);
            let mut end = x.clone();
            for (node, [of_start, of_input, of_late]) in self.maps.iter().enumerate() {
                let here = of_start * &x + of_input + of_late * &stacked;
                let mut all = DMatrix::zeros(model.a.nrows(), inputs);
                self.states.iter().enumerate().for_each(|(i, at)| all.row_mut(*at).copy_from(&here.row(i)));
                self.late.iter().enumerate().for_each(|(i, at)| all.row_mut(*at).copy_from(&late[node].row(i)));
                let entering = model.a.select_rows(&self.late) * &all + model.b.select_rows(&self.late);
                inside.push(entering);
                // The end of a segment is the start of the next, which knows what jumps there.
                if node + 1 < NODES || segment + 1 == count {
                    responses.times.push((segment as f64 + self.nodes[node]) * self.length);
                    responses.values.push(&model.c * all + &model.d);
                }
                end = here;
            }
            entered.push(inside);
            x = end;
        }
        responses
    }
}

/// States at one node of a segment: from those at its start, from a unit of each input, and from the values of the
/// delayed signals at all nodes, by the exponential of the states with the powers of time that make polynomials.
fn maps(
    a: &DMatrix<f64>,
    b: &DMatrix<f64>,
    of_late: &DMatrix<f64>,
    nodes: &[f64],
    length: f64,
    node: f64,
) -> [DMatrix<f64>; 3] {
    let (n, m, late, degree) = (a.nrows(), b.ncols(), of_late.ncols(), nodes.len());
    // The unit of time is the segment: state, then input, then for each delayed signal its powers of time.
    let size = n + m + late * degree;
    let mut rates = DMatrix::zeros(size, size);
    rates.view_mut((0, 0), (n, n)).copy_from(&(a * length));
    rates.view_mut((0, n), (n, m)).copy_from(&(b * length));
    for i in 0..late {
        let first = n + m + i * degree;
        rates.view_mut((0, first), (n, 1)).copy_from(&(of_late.column(i) * length));
        // p' = q, q' = r, …: Taylor coefficients times factorials.
        (0..degree - 1).for_each(|k| rates[(first + k, first + k + 1)] = 1.0);
    }
    let flow = (rates * node).exp();
    // Derivatives at the start from values at the nodes.
    let powers = DMatrix::from_fn(degree, degree, |j, k| nodes[j].powi(k as i32));
    let coefficients = powers.try_inverse().unwrap_or_else(|| DMatrix::zeros(degree, degree));
    let mut from_late = DMatrix::zeros(n, late * degree);
    for i in 0..late {
        let block = flow.view((0, n + m + i * degree), (n, degree)).into_owned();
        let mut factorial = 1.0;
        let scaled = DMatrix::from_fn(degree, degree, |k, j| {
            factorial = (1..=k).map(|f| f as f64).product::<f64>();
            factorial * coefficients[(k, j)]
        });
        let of_nodes = block * scaled;
        // Ordered by node, then by signal.
        (0..degree).for_each(|j| from_late.column_mut(j * late + i).copy_from(&of_nodes.column(j)));
    }
    [flow.view((0, 0), (n, n)).into_owned(), flow.view((0, n), (n, m)).into_owned(), from_late]
}

/// The largest time of which all are multiples, by Euclid's algorithm; `None` if that is far below the smallest.
fn common_divisor(times: &[f64]) -> Option<f64> {
    let shortest = times.iter().copied().fold(f64::INFINITY, f64::min);
    let divide = |a: f64, b: f64| {
        let (mut a, mut b) = (a.max(b), a.min(b));
        let zero = 1e-6 * shortest; // rounding
        while b > zero {
            (a, b) = (b, a - (a / b).floor() * b);
            // A remainder of almost all is a negative one of almost nothing.
            if a - b < zero {
                b = 0.0;
            }
        }
        a
    };
    let found = times.iter().copied().reduce(divide)?;
    let off = times.iter().map(|time| (time / found - (time / found).round()).abs() * found).fold(0.0, f64::max);
    (found > 1e-3 * shortest && off < 1e-9 * shortest).then_some(found) // rounding
}
