//! Tests of `systems/multibody/product.rs`.

use kinegraph_core::scalar::{Jet, seed};
use kinegraph_multibody::product::{compose, dot, times, turn, turn_constant};
use nalgebra::{Matrix3, SMatrix, SVector, Vector3};

/// Values and derivatives equal those of nalgebra's products, to the last bit.
#[test]
fn products_are_those_of_the_library() {
    let jet = |i: usize| seed((1.3 * i as f64).sin(), i % 7, 0.1 + i as f64) + seed(0.0, (i + 3) % 7, 0.7);
    let (a, b) = (Matrix3::from_fn(|i, j| jet(3 * j + i)), Matrix3::from_fn(|i, j| jet(17 + 2 * j + i)));
    let (v, constant) = (Vector3::from_fn(|i, _| jet(40 + i)), Vector3::new(0.3, -1.7, 0.0));
    assert_eq!(turn(&a, &v), a * v);
    assert_eq!(turn_constant(&a, &constant), a * constant.map(Jet::from));
    assert_eq!(compose(&a, &b), a * b);
    let six = SMatrix::<f64, 6, 6>::from_fn(|i, j| (1.1 * (7 * i + j) as f64).cos());
    let x = SVector::<f64, 6>::from_fn(|i, _| (0.9 * i as f64).sin());
    assert_eq!(times(&six, &x), six * x);
    let y = v.map(|v| v * v);
    assert!((dot(&v, &y) - v.dot(&y)).re.abs() < 1e-15 && dot(&x, &x) == x.dot(&x));
}
