//! Friction as a function of the speed.

use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::dynamics::{Friction, Sliding};

fn sliding() -> Sliding {
    Sliding { coulomb: 2.0.into(), breakaway: 3.0.into(), stribeck_speed: 0.1.into(), viscous: 0.5.into() }
}

#[test]
fn conforms() {
    conformance::check(&Friction::new(3, sliding(), 0.2).unwrap());
}

/// The curve F_c + (F_s - F_c) exp(-(v/v_s)²) + σ₂ v against the motion, where tanh(v/v_t) is 1 to the last bit.
#[test]
fn follows_the_stribeck_curve_both_ways() {
    let block = Friction::new(1, sliding(), 1e-4).unwrap();
    for v in [0.01_f64, 0.05, 0.1, 0.3, 2.0] {
        let expected = 2.0 + (-(v / 0.1) * (v / 0.1)).exp() + 0.5 * v;
        for side in [-1.0, 1.0] {
            let force = Bench::new(&block).input(block.velocity, [side * v]).eval(block.force)[0];
            assert!((force + side * expected).abs() < 1e-12, "{force} at {v}");
        }
    }
    assert_eq!(Bench::new(&block).input(block.velocity, [0.0]).eval(block.force), [0.0]);
}

#[test]
fn its_slope_at_rest_is_that_of_the_breakaway() {
    let block = Friction::new(1, sliding(), 0.25).unwrap();
    let slope = Bench::new(&block).input(block.velocity, [0.0]).jacobian(block.velocity, block.force)[(0, 0)];
    assert!((slope + 3.0 / 0.25 + 0.5).abs() < 1e-12);
}

#[test]
fn refuses_a_breakaway_below_the_coulomb_friction() {
    let sliding = Sliding { breakaway: 1.0.into(), ..sliding() };
    let fault = Friction::new(1, sliding, 1e-3).err().unwrap();
    assert_eq!(fault.to_string(), "breakaway (less coulomb)[0] is -1, expected a number that is not negative");
}
