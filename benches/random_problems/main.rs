//! Solves random convex problems by both methods, from random starts, and compares what they find.
//!
//! ```sh
//! cargo bench --bench random_problems -- 1000000 [first seed]
//! ```
//!
//! Reports failures with their seeds and the most iterations that a problem took.

mod generator;

use kinegraph::contact::{ContactMaterial, ContactRow, LimitedEffort, Problem, Solution};
use kinegraph::profile::Stopwatch;
use kinegraph::solvers::ContactSolver;
use kinegraph::solvers::icf::{Method, Solver, SolverOptions};

/// Relative tolerance of the solves.
const TOLERANCE: f64 = 1e-6;

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|argument| argument.parse::<u64>().ok());
    let (count, first) = (numbers.next().unwrap_or(10_000), numbers.next().unwrap_or(0));
    let mut problem = Problem::default();
    for method in [Method::Newton, Method::PrimalDual] {
        let mut solver = Solver::new(SolverOptions { method, ..SolverOptions::default() });
        let (mut iterations, mut worst, mut failures) = (0, (0, 0), 0);
        let (mut elapsed, mut histogram) = (0.0, [0_u64; 8]);
        for seed in first..first + count {
            let mut solution = Solution::from_velocity(generator::problem(seed, &mut problem));
            let mut watch = Stopwatch::default();
            let start = std::time::Instant::now();
            solver.set_step(&problem);
            let solved = solver.solve(&problem, TOLERANCE, &mut solution, &mut watch);
            elapsed += start.elapsed().as_secs_f64();
            match solved {
                Ok(report) => {
                    iterations += report.iterations;
                    worst = worst.max((report.iterations, seed));
                    histogram[(report.iterations.max(1).ilog2() as usize).min(7)] += 1;
                }
                Err(failure) => {
                    failures += 1;
                    println!("{method:?}: seed {seed}: {failure}");
                }
            }
        }
        println!(
            "{method:?}: {count} problems, {failures} failures, {:.2} iterations and {:.1} µs a problem, most {} (seed {}); \
             1, 2-3, 4-7, ... iterations: {histogram:?}",
            iterations as f64 / count as f64,
            1e6 * elapsed / count as f64,
            worst.0,
            worst.1
        );
    }
}
