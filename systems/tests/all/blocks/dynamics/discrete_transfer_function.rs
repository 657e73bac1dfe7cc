//! A transfer function in discrete time.

use kinegraph_core::port::{Sampling, Tick};
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::dynamics::DiscreteTransferFunction;
use proptest::prelude::*;

fn respond(block: &DiscreteTransferFunction, u: &[f64]) -> Vec<f64> {
    let mut discrete = Bench::new(block).discrete_state();
    u.iter()
        .map(|&u| {
            let bench = Bench::new(block).input(block.input, [u]).discrete(&discrete);
            discrete = bench.update(Tick { index: 0 });
            bench.discrete(&discrete).eval(block.output)[0]
        })
        .collect()
}

#[test]
fn conforms() {
    conformance::check(&DiscreteTransferFunction::new(&[1.0, 2.0], &[2.0, 0.5, 0.1], Sampling::every(0.1)).unwrap());
}

proptest! {
    #[test]
    fn is_its_difference_equation(
        b in prop::collection::vec(-2.0..2.0_f64, 1..5),
        a in prop::collection::vec(-0.4..0.4_f64, 4..6),
        u in prop::collection::vec(-1.0..1.0_f64, 12),
    ) {
        let mut denominator = vec![2.0];
        denominator.extend(&a);
        let block = DiscreteTransferFunction::new(&b, &denominator, Sampling::every(0.1)).unwrap();
        let y = respond(&block, &u);
        let shift = denominator.len() - b.len();
        for k in 0..u.len() {
            let past = |values: &[f64], by: usize| if k >= by { values[k - by] } else { 0.0 };
            let driven: f64 = b.iter().enumerate().map(|(i, b)| b * past(&u, i + shift)).sum();
            let fed_back: f64 = a.iter().enumerate().map(|(i, a)| a * past(&y, i + 1)).sum();
            let expected = (driven - fed_back) / 2.0;
            prop_assert!((y[k] - expected).abs() < 1e-11, "sample {k}: {} instead of {expected}", y[k]);
        }
    }
}

#[test]
fn a_constant_input_leads_to_the_dc_gain() {
    let block = DiscreteTransferFunction::new(&[1.0, 0.5], &[1.0, -0.5, 0.1], Sampling::every(0.1)).unwrap();
    let y = respond(&block, &[1.0; 200]);
    assert!((y[199] - block.dc_gain()).abs() < 1e-12 && (block.dc_gain() - 2.5).abs() < 1e-12, "{}", y[199]);
}
