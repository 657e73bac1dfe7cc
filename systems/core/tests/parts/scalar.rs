//! Tests of `systems/core/scalar.rs`.

use kinegraph_core::Scalar;
use kinegraph_core::scalar::{partial, seed, tanh};

fn f<S: Scalar>(x: S, y: S) -> S {
    (x * y).sin() + S::constant(3.0) * x.powi(2)
}

#[test]
fn tanh_of_large_arguments_is_one_with_zero_derivative() {
    let far = tanh(seed(1e4, 2, 1.0));
    assert_eq!((far.value(), partial(&far, 2)), (1.0, 0.0));
    let near = tanh(seed(0.5, 2, 3.0));
    assert!((partial(&near, 2) - 3.0 / 0.5_f64.cosh().powi(2)).abs() < 1e-15);
}

#[test]
fn jet_of_a_function_is_its_gradient() {
    let (x, y) = (0.7, -1.3);
    let j = f(seed(x, 0, 1.0), seed(y, 1, 1.0));
    assert!((j.value() - f(x, y)).abs() < 1e-15);
    assert!((partial(&j, 0) - ((x * y).cos() * y + 6.0 * x)).abs() < 1e-14);
    assert!((partial(&j, 1) - (x * y).cos() * x).abs() < 1e-14);
    assert_eq!(partial(&j, 2), 0.0);
}
