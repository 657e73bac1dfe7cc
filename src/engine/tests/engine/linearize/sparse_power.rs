//! Tests of `src/engine/linearize/sparse_power.rs`.

use kinegraph_engine::linearize::sparse_power::SparsePower;

#[test]
fn powers_of_a_chain_have_their_norms_and_stay_sparse() {
    // x_i' = -2 x_i + x_{i-1}: the powers have the norms 3, 9 and 81.
    let n = 1000;
    let mut power = SparsePower::default();
    let chain = (0..n).map(|j| [(j, -2.0), (j + 1, 1.0)].into_iter().filter(move |(row, _)| *row < n));
    power.start(chain);
    assert_eq!(power.norm(), 3.0);
    assert!(power.square() && power.norm() == 9.0);
    assert!(power.square() && power.norm() == 81.0);
    assert!(power.entries.len() <= 5 * n);
    // One state that meets all others.
    power.start((0..n).map(|j| (0..n).filter(move |i| j == 0 || *i == 0).map(|i| (i, 1.0))));
    assert!(!power.square() && power.norm() == n as f64);
}
