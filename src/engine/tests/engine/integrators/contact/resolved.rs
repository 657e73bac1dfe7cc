//! Contact that is soft against the step.

use kinegraph_convex::contact::{ContactMaterial, ContactRow, Problem};
use kinegraph_convex::solvers::icf::{Solver, SolverOptions};
use kinegraph_engine::integrators::CenicTuning;
use kinegraph_engine::integrators::contact::resolved::{self, Later};
use nalgebra::{DMatrix, Vector3};

/// A ball of 1 kg touching the fixed ground 1 mm deep, falling at 0.1 m/s, its contact point at `p_BC`.
fn ball(p_BC: Vector3<f64>, spin: f64, slip: f64, friction: f64) -> Problem {
    let mut p = Problem::default();
    p.clear();
    let mass = DMatrix::from_diagonal(&nalgebra::DVector::from_column_slice(&[0.004, 0.004, 0.004, 1.0, 1.0, 1.0]));
    p.add_clique(mass.as_slice(), &[0.0; 6], &[0.0; 6], &[0.0, spin, 0.0, slip, 0.0, -0.1]);
    let (body_a, body_b) = (p.add_body(None, false, &[], 1.0), p.add_body(Some(0), true, &[], 1.0));
    p.add_contact(&ContactRow {
        body_a,
        body_b,
        p_AC: p_BC,
        p_BC,
        normal: Vector3::z(),
        bias_velocity: Vector3::zeros(),
        depth: 1e-3,
        material: ContactMaterial {
            stiffness: 1e4,
            dissipation: 0.5,
            static_friction: friction,
            dynamic_friction: friction,
            stiction_tolerance: 1e-4,
            ..ContactMaterial::default()
        },
        key: 1,
        ..ContactRow::default()
    });
    p.finish();
    p
}

const BELOW: Vector3<f64> = Vector3::new(0.0, 0.0, -0.1);

/// In an impact that is followed.
fn resolves(p: &mut Problem, h: f64, later: &Problem) -> bool {
    resolves_in(p, h, later, true)
}

fn resolves_in(p: &mut Problem, h: f64, later: &Problem, followed: bool) -> bool {
    let v = p.start_velocity().to_vec();
    p.set_step(h);
    let mut marked = [true];
    let later = Later { problem: later, dt: h, wander: CenicTuning::DEFAULT.wander };
    resolved::resolves(p, h, &v, later, followed, &mut marked);
    marked[0]
}

/// `M a = J' f` with `f = k x (1 - d vn) (n - mu t)`.
#[test]
fn contact_accelerates_by_the_continuous_law() {
    let mut p = ball(BELOW, 0.0, 2.0, 0.3);
    p.set_step(1e-4);
    let mut a = [0.0; 6];
    assert!(p.add_contact_accelerations(1e-4, &mut a));
    let normal = 1e4 * 1e-3 * (1.0 + 0.5 * 0.1);
    let friction = 0.3 * normal * 2.0 / (4.0 + 1e-8_f64).sqrt();
    for (a, expected) in a.iter().zip([0.0, 0.1 * friction / 0.004, 0.0, -friction, 0.0, normal]) {
        assert!((a - expected).abs() < 1e-12 * normal / 0.004, "{a} {expected}");
    }
    // The convex step's mean acceleration tends to the same.
    let mut v = p.start_velocity().to_vec();
    p.set_step(1e-5);
    let options = SolverOptions { min_tolerance: 1e-14, ..SolverOptions::default() };
    Solver::new(options).solve_for(&p, 1e-14, &mut v).unwrap();
    for ((v, v0), a) in v.iter().zip(p.start_velocity()).zip(a) {
        assert!(((v - v0) / 1e-5 - a).abs() < 1e-2 * normal, "{v} {v0} {a}");
    }
}

#[test]
fn soft_is_what_a_step_follows() {
    let same = ball(BELOW, 0.0, 2.0, 0.3);
    // w = 2.65/m: dt² k w passes 1/4 near 3 ms, and 1 near 6.1 ms, for impacts in which nothing rubs.
    for (slip, followed, longest) in [(2.0, true, 3.07e-3), (0.0, true, 6.14e-3), (0.0, false, 3.07e-3)] {
        assert!(resolves_in(&mut ball(BELOW, 0.0, slip, 0.3), 0.98 * longest, &same, followed));
        assert!(!resolves_in(&mut ball(BELOW, 0.0, slip, 0.3), 1.02 * longest, &same, followed));
    }
    // Friction that stops the slip within the step is not followed; without slip there is none.
    assert!(!resolves(&mut ball(BELOW, 0.0, 1e-3, 0.3), 2.5e-3, &same));
    assert!(resolves(&mut ball(BELOW, 0.0, 0.0, 0.3), 2.5e-3, &same));
}

#[test]
fn a_point_that_jumps_is_not_soft() {
    let edge = ball(BELOW + Vector3::new(0.05, 0.0, 0.0), 0.0, 2.0, 0.3);
    assert!(!resolves(&mut ball(BELOW, 0.0, 2.0, 0.3), 1e-3, &edge));
    // One that turns with the body stays: 0.1 m at 10 rad/s for 1 ms.
    let turned = ball(BELOW + Vector3::new(1e-3, 0.0, 0.0), 10.0, 2.0, 0.3);
    assert!(resolves(&mut ball(BELOW, 10.0, 2.0, 0.3), 1e-3, &turned));
    // Where bodies turn back they hardly move at the start: the depth changes by what they do at the end.
    let deeper = ball(BELOW + Vector3::new(0.0, 0.0, 5e-5), 0.0, 2.0, 0.3);
    let mut turning_back = ball(BELOW, 0.0, 2.0, 0.3);
    turning_back.contacts.points[0].start.separation0 = 0.0;
    assert!(resolves(&mut turning_back, 1e-3, &deeper));
    // One that ceases is gone.
    let mut gone = ball(BELOW, 0.0, 2.0, 0.3);
    gone.clear();
    assert!(!resolves(&mut ball(BELOW, 0.0, 2.0, 0.3), 1e-3, &gone));
}
