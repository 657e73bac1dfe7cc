//! Contracts of the primal-dual method: its linearization is that of the law at the solution and positive semidefinite
//! everywhere, its bound holds, and it finds the minimum that Newton's method finds.

use super::*;
use kinegraph_convex::solvers::icf::{Method, SolverOptions};

#[path = "../../../../../benches/random_problems/generator.rs"]
mod generator;

fn solver(method: Method, min_tolerance: f64) -> Solver {
    Solver::new(SolverOptions { method, min_tolerance, ..SolverOptions::default() })
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

#[test]
fn where_a_contact_settles_is_the_root_of_its_own_problem() {
    let mut r = Random(21);
    let (mut active, mut gaps) = (0, 0);
    for _ in 0..10_000 {
        let law = random_contact(&mut r);
        let compliance = r.log(1e-3, 1e3);
        let z = r.next() * r.log(1e-4, 100.0);
        let w = law.settled_normal_velocity(z, compliance);
        let (n, slope) = law.normal_impulse(w);
        assert!(w >= z && n >= 0.0);
        // The residual, as an error of w.
        let residual = (w - z - compliance * n) / (1.0 - compliance * slope);
        assert!(residual.abs() <= 1e-9 * (w.abs() + z.abs()) + 1e-14, "{law:?} at {z}: {w}, off by {residual}");
        active += usize::from(n > 0.0);
        gaps += usize::from(n > 0.0 && law.elastic_force < 0.0);
        let reach = compliance * law.friction_impulse;
        let speed = r.log(1e-5, 10.0);
        let z = r.vector(speed);
        let z = z - law.normal * law.normal.dot(&z);
        let (w, soft) = law.settled_slip(&z, compliance);
        // It is found to 1e-4 only.
        let slope = 1.0 + reach * (law.slip_tolerance / soft).powi(2) / soft;
        let error = (w * (1.0 + reach / soft) - z).norm() / slope;
        assert!(error <= 1e-4 * w.norm() + 1e-14, "{law:?}: {error} of {w}");
    }
    assert!(active > 1000 && gaps > 100, "{active}, {gaps}");
}

#[test]
fn wide_instructions_change_no_bit_of_a_solve() {
    let (mut iterations, mut p) = (0, Problem::default());
    for seed in 0..200 {
        let start = generator::problem(seed, &mut p);
        let solve = |wide: bool| {
            let mut v = start.clone();
            let count = solver(Method::PrimalDual, 1e-8).solve_contacts(&p, &mut v, wide);
            (count, v)
        };
        assert_eq!(solve(true), solve(false));
        iterations += solve(true).0;
    }
    assert!(iterations > 400, "{iterations}");
}

/// Against its definition `phi(u) - phi(w) - phi'(w)(u - w)`, as far as that can be computed.
#[test]
fn gaps_are_those_of_fenchel_and_never_negative() {
    let mut r = Random(22);
    for _ in 0..10_000 {
        let law = random_contact(&mut r);
        let speed = r.log(1e-4, 10.0);
        let (u, w) = (r.vector(speed), r.vector(speed));
        let n = law.normal;
        let (un, wn) = (n.dot(&u), n.dot(&w));
        let cost = |v: &Vector3<f64>| law.cost(v);
        let along = |x: f64| cost(&(n * x));
        let definition = along(un) - along(wn) + law.normal_impulse(wn).0 * (un - wn);
        let scale = along(un).abs() + along(wn).abs() + law.normal_impulse(wn).0 * (un.abs() + wn.abs());
        let gap = law.normal_gap(un, wn);
        assert!(gap >= 0.0 && (gap - definition).abs() <= 1e-10 * scale, "{law:?}: {gap} and {definition}");
        assert_eq!(law.normal_gap(un, un), 0.0);
        let (ut, wt) = (u - n * un, w - n * wn);
        let (soft, soft_w) = (law.soft_norm(&ut), law.soft_norm(&wt));
        let definition = law.friction_impulse * (soft - soft_w - wt.dot(&(ut - wt)) / soft_w);
        let gap = law.friction_gap(&ut, soft, &(wt / soft_w));
        assert!(gap >= 0.0 && (gap - definition).abs() <= 1e-6 * law.friction_impulse * (soft + soft_w));
        assert!(law.friction_gap(&ut, soft, &(ut / soft)) <= 1e-9 * law.friction_impulse * soft);
    }
}

/// One iteration of a contact between a fixed wall and a free body: at the minimum its matrix is the Hessian of the
/// cost.
#[test]
fn the_matrix_is_positive_definite_and_the_hessian_at_the_minimum() {
    let mut r = Random(23);
    for _ in 0..20 {
        let p = fixture(&mut r);
        let n = p.size();
        let mut s = solver(Method::PrimalDual, 1e-13);
        let island = &p.islands()[0];
        let mut solution = Solution::default();
        s.solve_from(&p, 1e-13, p.start_velocity(), &mut solution).unwrap();
        let Solution { velocity: v, forces, .. } = solution;
        let mut exact = Assembly::default();
        gradient_at(&p, &v, &mut exact);
        let at_minimum = s.first_matrix(&p, island, &v, &forces, 5).expect("a direction");
        for (i, k) in exact.pools.contact.values.curvature.iter().enumerate() {
            assert!((at_minimum[i] - k).norm() <= 1e-5 * k.norm(), "{} and {k}", at_minimum[i]);
        }
        // Elsewhere, from any impulses: positive semidefinite along every direction.
        for _ in 0..20 {
            let other: Vec<f64> = (0..n).map(|_| 5.0 * r.next()).collect();
            for k in s.first_matrix(&p, island, &other, &forces, 0).expect("a direction") {
                let eigenvalues = SymmetricEigen::new(k).eigenvalues;
                assert!((k - k.transpose()).norm() <= 1e-14 * k.norm());
                assert!(eigenvalues.min() >= -1e-12 * k.norm(), "{k}");
            }
        }
    }
}

#[test]
fn the_error_is_below_its_bound_in_every_iteration() {
    let mut p = Problem::default();
    let (mut bounds, mut sharp) = (0, 0);
    for seed in 0..1000 {
        let start = generator::problem(seed, &mut p);
        let mut v = start.clone();
        if solver(Method::Newton, 0.0).solve_for(&p, 1e-11, &mut v).is_err() {
            continue; // beyond rounding
        }
        let mut s = solver(Method::PrimalDual, 0.0);
        // The reference has an error too, below its gradient in A^-1.
        s.options.max_iterations = 0;
        let reference: Vec<f64> = s.bounds(&p, &mut v.clone()).iter().map(|(_, bound)| *bound).collect();
        for iterations in 0..12 {
            s.options.max_iterations = iterations;
            let mut u = start.clone();
            for ((island, bound), reference) in s.bounds(&p, &mut u).into_iter().zip(&reference) {
                let mut e = vec![0.0; p.size()];
                for i in p.islands()[island].cliques.iter().flat_map(|&c| p.velocities_of(c)) {
                    e[i] = u[i] - v[i];
                }
                let scale = p.energy_norm(&v).max(p.energy_norm(p.start_velocity()));
                let error = p.energy_norm(&e);
                // Rounding: what light bodies under heavy load slip by is regularized by a billionth of a second alone.
                assert!(error <= bound + reference + 1e-9 * scale, "seed {seed}: {error:e} above {bound:e}, {scale:e}");
                bounds += 1;
                sharp += usize::from(bound < 10.0 * error);
            }
        }
    }
    assert!(bounds > 5000 && sharp > bounds / 4, "{sharp} of {bounds}");
}

/// Scale of the tolerance of a solve, for the whole problem.
fn scale_at(p: &Problem, v: &[f64]) -> f64 {
    let sum =
        |x: &[f64], power: i32| x.iter().zip(&p.trees.scale).map(|(x, d)| (x * d.powi(power)).powi(2)).sum::<f64>();
    sum(&p.step_terms.momentum, 1).max(sum(v, -1)).sqrt()
}

#[test]
fn both_methods_find_the_same_minimum_of_random_problems() {
    let mut p = Problem::default();
    let [mut newton, mut dual] = [Method::Newton, Method::PrimalDual].map(|method| solver(method, 0.0));
    let (mut n, mut d) = (0, 0);
    for seed in 0..4000 {
        let start = generator::problem(seed, &mut p);
        let (mut a, mut b) = (start.clone(), start);
        n += newton.solve_for(&p, 1e-10, &mut a).unwrap_or_else(|e| panic!("seed {seed}: {e}")).iterations;
        d += dual.solve_for(&p, 1e-10, &mut b).unwrap_or_else(|e| panic!("seed {seed}: {e}")).iterations;
        let scale = scale_at(&p, &b);
        let apart = p.energy_norm(&difference(&a, &b));
        assert!(apart <= 1e-8 * scale, "seed {seed}: {apart:e} of {scale:e}");
    }
    for seed in [5591, 5635, 7111, 7392, 7955, 8051, 8276, 14811, 16322, 16330, 17596, 18140] {
        // Stops and contacts whose edges are nearer to each other than velocities are exact.
        let start = generator::problem(seed, &mut p);
        let (mut a, mut b) = (start.clone(), start);
        newton.solve_for(&p, 1e-10, &mut a).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        dual.solve_for(&p, 1e-10, &mut b).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        let apart = p.energy_norm(&difference(&a, &b));
        assert!(apart <= 1e-7 * scale_at(&p, &b), "seed {seed}: {apart:e}");
    }
    println!("4000 problems compared, {n} iterations of Newton's method, {d} of the other");
    assert!(d < n, "{d} iterations, {n} of Newton's method");
}

/// Two problems of a million: the line search cuts steps to a thousandth, and the method alone does not converge. At
/// the second the primal-dual method does not either, and continues from where Newton's stopped.
#[test]
fn methods_hand_over_where_they_do_not_arrive() {
    let mut p = Problem::default();
    let [mut newton, mut dual] = [Method::Newton, Method::PrimalDual].map(|method| solver(method, 0.0));
    for seed in [989753, 287908] {
        let start = generator::problem(seed, &mut p);
        let (mut a, mut b) = (start.clone(), start);
        let report = newton.solve_for(&p, 1e-6, &mut a).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        assert!(report.iterations > newton.options.max_iterations, "seed {seed} needs no help: {report:?}");
        dual.solve_for(&p, 1e-10, &mut b).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        assert!(p.energy_norm(&difference(&a, &b)) <= 1e-6 * scale_at(&p, &b), "seed {seed}");
    }
}

#[test]
fn the_primal_dual_method_solves_trees_with_limits_efforts_and_rows() {
    let mut r = Random(24);
    for _ in 0..50 {
        let p = fixture(&mut r);
        let (mut a, mut b) = (Solution::default(), Solution::default());
        solver(Method::Newton, 0.0).solve_from(&p, 1e-11, p.start_velocity(), &mut a).unwrap();
        let mut s = solver(Method::PrimalDual, 0.0);
        let cold = s.solve_from(&p, 1e-11, p.start_velocity(), &mut b).unwrap();
        assert!(p.energy_norm(&difference(&a.velocity, &b.velocity)) <= 1e-9 * p.energy_norm(&a.velocity));
        // The forces found are those at the minimum, and a solve from there has nothing left to do.
        let again = s.solve_from(&p, 1e-8, &b.velocity.clone(), &mut b).unwrap();
        assert!(cold.iterations > 1 && again.iterations == 0, "{cold:?}, {again:?}");
        assert!(!b.forces.is_empty() && a.pairs.iter().any(|pair| pair.impulse != Vector3::zeros()));
    }
}

#[test]
fn numerical_trouble_of_the_primal_dual_method_is_a_value() {
    let mut r = Random(25);
    let mut p = fixture(&mut r);
    p.step_terms.force[0] = f64::NAN;
    p.set_step(0.01);
    let mut v = p.start_velocity().to_vec();
    let failure = solver(Method::PrimalDual, 1e-8).solve_for(&p, 1e-6, &mut v).unwrap_err();
    assert_eq!(failure.fault, SolveFault::NotFinite);
    // Too few iterations: both methods have another try, and fail likewise.
    let p = fixture(&mut Random(25));
    let mut s = solver(Method::PrimalDual, 1e-8);
    s.options.max_iterations = 1;
    let failure = s.solve_for(&p, 1e-6, &mut p.start_velocity().to_vec()).unwrap_err();
    assert_eq!(failure.fault, SolveFault::IterationLimit);
}
