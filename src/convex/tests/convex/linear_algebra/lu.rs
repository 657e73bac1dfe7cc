//! Tests of `src/convex/linear_algebra/lu.rs`.

use kinegraph_convex::linear_algebra::Lu;

/// By columns and by blocks.
#[test]
fn solves_systems_of_every_size() {
    let mut lu = Lu::default();
    for n in 1..40 {
        // Large where rows have to be exchanged for it.
        let large = |i: usize, j: usize| if i + j == n - 1 { 2.0 * n as f64 } else { 0.0 };
        let entry = |i: usize, j: usize| ((7 * i + 3 * j) as f64 * 1.7).sin() + large(i, j);
        let a = lu.start(n);
        (0..n * n).for_each(|k| a[k] = entry(k % n, k / n));
        lu.factor();
        let expected = |i: usize| (i as f64).cos();
        let rhs = |i: usize| (0..n).map(|j| entry(i, j) * expected(j)).sum::<f64>();
        let mut x: Vec<f64> = (0..2 * n).map(|i| rhs(i % n)).collect();
        lu.solve(&mut x);
        let off = x.iter().enumerate().map(|(i, x)| (x - expected(i % n)).abs()).fold(0.0, f64::max);
        assert!(off < 1e-12, "{n}: {off:e}");
    }
}

#[test]
fn solves_a_known_system_that_needs_an_exchange() {
    let mut lu = Lu::default();
    lu.start(2).copy_from_slice(&[0.0, 2.0, 1.0, 3.0]); // [0 1; 2 3]
    lu.factor();
    assert_eq!(lu.determinant_sign(), -1.0);
    let mut x = [1.0, 5.0, 2.0, 10.0, 3.0, 15.0];
    lu.solve(&mut x);
    assert_eq!(x, [1.0, 1.0, 2.0, 2.0, 3.0, 3.0]);
    lu.start(2).copy_from_slice(&[1.0, 2.0, 2.0, 4.0]);
    lu.factor();
    assert_eq!(lu.determinant_sign(), 0.0);
    let mut x = [1.0, 0.0];
    lu.solve(&mut x);
    assert!(x.iter().any(|x| !x.is_finite()));
    lu.start(1)[0] = -4.0;
    lu.factor();
    assert_eq!(lu.determinant_sign(), -1.0);
    let mut x = [8.0, 4.0];
    lu.solve(&mut x);
    assert_eq!(x, [-2.0, -1.0]);
}
