//! Butterworth filters.

use super::response::response;
use kinegraph_core::LeafSystem;
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::dynamics::{Band, Butterworth};

fn filter(order: usize, band: Band) -> Butterworth {
    Butterworth::new(1, order, band).unwrap()
}

#[test]
fn conforms() {
    for order in [1, 2, 5] {
        for band in [Band::Low(2.0), Band::High(3.0), Band::Between(2.0, 5.0)] {
            conformance::check(&Butterworth::new(2, order, band).unwrap());
        }
    }
}

/// |H| = 1/√(1 + x^2n) with x = ω/ω₀, ω₀/ω and (ω² - ω₁ ω₂)/(B ω).
#[test]
fn is_maximally_flat() {
    for order in [1, 2, 3, 4, 7, 12] {
        for w in [0.5_f64, 1.7, 2.0, 3.0, 3.7, 5.0, 6.0, 9.0] {
            for (band, x) in [
                (Band::Low(3.0), w / 3.0),
                (Band::High(3.0), 3.0 / w),
                (Band::Between(2.0, 6.0), (w * w - 12.0) / (4.0 * w)),
                (Band::Between(0.1, 20.0), (w * w - 2.0) / (19.9 * w)),
            ] {
                let expected = 1.0 / (1.0 + x.powi(2 * order as i32)).sqrt();
                let found = response(&filter(order, band), w).norm();
                assert!((found - expected).abs() < 1e-10, "{band:?} of order {order} at {w}: {found}, not {expected}");
            }
        }
    }
}

#[test]
fn constant_signals_have_their_gain_to_the_last_bit() {
    for order in 1..=8 {
        for (band, gain) in [(Band::Low(2.0), 1.0), (Band::High(2.0), 0.0), (Band::Between(2.0, 3.0), 0.0)] {
            let filter = filter(order, band);
            // At rest the position of each section is its input: the signal in a low pass, and behind the first
            // section of the others zero.
            let orders = if matches!(band, Band::Between(..)) { [0, order] } else { [order % 2, order / 2] };
            let mut state = Vec::new();
            for k in 0..orders[0] + orders[1] {
                state.push(if gain == 1.0 || k == 0 { 0.3 } else { 0.0 });
                state.extend((k >= orders[0]).then_some(0.0));
            }
            let bench = Bench::new(&filter).input(filter.input, [0.3]).state(&state);
            assert!(bench.derivatives().iter().all(|&rate| rate == 0.0), "{band:?} of order {order}");
            assert_eq!(bench.eval(filter.output), [gain * 0.3]);
        }
    }
}

#[test]
fn low_passes_and_band_passes_break_loops() {
    for (band, direct) in [(Band::Low(2.0), false), (Band::Between(2.0, 3.0), false), (Band::High(2.0), true)] {
        let filter = filter(3, band);
        assert_eq!(LeafSystem::ports(&filter).outputs()[0].feedthrough.contains(0), direct);
    }
}

#[test]
fn refuses_orders_and_bands_that_there_are_not() {
    let fault = |order, band| Butterworth::new(1, order, band).err().unwrap().to_string();
    assert_eq!(fault(0, Band::Low(1.0)), "order[0] is 0, expected a whole number from 1 to 30");
    assert_eq!(fault(2, Band::Between(3.0, 2.0)), "from[0] = 3 is not below to[0] = 2");
    assert_eq!(fault(2, Band::Low(0.0)), "to[0] is 0, expected a number above 0");
}
