//! Both solution methods find the same minimum for the problems of short runs.

use kinegraph::contact::Solution;
use kinegraph::integrators::contact::{IcfStep, StepOptions, StepPoint};
use kinegraph::integrators::{Candidate, OneStep, Statistics};
use kinegraph::scenario::Scenario;
use kinegraph::solvers::icf::{Method, Solver, SolverOptions};

/// Takes steps of length `h` through a scene and solves the problem of each by both methods. Returns the number of
/// problems with contact, and of iterations by each method.
fn compare(scene: &str, h: f64, steps: usize) -> [usize; 3] {
    let file = format!("{}/{scene}", env!("CARGO_MANIFEST_DIR"));
    let diagram = Scenario::open(&file).unwrap().diagram;
    let options = StepOptions { rejects: false, ..StepOptions::default() };
    let mut method = IcfStep::new(&diagram, options, Solver::default());
    let mut state = diagram.initial_state();
    let (mut point, mut next, mut statistics) = (StepPoint::default(), Candidate::default(), Statistics::default());
    let solver = |method| Solver::new(SolverOptions { method, min_tolerance: 0.0, ..SolverOptions::default() });
    let (mut newton, mut dual) = (solver(Method::Newton), solver(Method::PrimalDual));
    let (mut a, mut b) = (Solution::default(), Solution::default());
    let mut counts = [0; 3];
    for _ in 0..steps {
        method.prepare(&state, h, &mut point, &mut statistics).unwrap();
        next.velocity.clear();
        next.velocity.extend_from_slice(method.velocity_at(&point));
        let guess = next.velocity.clone();
        if method.step(&mut point, h, 1e-8, &mut next, &mut statistics).is_err() {
            break; // a step too long for the scene
        }
        let p = &point.problem;
        let by_newton = newton.solve_from(p, 1e-11, &guess, &mut a).unwrap_or_else(|e| panic!("{scene}: {e}"));
        let by_dual = dual.solve_from(p, 1e-11, &guess, &mut b).unwrap_or_else(|e| panic!("{scene}: {e}"));
        let (a, b) = (&a.velocity, &b.velocity);
        let apart = |a: &[f64], b: &[f64]| p.energy_norm(&a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<_>>());
        let scale = p.energy_norm(a).max(p.energy_norm(p.start_velocity())).max(1e-6);
        let apart = apart(a, b);
        assert!(apart <= 1e-8 * scale, "{scene}, step {h}, at {}: {apart:e} of {scale:e}", state.time);
        if p.num_contacts() > 0 {
            counts[0] += 1;
            counts[1] += by_newton.iterations;
            counts[2] += by_dual.iterations;
        }
        state.continuous.copy_from_slice(&next.continuous);
        state.time += h;
    }
    counts
}

/// Deterministic runs replace stored problems: a thousand with contact.
#[test]
fn the_problems_of_short_runs_have_the_same_minimum_by_both_methods() {
    let mut sum = [0; 3];
    for (scene, runs) in [
        ("examples/clutter/clutter.yaml", [(2e-2, 40), (5e-3, 120), (1e-3, 200)]),
        ("tests/data/scenes/gripper_mp/gripper_mp.yaml", [(2e-2, 30), (5e-3, 60), (1e-3, 100)]),
        ("tests/data/scenes/franka/franka.yaml", [(2e-2, 50), (5e-3, 150), (1e-3, 150)]),
        ("tests/data/scenes/conveyor/conveyor.yaml", [(2e-2, 50), (5e-3, 150), (1e-3, 200)]),
        ("tests/data/scenes/bouncing_ball/bouncing_ball.yaml", [(1e-2, 200), (5e-3, 200), (2e-3, 300)]),
    ] {
        for (h, steps) in runs {
            let counts = compare(scene, h, steps);
            sum = std::array::from_fn(|i| sum[i] + counts[i]);
        }
    }
    println!("{} problems with contact compared, {} and {} iterations", sum[0], sum[1], sum[2]);
    assert!(sum[0] >= 1000 && sum[2] < sum[1], "{sum:?}");
}
