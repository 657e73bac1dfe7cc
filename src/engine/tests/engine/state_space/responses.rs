//! Frequency responses of models with delays, and margins, beside the functions that they are made of.

use super::random::Numbers;
use kinegraph_diagram::{Diagram, DiagramBuilder};
use kinegraph_engine::linearize::LinearizePorts;
use kinegraph_engine::linearize::state_space::{DelayedModel, LinearContact, Margins, ResponseGrid, response_range};
use kinegraph_systems::dynamics::{TransferFunction, TransportDelay};
use kinegraph_systems::operators::Adder;
use nalgebra::Complex;
use std::f64::consts::PI;

const I: Complex<f64> = Complex::new(0.0, 1.0);

/// A polynomial with these roots and pairs of roots, leading coefficient first.
fn polynomial(roots: &[Complex<f64>]) -> Vec<f64> {
    let mut product = vec![1.0];
    for root in roots {
        let factor = if root.im == 0.0 { vec![1.0, -root.re] } else { vec![1.0, -2.0 * root.re, root.norm_sqr()] };
        let mut next = vec![0.0; product.len() + factor.len() - 1];
        for (i, a) in product.iter().enumerate() {
            factor.iter().enumerate().for_each(|(j, b)| next[i + j] += a * b);
        }
        product = next;
    }
    product
}

fn value(polynomial: &[f64], s: Complex<f64>) -> Complex<f64> {
    polynomial.iter().fold(Complex::new(0.0, 0.0), |sum, c| sum * s + c)
}

/// A rational function with a delay behind it.
struct Part {
    numerator: Vec<f64>,
    denominator: Vec<f64>,
    delay: f64,
}

impl Part {
    fn random(numbers: &mut Numbers) -> Self {
        let root = |numbers: &mut Numbers| {
            let re = -numbers.between(0.1, 5.0);
            Complex::new(re, if numbers.next() < 0.5 { 0.0 } else { numbers.between(0.2, 9.0) })
        };
        let poles: Vec<_> = (0..1 + (3.0 * numbers.next()) as usize).map(|_| root(numbers)).collect();
        let denominator = polynomial(&poles);
        let zeros: Vec<_> = (0..poles.len() - 1).map(|_| Complex::new(-numbers.between(0.2, 8.0), 0.0)).collect();
        let gain = numbers.between(0.5, 20.0);
        let numerator = polynomial(&zeros).iter().map(|c| gain * c).collect();
        Part { numerator, denominator, delay: numbers.between(0.02, 0.6) }
    }

    fn at(&self, w: f64) -> Complex<f64> {
        let s = I * w;
        value(&self.numerator, s) / value(&self.denominator, s) * (-s * self.delay).exp()
    }
}

/// The function and its delay in a row, or closed by negative feedback with another pair behind it.
fn diagram(forward: &Part, back: Option<&Part>) -> Diagram {
    let mut b = DiagramBuilder::new("loop");
    let add = |b: &mut DiagramBuilder, name: &str, part: &Part| {
        let function = b.add(name, TransferFunction::new(&part.numerator, &part.denominator).unwrap());
        let delay = b.add(format!("{name}_delay"), TransportDelay::new(1, part.delay, 0.01, 0.0).unwrap());
        b.connect(function.output, delay.input);
        (function.input, delay.output)
    };
    let (input, output) = add(&mut b, "forward", forward);
    if let Some(back) = back {
        let error = b.add("error", Adder::new(1, vec![1.0, -1.0]).unwrap());
        let (from, _) = add(&mut b, "back", back);
        b.connect(error.output, input);
        b.connect(output, from);
        b.connect_paths("back_delay.output", "error.input1");
        b.fix_path("error.input0", vec![0.0]);
    } else {
        b.fix(input, [0.0]);
    }
    b.build().unwrap()
}

fn model(diagram: &Diagram, input: &str, output: &str) -> DelayedModel {
    let ports = LinearizePorts { inputs: vec![input.into()], cuts: Vec::new(), outputs: vec![output.into()] };
    DelayedModel::of(diagram, &diagram.initial_state(), &[0.0], &ports, LinearContact::Law).unwrap()
}

#[test]
fn responses_are_those_of_the_functions_and_the_delays() {
    let mut numbers = Numbers(20_261_130);
    for draw in 0..150 {
        let (forward, back) = (Part::random(&mut numbers), Part::random(&mut numbers));
        let open = model(&diagram(&forward, None), "forward.input", "forward_delay.output");
        let closed = model(&diagram(&forward, Some(&back)), "error.input0", "forward_delay.output");
        for w in [0.01, 0.3, 1.0, 4.0, 17.0, 90.0] {
            let (l, g) = (forward.at(w), forward.at(w) / (back.at(w) * forward.at(w) + 1.0));
            for (found, expected) in [(open.response(w)[(0, 0)], l), (closed.response(w)[(0, 0)], g)] {
                let error = (found - expected).norm() / expected.norm().max(1e-6);
                assert!(error < 1e-8, "draw {draw} at {w}: {found} instead of {expected}");
            }
        }
    }
}

/// The approximant of numerator degree m - 1 and denominator degree m agrees with a delay to order 2m.
#[test]
fn approximants_of_delays_have_their_order() {
    let part = Part { numerator: vec![1.0], denominator: vec![1.0, 1.0], delay: 0.5 };
    let exact = model(&diagram(&part, None), "forward.input", "forward_delay.output");
    for order in 1..=4 {
        let states = exact.with_pade(order);
        let rational = DelayedModel { delays: vec![None; states.a.nrows()], model: states };
        let error =
            |w: f64| (rational.response(w)[(0, 0)] - exact.response(w)[(0, 0)]).norm() / exact.response(w).norm();
        let (coarse, fine) = (error(1.0), error(0.5));
        let found = (coarse / fine).log2();
        assert!((found - 2.0 * order as f64).abs() < 0.15, "order {order}: {found}");
    }
}

/// Margins beside those that a fine search along the imaginary axis finds.
#[test]
fn margins_are_those_of_a_fine_search() {
    let mut numbers = Numbers(7);
    let mut crossings = 0;
    for draw in 0..150 {
        let part = Part::random(&mut numbers);
        let open = model(&diagram(&part, None), "forward.input", "forward_delay.output");
        let range = response_range(&open.model.poles().unwrap(), [part.delay].into_iter());
        let grid = ResponseGrid::of(range, |w| open.response(w));
        let found = Margins::of(&grid.frequencies, &grid.entry(0, 0), |w| open.response(w)[(0, 0)]);
        let (mut gain, mut phase, mut peak): (Option<f64>, Option<f64>, f64) = (None, None, 0.0);
        let steps = 40_000;
        let at = |k: usize| range.0 * (range.1 / range.0).powf(k as f64 / steps as f64);
        let mut before = part.at(at(0));
        for k in 1..=steps {
            let here = part.at(at(k));
            if here.re < 0.0 && before.im * here.im <= 0.0 {
                // Straight between two neighbours.
                let t = before.im / (before.im - here.im);
                let found = 1.0 / (before + (here - before) * t).norm();
                gain = Some(gain.map_or(found, |best| if found.ln().abs() < best.ln().abs() { found } else { best }));
            }
            let (a, b) = (before.norm().ln(), here.norm().ln());
            if a * b <= 0.0 {
                let there = before + (here - before) * (a / (a - b));
                let found = (-there).arg() * 180.0 / PI;
                phase = Some(phase.map_or(found, |best| if found.abs() < best.abs() { found } else { best }));
            }
            peak = peak.max(1.0 / (here + 1.0).norm());
            before = here;
        }
        let same = |found: Option<f64>, expected: Option<f64>, what: &str| match (found, expected) {
            (Some(found), Some(expected)) => {
                let error = (found - expected).abs() / expected.abs().max(1.0);
                assert!(error < 1e-4, "draw {draw}, {what}: {found} instead of {expected}");
                1
            }
            (None, None) => 0,
            other => panic!("draw {draw}, {what}: {other:?}"),
        };
        crossings += same(found.gain, gain, "gain") + same(found.phase_deg, phase, "phase");
        // The inverse is the distance from -1.
        let farther = 1.0 / peak - 1.0 / found.peak_sensitivity;
        assert!((-1e-12..1e-3).contains(&farther), "draw {draw}: {} {peak}", found.peak_sensitivity);
    }
    assert!(crossings > 150, "{crossings}");
}

/// `K e^(-s T)/s` crosses at w = K with the phase margin π/2 - K T and the gain margin π/(2 K T).
#[test]
fn a_delayed_integrator_has_its_margins_in_closed_form() {
    for (k, t) in [(1.0, 0.3), (2.5, 0.1), (4.0, 0.5)] {
        let part = Part { numerator: vec![k], denominator: vec![1.0, 0.0], delay: t };
        let open = model(&diagram(&part, None), "forward.input", "forward_delay.output");
        let grid = ResponseGrid::of((1e-2, 1e2), |w| open.response(w));
        let found = Margins::of(&grid.frequencies, &grid.entry(0, 0), |w| open.response(w)[(0, 0)]);
        let near = |found: Option<f64>, expected: f64| (found.unwrap() - expected).abs() < 1e-9 * expected.abs();
        let phase = PI / 2.0 - k * t;
        assert!(near(found.gain, PI / (2.0 * k * t)) && near(found.gain_frequency, PI / (2.0 * t)), "{found:?}");
        assert!(near(found.phase_deg, phase.to_degrees()) && near(found.phase_frequency, k), "{found:?}");
        assert!(near(found.delay_s, phase.rem_euclid(2.0 * PI) / k), "{found:?}");
    }
}
