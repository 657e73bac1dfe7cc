//! Dense and block-sparse Cholesky factors of the Hessians of islands: which is faster from what size on.
//!
//! A line per case: the time to factor and solve, dense and by blocks, and to analyze the pattern; microseconds,
//! minimum of 40 batches.

mod timing;

use kinegraph::linear_algebra::{BlockCholesky, Cholesky, Patterns, Places};
use std::hint::black_box;
use timing::microseconds;

/// Sizes of the cliques, and which of them touch.
type Graph = (Vec<u32>, Vec<(u32, u32)>);

fn chain(n: usize) -> Graph {
    (vec![6; n], (1..n as u32).map(|i| (i - 1, i)).collect())
}

fn whole(n: usize) -> Graph {
    (vec![6; n], (0..n as u32).flat_map(|b| (0..b).map(move |a| (a, b))).collect())
}

/// Neighbors in a lattice of about the shape of a bin, three of five contacts.
fn pile(n: usize) -> Graph {
    let side = (n as f64).cbrt().ceil() as usize;
    let mut seed = 1_u64;
    let mut edges = Vec::new();
    for i in 0..n {
        for step in [1, side, side * side] {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let next = i + step;
            if next < n && (step > 1 || next % side > 0) && (seed >> 33) % 5 < 3 {
                edges.push((i as u32, next as u32));
            }
        }
    }
    edges.sort_unstable();
    (vec![6; n], edges)
}

/// A robot that touches every other one of the free bodies of a pile.
fn robot(velocities: u32, n: usize) -> Graph {
    let (mut sizes, mut edges) = pile(n);
    sizes.push(velocities);
    edges.extend((0..n as u32).step_by(2).map(|i| (i, n as u32)));
    edges.sort_unstable();
    (sizes, edges)
}

fn measure(name: &str, (sizes, edges): &Graph) {
    let mut patterns = Patterns::default();
    let id = patterns.find(sizes, edges);
    let pattern = patterns.get(id);
    let n = pattern.velocities();
    let mut rows = vec![0];
    sizes.iter().for_each(|s| rows.push(rows[rows.len() - 1] + *s as usize));
    let mut blocks = vec![0.0; pattern.numbers()];
    let mut matrix = vec![0.0; n * n];
    for (values, places) in [(&mut blocks, Places::Sparse(pattern)), (&mut matrix, Places::Dense(&rows, n))] {
        for (a, b) in (0..sizes.len() as u32).map(|i| (i, i)).chain(edges.iter().copied()) {
            let block = places.block(b as usize, a as usize);
            for i in 0..sizes[b as usize] as usize {
                for j in 0..sizes[a as usize] as usize {
                    values[block.entry(i, j)] = if a == b && i == j { 100.0 } else { 0.3 / (1 + i + j) as f64 };
                }
            }
        }
    }
    let mut x = vec![1.0; n];
    let (mut dense, mut sparse) = (Cholesky::default(), BlockCholesky::default());
    let dense = microseconds(|| {
        dense.start(n).copy_from_slice(&matrix);
        assert!(dense.factor());
        dense.solve(black_box(&mut x));
    });
    x.fill(1.0);
    let block = microseconds(|| {
        sparse.start(&pattern).copy_from_slice(&blocks);
        assert!(sparse.factor(&pattern));
        sparse.solve(&pattern, black_box(&mut x));
    });
    let analysis = microseconds(|| {
        black_box(Patterns::default().find(sizes, edges));
    });
    let (count, tail) = (sizes.len(), pattern.tail().1);
    println!("| {name} | {count} | {n} | {tail} | {dense:.2} | {block:.2} | {:.2} | {analysis:.1} |", dense / block);
}

fn main() {
    println!(
        "| pattern | cliques | velocities | tail | dense | blocks | ratio | analysis |\n|---|---|---|---|---|---|---|---|"
    );
    for n in [1, 2, 3, 5, 10, 20, 50, 100] {
        measure("chain", &chain(n));
    }
    for n in [10, 20, 50, 100, 200] {
        measure("pile", &pile(n));
    }
    for n in [3, 4, 5, 8, 10, 20, 50] {
        measure("all touch", &whole(n));
    }
    for n in [1, 3, 7, 12, 18, 24, 30, 60] {
        measure("one robot", &(vec![n], Vec::new()));
    }
    for n in [1, 4, 10, 30] {
        measure("robot of 18 in a pile", &robot(18, n));
        measure("robot of 30 in a pile", &robot(30, n));
    }
}
