//! Any number of threads of one run gives the same bits: islands are solved, and shapes are compared, at the same time.

use crate::copies::run_together;

/// Final state as bits, and the counts.
fn end(scenes: &[&str], integrator: &[(&str, &str)], threads: &str, until: f64) -> (Vec<u64>, [usize; 6]) {
    let settings = [integrator, &[("threads", threads)]].concat();
    let simulation = run_together(scenes, &settings, until);
    let s = simulation.statistics();
    let counts = [s.steps, s.rejected_steps, s.solves, s.solver_iterations, s.factorizations, s.max_contacts];
    (simulation.state().continuous.iter().map(|x| x.to_bits()).collect(), counts)
}

fn check(scenes: &[&str], until: f64) {
    let step = |name, step| vec![("integrator", name), ("step", step)];
    for integrator in [vec![("integrator", "cenic")], step("icf", "5e-3"), step("sap", "5e-3")] {
        let alone = end(scenes, &integrator, "1", until);
        for threads in ["2", "3", "8"] {
            assert!(end(scenes, &integrator, threads, until) == alone, "{integrator:?} on {threads} threads");
        }
    }
}

/// Some islands have unsymmetric feedback, some are at rest, some are solved by another method.
#[test]
fn of_unlike_islands() {
    let boxes = ["scale_005"; 8];
    check(&[&boxes[..], &["franka", "scaleb_005", "scaleb_005", "gripper", "quadruped"]].concat(), 0.25);
}

/// Boxes and balls in one plant, which fall onto each other.
#[test]
fn of_many_pairs_of_shapes() {
    check(&["hard_clutter"], 0.35);
}
