//! Tests of `src/engine/integrators/implicit/block_matrix.rs`.

use kinegraph_engine::integrators::implicit::block_matrix::{BlockMatrix, Factors};
use nalgebra::{DMatrix, DVector};

#[test]
fn blocks_are_solved_by_themselves() {
    let mut matrix = BlockMatrix::default();
    // Rows 0 and 2 belong together, 1 is alone.
    matrix.start(&[5, 1, 5], |_| Err(0), |_, _| {});
    *matrix.entry(0, 0) = -1.0;
    *matrix.entry(0, 2) = 4.0;
    *matrix.entry(2, 2) = -3.0;
    *matrix.entry(1, 1) = -9.0;
    let mut factors = Factors::default();
    assert!(factors.factor(0.5, &matrix) && !factors.factor(0.5, &matrix));
    // [1.5 -2; 0 2.5] and 5.5.
    let mut x = [-0.5, 11.0, 2.5];
    factors.solve(&matrix, &mut x);
    assert_eq!(x, [1.0, 2.0, 1.0]);
}

/// Two chains of many rows, their rows mixed, with a small ring; and one that has no room for sparse columns.
#[test]
fn large_chains_are_sparse_and_solved_as_the_others() {
    let n = 2 * 300 + 3;
    let block = |i: usize| if i < 600 { i % 2 } else { 2 };
    let blocks: Vec<usize> = (0..n).map(block).collect();
    let next = |i: usize| if i < 600 { (i + 2) % 600 } else { 600 + (i + 1) % 3 };
    let value = |row: usize, column: usize| ((3 * row + 7 * column) as f64 * 1.3).sin() - 0.3;
    let fill = |matrix: &mut BlockMatrix| {
        for column in 0..n {
            for row in [column, next(column)] {
                *matrix.entry(row, column) = value(row, column);
            }
        }
    };
    let (mut sparse, mut dense) = (BlockMatrix::default(), BlockMatrix::default());
    sparse.start(&blocks, Err, |column, rows| rows.push(next(column)));
    dense.start(&blocks, Err, |_, rows| rows.extend((0..n).filter(|i| i % 2 == 0 && *i < 600)));
    assert_eq!((sparse.values.len(), dense.values.len()), (2 * 2 * 300 + 9, 2 * 300 * 300 + 9));
    fill(&mut sparse);
    fill(&mut dense);
    let side: Vec<f64> = (0..n).map(|i| (i as f64).cos()).collect();
    let solved = [sparse, dense].map(|matrix| {
        let (mut factors, mut x) = (Factors::default(), side.clone());
        factors.factor(0.7, &matrix);
        factors.solve(&matrix, &mut x);
        x
    });
    let size = solved[1].iter().fold(1.0_f64, |most, x| most.max(x.abs()));
    assert!(solved[0].iter().zip(&solved[1]).all(|(a, b)| (a - b).abs() < 1e-11 * size));
    assert_eq!(solved[0][600..], solved[1][600..]);
}

/// Two trees of three positions and two velocities, an external state among them, and one apart.
#[test]
fn positions_are_eliminated_part_by_part() {
    let part = [0, 0, 0, 1, 1, 1, 0, 0, 2, 1, 1, 3];
    let is_position = |i: usize| i < 6;
    let block = part.map(|part| usize::from(part == 3));
    let n = part.len();
    let mut matrix = BlockMatrix::default();
    matrix.start(&block, |i| if is_position(i) { Ok(part[i]) } else { Err(part[i]) }, |_, _| {});
    let mut dense = DMatrix::zeros(n, n);
    for (row, column) in (0..n).flat_map(|row| (0..n).map(move |column| (row, column))) {
        if block[row] == block[column] && (!is_position(row) || part[row] == part[column]) {
            dense[(row, column)] = ((3 * row + 7 * column) as f64 * 1.3).sin();
            *matrix.entry(row, column) = dense[(row, column)];
        }
    }
    let s = 0.3;
    let mut factors = Factors::default();
    factors.factor(s, &matrix);
    let expected = DVector::from_fn(n, |i, _| (i as f64).cos());
    let mut x = (DMatrix::identity(n, n) - dense * s) * &expected;
    factors.solve(&matrix, x.as_mut_slice());
    assert!((x - expected).norm() < 1e-12);
}
