//! Estimation of a linear system's state from noisy measurements.

use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::control::{KalmanFilter, KalmanModel};
use nalgebra::DMatrix;

/// A mass whose position is measured, pushed by noise of intensity 16: L = [√2 16^¼, √16] = [2√2, 4].
fn filter() -> KalmanFilter {
    let model = KalmanModel {
        A: DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 0.0, 0.0]),
        B: DMatrix::from_row_slice(2, 1, &[0.0, 0.5]),
        C: DMatrix::from_row_slice(1, 2, &[1.0, 0.0]),
        process_noise: DMatrix::from_row_slice(2, 2, &[0.0, 0.0, 0.0, 16.0]),
        measurement_noise: DMatrix::identity(1, 1),
    };
    KalmanFilter::new(model, [0.0, 0.0]).unwrap()
}

#[test]
fn conforms() {
    conformance::check(&filter());
}

#[test]
fn follows_the_model_and_is_drawn_to_the_measurement() {
    let filter = filter();
    let bench = Bench::new(&filter).input(filter.input, [2.0]).state([1.0, 3.0]);
    assert_eq!(bench.eval(filter.estimate), [1.0, 3.0]);
    // Where estimate and measurement agree, it moves as the model does.
    let along = bench.clone().input(filter.measurement, [1.0]).derivatives();
    let drawn = bench.input(filter.measurement, [1.5]).derivatives();
    for (found, expected) in [(along, [3.0, 1.0]), (drawn, [3.0 + 2.0_f64.sqrt(), 3.0])] {
        assert!(found.iter().zip(expected).all(|(f, e)| (f - e).abs() < 1e-10), "{found:?}");
    }
}

#[test]
fn mismatched_arguments_are_named_in_the_fault() {
    let one = || DMatrix::identity(1, 1);
    let model = |B| KalmanModel { A: one(), B, C: one(), process_noise: one(), measurement_noise: one() };
    let fault = |B, initial: &[f64]| KalmanFilter::new(model(B), initial).err().unwrap().to_string();
    assert_eq!(fault(DMatrix::zeros(2, 1), &[0.0]), "B is 2 x 1, expected 1 x 1");
    assert_eq!(fault(one(), &[]), "initial has 0 elements, expected 1");
}
