//! Scenes at the edge of what error control promises (`tests/data/edges`), and families of their kind.
#![allow(non_snake_case)] // A, B, C: as the field writes them

use crate::common::*;
use crate::reference::data;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::{OfOptions, Options};
use kinegraph::simulate::{Scenario, Simulation};
use kinegraph::systems::dynamics::StateSpace;
use kinegraph::systems::operators::{
    Adder, Beyond, Binary, BinaryFunction, DeadZone, Elementary, Function, Interpolation, RateLimiter, Saturation,
    Table,
};
use kinegraph::systems::sources::Sine;
use kinegraph::systems::{Dyn, In, Out};
use nalgebra::DMatrix;

/// The diagram and the options of a scene.
fn scene(name: &str) -> Scenario {
    Scenario::open(data().join(format!("edges/{name}.yaml"))).unwrap()
}

/// The first number of the state at the end of a run to `time`.
fn end(diagram: &Diagram, options: Options, time: f64) -> f64 {
    run(diagram, options, time).state().continuous[0]
}

/// `x = (t - 10 s)³/6 m`, and less than 2 mm of creep within the stiction tolerance before. One Jacobian of friction
/// that holds, or of sliding, must not decide a step over either.
#[test]
fn a_block_breaks_loose_when_its_load_exceeds_friction() {
    let diagram = scene("breaks_loose").diagram;
    type Method = fn(f64) -> Options;
    let methods: [(&str, Method); 4] = [
        ("cenic", Options::cenic),
        ("cenic-trapezoid", Options::cenic_trapezoid),
        ("sdirk2", Options::sdirk2),
        ("ros2", Options::ros2),
    ];
    for (name, method) in methods {
        for accuracy in [1e-4, 1e-6] {
            let (held, slid) = (end(&diagram, method(accuracy), 9.5), end(&diagram, method(accuracy), 12.0));
            assert!((0.0..1e-3).contains(&held), "{name} {accuracy:e}: {held} m while friction holds");
            assert!((slid - 8.0 / 6.0).abs() < 5e-3, "{name} {accuracy:e}: {slid} m");
        }
    }
}

#[test]
fn a_light_block_under_a_large_load_is_held_by_friction() {
    let diagram = scene("holds").diagram;
    for accuracy in [1e-2, 1e-3, 1e-5] {
        let x = end(&diagram, Options::cenic(accuracy), 2.0);
        assert!(x.abs() < 1e-3, "{accuracy:e}: {x} m");
    }
}

#[test]
fn a_locked_joint_stays_where_it_is_between_steps_too() {
    let diagram = scene("lock").diagram;
    let mut simulation = Simulation::new(&diagram, Options::cenic(1e-3)).unwrap();
    let mut largest = 0.0_f64;
    let sampled = simulation.advance_sampling(0.5, 0.01, |state| {
        largest = largest.max((state.continuous[0] - 4.0 * state.time.min(0.3)).abs());
    });
    sampled.unwrap();
    assert!(largest < 1e-3, "{largest} rad");
}

#[test]
fn errors_behind_a_bounce_fall_with_the_accuracy() {
    let diagram = scene("stop").diagram;
    let (g, time) = (9.81_f64, 0.6);
    let impact = (2.0 / g).sqrt();
    let left = time - impact;
    let exact = 0.5 * g * impact * left - 0.5 * g * left * left;
    for accuracy in [1e-5, 1e-6, 1e-7, 1e-8] {
        let error = (end(&diagram, Options::cenic_trapezoid(accuracy), time) - exact).abs();
        assert!(error < 20.0 * accuracy, "{accuracy:e}: {error:e}");
    }
}

const ACCURACIES: [f64; 6] = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8];

/// Largest error of `dopri5` in accuracies, over all numbers at 60 times up to 3 s, for each accuracy. The reference is
/// by a method of third order whose own error estimate detects kinks.
fn errors(diagram: &Diagram) -> [f64; 6] {
    let samples = |options: Options| {
        let mut simulation = Simulation::new(diagram, options).unwrap();
        let mut all = Vec::new();
        // Read off the steps, which are as long as error control lets them be.
        simulation.advance_sampling(3.0, 0.05, |state| all.extend_from_slice(&state.continuous)).unwrap();
        all
    };
    let exact = samples(Options { accuracy: 1e-11, ..Options::rk3(1e-3) });
    ACCURACIES.map(|accuracy| {
        let found = samples(Options::dopri5(accuracy));
        found.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / accuracy
    })
}

#[test]
fn a_limited_rate_is_followed_over_its_kinks() {
    let found = errors(&scene("kink").diagram);
    assert!(found.iter().all(|error| *error < 20.0), "{found:?}");
}

/// A law with kinks on one number, and its ports.
fn law(b: &mut DiagramBuilder, r: &mut Random, kind: usize) -> (In<Dyn>, Out<Dyn>) {
    let a = r.between(0.2, 0.8);
    match kind {
        0 => {
            let block = b.add("law", Saturation::new(1, -a, a).unwrap());
            (block.input, block.output)
        }
        1 => {
            let block = b.add("law", Function::new(1, Elementary::Abs));
            (block.input, block.output)
        }
        2 => {
            let block = b.add("law", DeadZone::new(1, -a, a).unwrap());
            (block.input, block.output)
        }
        3 => {
            let block = b.add("law", BinaryFunction::new(1, Binary::Max));
            b.fix(block.b, [0.2]);
            (block.a, block.output)
        }
        4 => {
            let points = (vec![-2.0, -1.0, 0.0, 0.5, 2.0], vec![-1.0, 0.0, 0.2, 1.0, 1.2]);
            let table = Table::new(1, points.0, points.1, Interpolation::Linear, Beyond::Clamp);
            let block = b.add("law", table.unwrap());
            (block.input, block.output)
        }
        _ => {
            let block = b.add("law", RateLimiter::new([0.0], 2.0 * a, 3.0 * a, 0.05).unwrap());
            (block.input, block.output)
        }
    }
}

/// `x' = A x + B f(3 c x + sin w t)` with a law f of every kind.
fn kinked(case: usize) -> Diagram {
    let mut r = Random(0x1234_5678 + 7919 * case as u64);
    let n = 1 + case % 3;
    let A = DMatrix::from_fn(n, n, |i, j| r.between(-1.5, 1.5) - if i == j { 4.0 } else { 0.0 });
    let B = DMatrix::from_fn(n, 1, |_, _| r.between(-3.0, 3.0));
    let C = DMatrix::from_fn(1, n, |_, _| 3.0 * r.between(-1.0, 1.0));
    let mut b = DiagramBuilder::new("kinked");
    let block = StateSpace::new(A, B, C, DMatrix::zeros(1, 1), vec![0.5; n]).unwrap();
    let block = b.add("block", block);
    let wave = b.add("wave", Sine::new(1, 1.0, r.between(1.0, 8.0), 0.0, 0.0).unwrap());
    let sum = b.add("sum", Adder::new(1, [1.0, 1.0]).unwrap());
    let (input, output) = law(&mut b, &mut r, case % 6);
    b.connect(block.output, sum.inputs[0]);
    b.connect(wave.output, sum.inputs[1]);
    b.connect(sum.output, input);
    b.connect(output, block.input);
    b.build().unwrap()
}

#[test]
fn random_laws_with_kinks_are_followed_over_them() {
    let found: Vec<(usize, [f64; 6])> = (0..30).map(|case| (case, errors(&kinked(case)))).collect();
    let wrong: Vec<_> = found.iter().filter(|(_, errors)| !errors.iter().all(|error| *error < 20.0)).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// Only blocks with kinks are evaluated a second time: six evaluations an attempt for smooth blocks, and one more.
#[test]
fn smooth_blocks_are_evaluated_once_per_stage() {
    for (accuracy, has_kinks) in [(1e-3, false), (1e-8, false), (1e-3, true)] {
        let diagram = if has_kinks { kinked(0) } else { super::growth::smooth() };
        let simulation = run(&diagram, Options::dopri5(accuracy), 3.0);
        let statistics = simulation.statistics();
        let plain = 6 * attempts(&simulation) + 1;
        assert_eq!(diagram.has_kinks(), has_kinks);
        assert_eq!(statistics.derivative_evaluations > plain, has_kinks, "{accuracy:e}");
    }
}
