//! LuGre friction.

use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::dynamics::{LugreFriction, Sliding};

fn block() -> LugreFriction {
    let sliding =
        Sliding { coulomb: 2.0.into(), breakaway: 3.0.into(), stribeck_speed: 0.1.into(), viscous: 0.5.into() };
    LugreFriction::new(1, sliding, 1e3, 20.0).unwrap()
}

#[test]
fn conforms() {
    conformance::check(&block());
}

/// In steady sliding the deflection is g(v)/σ₀, and the force that of the Stribeck curve.
#[test]
fn steady_sliding_has_the_stribeck_curve() {
    let block = block();
    for v in [-1.0_f64, -0.05, 0.05, 1.0] {
        let curve = 2.0 + (-(v / 0.1) * (v / 0.1)).exp();
        let bench = Bench::new(&block).input(block.velocity, [v]).state([v.signum() * curve / 1e3]);
        assert!(bench.derivatives()[0].abs() < 1e-12);
        assert!((bench.eval(block.force)[0] + v.signum() * curve + 0.5 * v).abs() < 1e-10, "at {v}");
    }
}

/// At rest the bristles are a spring; beginning motion adds σ₁ + σ₂.
#[test]
fn sticks_as_a_spring_with_a_damper() {
    let block = block();
    assert_eq!(Bench::new(&block).input(block.velocity, [0.0]).state([1e-3]).eval(block.force), [-1.0]);
    let slope = Bench::new(&block).input(block.velocity, [1e-9]).jacobian(block.velocity, block.force)[(0, 0)];
    assert!((slope + 20.5).abs() < 1e-6);
}

/// Bristles that are bent by F_s/σ₀ are not bent further at any speed.
#[test]
fn the_deflection_is_bounded_by_the_breakaway() {
    let block = block();
    for v in [1e-6, 1e-3, 0.1, 10.0] {
        for side in [-1.0, 1.0] {
            let rate = Bench::new(&block).input(block.velocity, [side * v]).state([side * 3e-3]).derivatives()[0];
            assert!(side * rate <= 1e-9 * v, "{rate} at {v}");
        }
    }
}

#[test]
fn refuses_bristles_without_stiffness() {
    let sliding =
        Sliding { coulomb: 2.0.into(), breakaway: 3.0.into(), stribeck_speed: 0.1.into(), viscous: 0.0.into() };
    let fault = LugreFriction::new(1, sliding, 0.0, 0.0).err().unwrap();
    assert_eq!(fault.to_string(), "stiffness[0] is 0, expected a number above 0");
}
