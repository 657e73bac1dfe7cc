//! Block-sparse factors are those of the dense matrix, whatever the pattern and the sizes; patterns are analyzed once.

use kinegraph_convex::linear_algebra::block_cholesky::ordering::Ordering;
use kinegraph_convex::linear_algebra::{BlockCholesky, Cholesky, Patterns, Places};
use std::collections::BTreeSet;

/// A small deterministic generator of numbers in [0, 1).
struct Random(u64);
impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() * n as f64) as usize
    }
}

struct Case {
    name: &'static str,
    sizes: Vec<u32>,
    edges: Vec<(u32, u32)>,
}

fn case(name: &'static str, sizes: Vec<u32>, edges: impl IntoIterator<Item = (usize, usize)>) -> Case {
    let mut edges: Vec<_> = edges.into_iter().map(|(a, b)| (a.min(b) as u32, a.max(b) as u32)).collect();
    edges.sort_unstable();
    edges.dedup();
    Case { name, sizes, edges }
}

fn cases(r: &mut Random) -> Vec<Case> {
    let mut cases = Vec::new();
    for mixed in [false, true] {
        for n in [1, 2, 5, 17, 70] {
            let mut sizes = || (0..n).map(|_| if mixed { 1 + r.below(12) as u32 } else { 6 }).collect::<Vec<_>>();
            let (chain, tree, whole, star) = (sizes(), sizes(), sizes(), sizes());
            let (loose, sparse, full) = (sizes(), sizes(), sizes());
            cases.push(case("loose", loose, []));
            cases.push(case("chain", chain, (1..n).map(|i| (i - 1, i))));
            cases.push(case("star", star, (1..n).map(|i| (0, i))));
            cases.push(case("clique", whole, (0..n).flat_map(|i| (0..i).map(move |j| (j, i)))));
            let parents: Vec<_> = (1..n).map(|i| (r.below(i), i)).collect();
            cases.push(case("tree", tree, parents));
            for (sizes, name, degree) in [(sparse, "random", 2), (full, "denser", 5)] {
                let edges: Vec<_> = (0..degree * n).map(|_| (r.below(n), r.below(n))).filter(|(a, b)| a != b).collect();
                cases.push(case(name, sizes, edges));
            }
        }
    }
    cases
}

fn first_rows(sizes: &[u32]) -> (Vec<usize>, usize) {
    let mut n = 0;
    let rows = sizes.iter().map(|&s| {
        n += s as usize;
        n - s as usize
    });
    let rows = rows.collect();
    (rows, n)
}

/// Writes the same random matrix, diagonally dominant, to both.
fn fill(case: &Case, r: &mut Random, stores: &mut [(&mut [f64], Places<'_>)]) {
    let own = (0..case.sizes.len() as u32).map(|i| (i, i));
    for (a, b) in own.chain(case.edges.iter().copied()) {
        // Blocks are asked for in either order.
        let (a, b) = if r.next() < 0.5 { (a as usize, b as usize) } else { (b as usize, a as usize) };
        for i in 0..case.sizes[a] as usize {
            for j in 0..if a == b { i + 1 } else { case.sizes[b] as usize } {
                let dominant = f64::from(u8::from(a == b && i == j)) * 200.0;
                let value = r.next() - 0.5 + dominant;
                for (store, places) in stores.iter_mut() {
                    store[places.block(a, b).entry(i, j)] += value;
                }
            }
        }
    }
}

#[test]
fn sparse_and_dense_factors_solve_alike() {
    let mut r = Random(1);
    let (mut patterns, mut sparse, mut dense) = (Patterns::default(), BlockCholesky::default(), Cholesky::default());
    for case in cases(&mut r) {
        let id = patterns.find(&case.sizes, &case.edges);
        let pattern = patterns.get(id);
        let (rows, n) = first_rows(&case.sizes);
        assert_eq!(pattern.velocities(), n);
        let mut stores = [(sparse.start(&pattern), Places::Sparse(pattern)), (dense.start(n), Places::Dense(&rows, n))];
        fill(&case, &mut r, &mut stores);
        let matrix = dense.values().to_vec();
        assert!(dense.factor() && sparse.factor(&pattern), "{} of {n}", case.name);
        let rhs: Vec<f64> = (0..n).map(|_| r.next() - 0.5).collect();
        let (mut x, mut y) = (rhs.clone(), rhs.clone());
        sparse.solve(&pattern, &mut x);
        dense.solve(&mut y);
        let largest = y.iter().fold(0.0, |m: f64, y| m.max(y.abs()));
        for (x, y) in x.iter().zip(&y) {
            assert!((x - y).abs() <= 64.0 * f64::EPSILON * largest, "{} of {n}: {x} and {y}", case.name);
        }
        // And the solution solves the matrix as it was written.
        for i in 0..n {
            let ax: f64 = (0..n).map(|j| matrix[i.min(j) * n + i.max(j)] * x[j]).sum();
            assert!((ax - rhs[i]).abs() < 1e-12, "{} of {n}, row {i}", case.name);
        }
    }
}

#[test]
fn wide_instructions_change_no_bit() {
    let mut r = Random(4);
    let (mut patterns, mut wide, mut narrow) =
        (Patterns::default(), BlockCholesky::default(), BlockCholesky::default());
    for case in cases(&mut r) {
        let id = patterns.find(&case.sizes, &case.edges);
        let pattern = patterns.get(id);
        let places = Places::Sparse(pattern);
        fill(&case, &mut r, &mut [(wide.start(&pattern), places), (narrow.start(&pattern), places)]);
        let mut x: Vec<f64> = (0..pattern.velocities()).map(|_| r.next() - 0.5).collect();
        let mut y = x.clone();
        let (wide, narrow) = (wide.solve_wide(&pattern, &mut x), narrow.solve_narrow(&pattern, &mut y));
        assert_eq!(wide.expect("a factor"), narrow.expect("a factor"), "{}", case.name);
        assert_eq!(x, y, "{}", case.name);
    }
}

#[test]
fn matrices_that_are_indefinite_or_not_finite_are_refused() {
    let mut r = Random(2);
    let (mut patterns, mut sparse) = (Patterns::default(), BlockCholesky::default());
    for case in cases(&mut r) {
        let id = patterns.find(&case.sizes, &case.edges);
        let pattern = patterns.get(id);
        for (bad, off_diagonal) in
            [(-300.0, false), (f64::NAN, false), (f64::INFINITY, false), (f64::NAN, true), (f64::INFINITY, true)]
        {
            let (a, b) = match case.edges.get(r.below(case.edges.len().max(1))) {
                Some(&(a, b)) if off_diagonal => (a as usize, b as usize),
                _ if off_diagonal => continue,
                _ => {
                    let any = r.below(case.sizes.len());
                    (any, any)
                }
            };
            let store = sparse.start(&pattern);
            fill(&case, &mut r, &mut [(&mut *store, Places::Sparse(pattern))]);
            store[Places::Sparse(pattern).block(a, b).entry(0, 0)] += bad;
            assert!(!sparse.factor(&pattern), "{} with {bad} at {a}, {b}", case.name);
        }
    }
}

#[test]
fn a_pattern_is_analyzed_once() {
    let mut r = Random(3);
    let mut patterns = Patterns::default();
    let cases = cases(&mut r);
    let distinct = |a: &Case, b: &Case| a.sizes != b.sizes || a.edges != b.edges;
    let news = (0..cases.len()).filter(|&i| cases[..i].iter().all(|c| distinct(c, &cases[i]))).count();
    let first: Vec<_> = cases.iter().map(|c| patterns.find(&c.sizes, &c.edges)).collect();
    assert_eq!(patterns.counts, (cases.len() - news, news));
    let again: Vec<_> = cases.iter().map(|c| patterns.find(&c.sizes, &c.edges)).collect();
    assert_eq!((patterns.counts.0, patterns.counts.1, first), (2 * cases.len() - news, news, again));
    // One contact more, or a clique of another size, is another pattern.
    let mut other = case("chain", vec![6; 5], [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)]);
    patterns.find(&other.sizes, &other.edges);
    other.sizes[2] = 7;
    patterns.find(&other.sizes, &other.edges);
    assert_eq!(patterns.counts.1, news + 2);
}

/// Earlier solves, and a full store in between, leave no trace in a solution.
#[test]
fn a_solution_has_the_same_bits_whatever_was_solved_before() {
    let solve = |case: &Case, patterns: &mut Patterns, sparse: &mut BlockCholesky| {
        let id = patterns.find(&case.sizes, &case.edges);
        let pattern = patterns.get(id);
        let mut r = Random(9);
        fill(case, &mut r, &mut [(sparse.start(&pattern), Places::Sparse(pattern))]);
        assert!(sparse.factor(&pattern));
        let mut x: Vec<f64> = (0..pattern.velocities()).map(|_| r.next()).collect();
        sparse.solve(&pattern, &mut x);
        x
    };
    let mut r = Random(4);
    let (mut patterns, mut sparse) = (Patterns::default(), BlockCholesky::default());
    for round in 0..60 {
        for case in cases(&mut r) {
            let x = solve(&case, &mut patterns, &mut sparse);
            if round % 20 == 0 {
                let fresh = solve(&case, &mut Patterns::default(), &mut BlockCholesky::default());
                assert_eq!(x, fresh, "{}", case.name);
            }
        }
    }
}

#[test]
fn elimination_of_a_chain_or_a_tree_fills_nothing() {
    let mut r = Random(5);
    let mut patterns = Patterns::default();
    // Of equal sizes: to eliminate a heavy clique between light ones first may be worth its fill.
    let even = |c: &&Case| c.sizes.iter().all(|&s| s == 6) && ["chain", "tree", "star", "loose"].contains(&c.name);
    for case in cases(&mut r).iter().filter(even) {
        let id = patterns.find(&case.sizes, &case.edges);
        let pattern = patterns.get(id);
        assert!(pattern.rows.len() <= case.edges.len(), "{}", case.name);
        let (_, tail) = pattern.tail();
        assert!(tail <= 72, "{} with a tail of {tail}", case.name);
    }
}

/// Minimum degree, by sets and without a queue: returns the order, and the cliques coupled to each.
fn plain_order(case: &Case) -> Vec<(u32, Vec<u32>)> {
    let mut rows: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); case.sizes.len()];
    for &(a, b) in &case.edges {
        rows[a as usize].insert(b);
        rows[b as usize].insert(a);
    }
    let mut left: BTreeSet<u32> = (0..case.sizes.len() as u32).collect();
    let weight = |row: &BTreeSet<u32>| row.iter().map(|&u| case.sizes[u as usize]).sum::<u32>();
    let mut order = Vec::new();
    while let Some(&v) = left.iter().min_by_key(|&&v| (weight(&rows[v as usize]), v)) {
        left.remove(&v);
        let row = rows[v as usize].clone();
        for &u in &row {
            rows[u as usize].extend(row.iter().copied().filter(|&w| w != u));
            rows[u as usize].remove(&v);
        }
        order.push((v, row.into_iter().collect()));
    }
    order
}

#[test]
fn cliques_are_eliminated_by_minimum_degree() {
    let mut r = Random(11);
    let n = 300;
    let grid = (0..n).flat_map(|i| [(i, i + 1), (i, i + 17)]).filter(|&(_, j)| j < n);
    let large = case("grid", (0..n).map(|_| 1 + r.below(9) as u32).collect(), grid);
    let mut ordering = Ordering::default();
    for case in cases(&mut r).iter().chain([&large]) {
        ordering.compute(&case.sizes, &case.edges);
        let plain = plain_order(case);
        for (k, (v, row)) in plain.iter().take(ordering.columns).enumerate() {
            let [start, end] = [ordering.starts[k], ordering.starts[k + 1]].map(|at| at as usize);
            assert_eq!((ordering.order[k], &ordering.rows[start..end]), (*v, &row[..]), "{}, {k}", case.name);
        }
        // The tail, by number.
        let mut tail: Vec<u32> = plain[ordering.columns..].iter().map(|(v, _)| *v).collect();
        tail.sort_unstable();
        assert_eq!(ordering.order[ordering.columns..], tail, "{}", case.name);
    }
}
