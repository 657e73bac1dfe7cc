//! Recorded signals, played back.

use kinegraph_core::LeafSystem;
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::sources::{Hold, Outside, Playback};

const NEAREST: [Outside; 2] = [Outside::Nearest; 2];

fn signal(times: &[f64], values: &[f64], hold: Hold) -> Playback {
    Playback::new(1, times.to_vec(), values.to_vec(), hold, NEAREST).unwrap()
}

/// Value at `time` after so many events.
fn at(block: &Playback, time: f64, passed: usize) -> f64 {
    Bench::new(block).time(time).discrete([passed as f64]).eval(block.output)[0]
}

#[test]
fn conforms() {
    let (times, values) = (vec![-1.0, 1.3, 1.3, 5.0], vec![0.0, 5.0, 2.0, 5.0, -1.0, 0.0, 3.0, 4.0]);
    for hold in [Hold::Zero, Hold::Linear, Hold::Cubic] {
        conformance::check(&Playback::new(2, times.clone(), values.clone(), hold, NEAREST).unwrap());
    }
}

#[test]
fn joins_rows_as_asked() {
    let (times, values) = ([0.0, 1.0, 3.0], [0.0, 2.0, -2.0]);
    for (hold, time, expected) in [
        (Hold::Zero, 0.5, 0.0),
        (Hold::Zero, 2.9, 2.0),
        (Hold::Linear, 0.5, 1.0),
        (Hold::Linear, 2.5, -1.0),
        (Hold::Linear, -1.0, 0.0),
        (Hold::Linear, 9.0, -2.0),
    ] {
        let found = at(&signal(&times, &values, hold), time, 9);
        assert!((found - expected).abs() < 1e-15, "{hold:?} at {time}: {found}");
    }
}

/// A natural spline through a straight line is the line; through any points its second derivative is continuous.
#[test]
fn a_cubic_is_a_natural_spline() {
    let times = [0.0, 0.4, 1.0, 1.7, 2.0];
    let line = times.map(|t| 3.0 - 2.0 * t);
    let straight = signal(&times, &line, Hold::Cubic);
    let bent = signal(&times, &[0.0, 1.0, -0.5, 0.2, 0.9], Hold::Cubic);
    for time in [0.1, 0.4, 0.9, 1.5, 1.99] {
        assert!((at(&straight, time, 1) - (3.0 - 2.0 * time)).abs() < 1e-14);
    }
    let second = |t: f64, side: f64| {
        let (h, mid) = (1e-3, t + side * 2e-3);
        (at(&bent, mid + h, 1) - 2.0 * at(&bent, mid, 1) + at(&bent, mid - h, 1)) / (h * h)
    };
    for knot in [0.4, 1.0, 1.7] {
        let jump = second(knot, 1.0) - second(knot, -1.0);
        assert!(jump.abs() < 0.5, "at {knot}: {jump}"); // third derivatives of some 50 over 4 ms
    }
}

/// Before its event a jump shows the row before, at the instant itself too; after it the new one.
#[test]
fn two_rows_of_one_time_are_a_jump() {
    let block = |hold| signal(&[0.0, 1.0, 1.0, 2.0], &[0.0, 4.0, -1.0, 1.0], hold);
    for (hold, before, after) in [(Hold::Zero, 0.0, -1.0), (Hold::Linear, 4.0, -1.0), (Hold::Cubic, 4.0, -1.0)] {
        let block = block(hold);
        let events: Vec<f64> = block.ports().ticks().iter().map(|tick| tick.offset).collect();
        let jump = events.iter().position(|time| *time == 1.0).unwrap();
        let found = [at(&block, 1.0, jump), at(&block, 1.0, jump + 1)];
        assert!((found[0] - before).abs() < 1e-14 && (found[1] - after).abs() < 1e-14, "{hold:?}: {found:?}");
    }
}

/// No step goes over a row where the signal bends; rows on a straight line need no event.
#[test]
fn events_are_where_the_signal_jumps_or_bends() {
    let times = [0.0, 1.0, 2.0, 3.0, 4.0];
    let events = |values: [f64; 5], hold| {
        let block = signal(&times, &values, hold);
        block.ports().ticks().iter().map(|tick| tick.offset).collect::<Vec<f64>>()
    };
    assert_eq!(events([0.0, 1.0, 2.0, 2.0, 2.0], Hold::Linear), [0.0, 2.0]);
    assert_eq!(events([0.0, 1.0, 1.0, 2.0, 2.0], Hold::Zero), [1.0, 3.0]);
    assert_eq!(events([0.0, 1.0, 2.0, 3.0, 4.0], Hold::Cubic), [0.0, 4.0]);
}

#[test]
fn outside_of_its_rows_it_may_be_none() {
    let block = Playback::new(1, vec![1.0, 2.0], vec![3.0, 4.0], Hold::Linear, [Outside::Fault; 2]).unwrap();
    let values = [0.5, 1.0, 1.5, 2.0, 2.5].map(|time| at(&block, time, 1));
    assert!(values[0].is_nan() && values[4].is_nan());
    assert_eq!(values[1..4], [3.0, 3.5, 4.0]);
}

#[test]
fn faults_name_the_row() {
    let fault = |times: &[f64], values: &[f64]| {
        Playback::new(1, times.to_vec(), values.to_vec(), Hold::Linear, NEAREST).err().unwrap().to_string()
    };
    assert!(fault(&[0.0, 2.0, 1.0], &[0.0; 3]).starts_with("times[2] is 1, expected"));
    assert!(fault(&[0.0, 1.0, 1.0, 1.0], &[0.0; 4]).starts_with("times[3] is 1, expected"));
    assert!(fault(&[0.0, 1.0], &[0.0; 3]).contains("values"));
    assert!(fault(&[], &[]).contains("times is empty"));
}
