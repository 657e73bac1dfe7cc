//! Tests of `src/engine/linearize/growth.rs`.

use kinegraph_engine::linearize::BlockGrowth;
use kinegraph_engine::linearize::growth::{circles, least_rate, longest_step};

#[test]
fn poles_are_found_where_circles_do_not_exclude_growth() {
    let mut growth = BlockGrowth::default();
    // -3 and -1: the circles end at -1 + 0.5.
    assert_eq!(growth.of(0, 2, &[-3.0, 0.5, 0.5, -1.0], 0.0), -0.5);
    assert!(growth.known.is_empty());
    let companion = |last: f64| [0.0, 0.0, 8.0, 1.0, 0.0, 6.0, 0.0, 1.0, last];
    assert!((growth.of(0, 3, &companion(-3.0), 0.0) - 2.0).abs() < 1e-12);
    assert_eq!(growth.known[0].matrix, companion(-3.0));
    assert!(growth.of(0, 3, &companion(-7.0), 0.1) < 1.5);
    assert_ne!(growth.known[0].matrix, companion(-3.0));
}

#[test]
fn powers_of_the_cayley_transform_show_that_nothing_grows_faster() {
    // Poles 2, -1 and -4, and 2 ± 300i, -5000.
    let slow = [0.0, 0.0, 8.0, 1.0, 0.0, 6.0, 0.0, 1.0, -3.0];
    let fast = [2.0, 300.0, 0.0, -300.0, 2.0, 0.0, 40.0, 7.0, -5000.0];
    for matrix in [slow, fast] {
        let mut growth = BlockGrowth::default();
        assert!(growth.is_below(3, &matrix, 4.0) && growth.is_below(3, &matrix, 20.0));
        assert!(!growth.is_below(3, &matrix, 1.9) && !growth.is_below(3, &matrix, 0.1));
        // Where it is shown, nothing is decomposed.
        assert_eq!(growth.of(0, 3, &matrix, 7.0), 7.0);
        assert!(growth.known[0].is_bound);
        // What is known below one rate is not below a smaller one.
        assert!((growth.of(0, 3, &matrix, 1.0) - 2.0).abs() < 1e-9 && !growth.known[0].is_bound);
    }
}

#[test]
fn circles_of_sparse_matrices_are_those_of_dense_ones() {
    let matrix = [-3.0, 0.5, 0.0, 0.25, -1.0, 0.0, 0.0, -2.0, 0.5];
    let columns = matrix.chunks_exact(3).map(|column| column.iter().copied().enumerate().filter(|(_, x)| *x != 0.0));
    let mut growth = BlockGrowth::default();
    assert_eq!(growth.of_sparse(columns.clone(), 100.0), circles(3, &matrix));
    assert_eq!(growth.of_sparse(columns, 0.1), 0.1);
}

#[test]
fn what_grows_bounds_the_step() {
    assert_eq!(longest_step(1000.0, 0.1), 5e-4);
    for (rate, h) in [(1000.0, 4e-4), (least_rate(0.1), 0.1), (-1000.0, 0.1), (f64::NAN, 0.1)] {
        assert_eq!(longest_step(rate, h), f64::INFINITY);
    }
}
