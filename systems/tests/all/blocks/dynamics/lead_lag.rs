//! Lead-lag compensators.

use super::response::response;
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::dynamics::LeadLag;
use nalgebra::Complex;

#[test]
fn conforms() {
    conformance::check(&LeadLag::new(2, [0.5, 0.0], 0.2, [1.0, 3.0]).unwrap());
    conformance::check(&LeadLag::new(2, 0.0, 0.2, [1.0, 3.0]).unwrap());
}

#[test]
fn has_the_response_of_its_formula() {
    for (lead, lag) in [(0.5, 0.05), (0.05, 0.5), (0.0, 0.1)] {
        let block = LeadLag::new(1, lead, lag, 3.0).unwrap();
        for w in [0.1, 3.0, 40.0] {
            let expected = 3.0 * Complex::new(1.0, lead * w) / Complex::new(1.0, lag * w);
            assert!((response(&block, w) - expected).norm() < 1e-12, "{lead}, {lag} at {w}");
        }
    }
}

#[test]
fn the_phase_is_advanced_most_between_zero_and_pole() {
    let (lead, lag) = (0.8_f64, 0.05);
    let found = response(&LeadLag::new(1, lead, lag, 1.0).unwrap(), 1.0 / (lead * lag).sqrt()).arg();
    assert!((found - ((lead - lag) / (lead + lag)).asin()).abs() < 1e-12);
}

#[test]
fn constant_signals_have_the_gain_to_the_last_bit() {
    let block = LeadLag::new(1, 0.3, 0.07, 0.3).unwrap();
    let bench = Bench::new(&block).input(block.input, [0.7]).state([0.7]);
    assert_eq!((bench.derivatives(), bench.eval(block.output)), (vec![0.0], vec![0.3 * 0.7]));
}

#[test]
fn refuses_a_lag_of_zero() {
    let fault = LeadLag::new(1, 1.0, 0.0, 1.0).err().unwrap();
    assert_eq!(fault.to_string(), "lag[0] is 0, expected a number above 0");
}
