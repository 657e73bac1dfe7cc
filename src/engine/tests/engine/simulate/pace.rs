//! Tests of `src/engine/simulate/pace.rs`.

use kinegraph_engine::simulate::pace::{MIN_SPAN, Pace, Paced, SPAN};

/// The first time at which steps of these lengths have no end at 1 s in sight.
fn first(lengths: impl Iterator<Item = f64>) -> Option<usize> {
    let (mut pace, mut time) = (Pace::default(), 0.0);
    lengths.enumerate().find_map(|(i, h)| {
        let start = time;
        time += h;
        pace.see(light(start, time), 1.0).err().map(|_| i)
    })
}

fn light(start: f64, end: f64) -> Paced {
    Paced { start, end, evaluations: 0, size: 1 }
}

/// How many steps of this length and work \[numbers\] are taken before 1 s is found to be out of sight, if it is.
fn taken(length: f64, work: usize) -> Option<usize> {
    let mut pace = Pace::default();
    (0..1000).find(|&i| {
        let step = Paced { start: 0.0, end: length, evaluations: i * work / 100, size: 100 };
        pace.see(Paced { start: i as f64 * length, end: (i + 1) as f64 * length, ..step }, 1.0).is_err()
    })
}

#[test]
fn steps_count_by_what_they_take() {
    // Each evaluates a thousand numbers two hundred times.
    assert_eq!(taken(1e-8, 200_000), Some(100));
    assert_eq!(taken(1e-8, 2_000_000), Some(MIN_SPAN as usize - 1));
    // A large plant in steps of milliseconds; light steps.
    assert_eq!(taken(1e-3, 2_000_000), None);
    assert_eq!(taken(1e-8, 100), None);
}

#[test]
fn many_short_steps_have_no_end_in_sight() {
    let span = SPAN as usize;
    assert_eq!(first(std::iter::repeat_n(1e-12, 2 * span)), Some(span - 1));
    assert_eq!(first(std::iter::repeat_n(1e-10, 2 * span)), None);
    // Short steps for a while, as at an impact.
    assert_eq!(first((0..2 * span).map(|i| if i % span < span / 2 { 1e-12 } else { 1e-10 })), None);
    // Time that stands still.
    assert_eq!(first(std::iter::repeat_n(0.0, span)), Some(span - 1));
}

#[test]
fn a_run_without_an_end_is_not_stopped() {
    let mut pace = Pace::default();
    assert!((0..2 * SPAN).all(|_| pace.see(light(0.0, 1e-300), f64::INFINITY).is_ok()));
}
