//! Rest depth, creep and gliding of one mass.

use super::*;
use std::f64::consts::PI;

const G: f64 = 9.81;
const H: f64 = 0.01;
const TAU: f64 = 0.02;

struct Rest {
    velocity: [f64; 3],
    depth: f64,
}

/// Steps one mass of 1 kg until it moves along the surface only.
fn settle(force: [f64; 3], velocity: [f64; 3], stiffness: f64, friction: f64, steps: usize) -> Rest {
    let options = SolverOptions { relaxation_time: Some(TAU), relative_tolerance: 1e-12, ..SolverOptions::default() };
    let mut rest = Rest { velocity, depth: 0.0 };
    for _ in 0..steps {
        let mass = Mass { mass: 1.0, velocity: rest.velocity, depth: rest.depth, force, stiffness, friction };
        let (solution, _) = solve(options, &one_mass(&mass, H)).expect("a solution");
        rest.velocity.copy_from_slice(&solution.velocity);
        rest.depth -= H * rest.velocity[2];
    }
    rest
}

/// Effective weight of a point mass of 1 kg, and the compliances.
fn compliances(stiffness: f64) -> (f64, f64) {
    let w = 1.0 / 3f64.sqrt();
    let rigid = w / (4.0 * PI * PI);
    (rigid.max(1.0 / (H * stiffness * (H + TAU))), 1e-3 * w)
}

/// The depth is `(h + τ) R_n N h`: m g/k as long as the contact is soft against the step, and no less than that of a
/// near-rigid one.
#[test]
fn rest_depth_for_nine_decades_of_stiffness() {
    for exponent in 3..=12 {
        let stiffness = 10f64.powi(exponent);
        let rest = settle([0.0, 0.0, -G], [0.0; 3], stiffness, 0.5, 400);
        let (normal, _) = compliances(stiffness);
        let expected = (H + TAU) * normal * G * H;
        assert!((rest.depth / expected - 1.0).abs() < 1e-6, "k = {stiffness:e}: {} and {expected}", rest.depth);
        let soft = normal * stiffness * H * (H + TAU) < 1.0 + 1e-12;
        assert_eq!(soft, stiffness <= 1e5, "the contact is near-rigid from 2.3e5 N/m on");
        assert!(!soft || (rest.depth / (G / stiffness) - 1.0).abs() < 1e-6);
    }
}

/// A mass on an incline creeps by `R_t |f_t| h`.
#[test]
fn creep_on_an_incline() {
    let angle = (0.5_f64 * 0.6).atan();
    let force = [G * angle.sin(), 0.0, -G * angle.cos()];
    let rest = settle(force, [0.0; 3], 1e5, 0.5, 600);
    let (normal, tangential) = compliances(1e5);
    let creep = tangential * G * angle.sin() * H;
    assert!((rest.velocity[0] / creep - 1.0).abs() < 1e-6, "{} and {creep}", rest.velocity[0]);
    assert!((creep - 1.627483e-5).abs() < 1e-10, "{creep:e}");
    let depth = (H + TAU) * normal * G * angle.cos() * H;
    assert!((rest.depth / depth - 1.0).abs() < 1e-6);
}

/// A mass that slides at a constant speed is lifted by a gap: `(h + τ)(μ v - R_n (1 + μ² R_t/R_n) m g h)`.
#[test]
fn gliding_on_a_gap() {
    let (friction, stiffness) = (0.5, 1e5);
    let rest = settle([friction * G, 0.0, -G], [1.0, 0.0, 0.0], stiffness, friction, 3000);
    let (normal, tangential) = compliances(stiffness);
    let weight = normal * (1.0 + friction * friction * tangential / normal) * G * H;
    let gap = (H + TAU) * (friction * rest.velocity[0] - weight);
    assert!((-rest.depth / gap - 1.0).abs() < 1e-6, "{} and {gap}", -rest.depth);
    assert!((gap - 1.4901475e-2).abs() < 1e-6 * gap + 3e-5 * (rest.velocity[0] - 1.0).abs(), "{gap}");
}
