//! Tests of `src/engine/simulate/sample_times.rs`.

use kinegraph_engine::simulate::sample_times::SampleTimes;

#[test]
fn times_are_those_a_person_would_write() {
    for (start, every, k, shown) in [
        (0.0, 0.001, 345_102, "345.102"),
        (0.0, 0.1, 3, "0.3"),
        (2.5, 0.01, 7, "2.57"),
        (0.0, 1e-6, 1_000_003, "1.000003"),
        (-1.0, 0.25, 3, "-0.25"),
        (0.0, 30.0, 4, "120"),
    ] {
        assert_eq!(SampleTimes::new(start, every).at(k).to_string(), shown);
    }
}

#[test]
fn times_without_a_short_decimal_are_sums() {
    let (start, every) = (0.1 + 0.2, 1.0 / 3.0);
    for k in [0, 1, 1_000_000] {
        let time = SampleTimes::new(start, every).at(k);
        assert!((time - (start + k as f64 * every)).abs() <= 1e-15 * time, "{time}");
    }
    for never in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(SampleTimes::new(1.0, never).at(1), f64::INFINITY);
    }
}
