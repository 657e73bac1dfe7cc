//! Tests of `src/convex/profile.rs`.

use kinegraph_convex::profile::{Phase, Stopwatch};
use std::time::{Duration, Instant};

#[test]
fn every_lap_goes_to_one_phase_and_all_laps_fit_into_the_whole() {
    let mut watch = Stopwatch::on();
    let whole = Instant::now();
    let mut lap = watch.start();
    for phase in Phase::ALL {
        let busy = Instant::now();
        while busy.elapsed() < Duration::from_micros(200) {}
        watch.lap(phase, &mut lap);
    }
    let whole = whole.elapsed();
    let phases = watch.phases().expect("switched on");
    assert!(Phase::ALL.iter().all(|&phase| phases.of(phase) >= Duration::from_micros(200)), "{phases:?}");
    assert!(phases.sum() <= whole, "{phases:?} in {whole:?}");
}

#[test]
fn off_it_measures_nothing() {
    let mut watch = Stopwatch::default();
    let mut lap = watch.start();
    watch.lap(Phase::Assembly, &mut lap);
    assert!(lap.0.is_none() && watch.phases().is_none());
}
