//! Tests of `src/convex/linear_algebra/eigenvalues.rs`.

use kinegraph_convex::linear_algebra::Eigenvalues;

#[test]
fn the_abscissa_is_that_of_the_largest_pole() {
    let mut eigenvalues = Eigenvalues::default();
    assert_eq!(eigenvalues.abscissa(1, &[3.0]), 3.0);
    // (s - 2)(s + 5), and an oscillation that grows at the rate 1.
    assert!((eigenvalues.abscissa(2, &[0.0, 10.0, 1.0, -3.0]) - 2.0).abs() < 1e-14);
    assert!((eigenvalues.abscissa(2, &[1.0, -30.0, 30.0, 1.0]) - 1.0).abs() < 1e-14);
    // (s - 2)(s + 1)(s + 4) in companion form.
    let companion = [0.0, 0.0, 8.0, 1.0, 0.0, 6.0, 0.0, 1.0, -3.0];
    assert!((eigenvalues.abscissa(3, &companion) - 2.0).abs() < 1e-12);
    assert_eq!(eigenvalues.abscissa(3, &[f64::NAN; 9]), f64::INFINITY);
}
