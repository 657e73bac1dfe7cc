//! Hysteresis of springs that yield.

use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::dynamics::{Hysteresis, HysteresisSettings};

fn block(exponent: f64, shape: f64) -> Hysteresis {
    let settings = HysteresisSettings {
        stiffness: 100.0.into(),
        yielded_stiffness_ratio: 0.2.into(),
        yield_displacement: 0.5.into(),
        exponent: exponent.into(),
        shape: shape.into(),
    };
    Hysteresis::new(1, settings).unwrap()
}

#[test]
fn conforms() {
    for (exponent, shape) in [(1.0, 0.5), (1.5, 0.75), (3.0, 1.0)] {
        conformance::check(&block(exponent, shape));
    }
}

/// The slope dz/dx is 1 from rest, 0 at the yield, and 1 on unloading with b = 1/2.
#[test]
fn yields_and_unloads() {
    for exponent in [1.0, 2.5] {
        let slope = |z: f64, rate: f64, shape: f64| {
            let block = block(exponent, shape);
            let bench = Bench::new(&block).input(block.displacement, [0.0]).input(block.rate, [rate]).state([z]);
            bench.derivatives()[0] / rate
        };
        for side in [-1.0, 1.0] {
            assert!((slope(0.0, side, 0.5) - 1.0).abs() < 1e-15);
            assert!(slope(side * 0.5, side, 0.5).abs() < 1e-15);
            assert!((slope(side * 0.5, -side, 0.5) - 1.0).abs() < 1e-15);
            // b = 1: 1 + (2 b - 1) at the yield.
            assert!((slope(side * 0.5, -side, 1.0) - 2.0).abs() < 1e-15);
        }
    }
}

#[test]
fn the_force_is_that_of_both_springs() {
    let block = block(1.0, 0.5);
    let bench = Bench::new(&block).input(block.displacement, [2.0]).state([0.25]);
    assert!((bench.eval(block.force)[0] - (0.2 * 100.0 * 2.0 + 0.8 * 100.0 * 0.25)).abs() < 1e-12);
}

#[test]
fn refuses_loops_that_would_give_energy() {
    let settings = HysteresisSettings {
        stiffness: 1.0.into(),
        yielded_stiffness_ratio: 0.0.into(),
        yield_displacement: 1.0.into(),
        exponent: 1.0.into(),
        shape: 0.3.into(),
    };
    let fault = Hysteresis::new(1, settings).err().unwrap();
    assert_eq!(fault.to_string(), "shape[0] is 0.3, expected a number from 0.5 to 1");
}
