//! Tests of `src/convex/profile.rs`.

use kinegraph_convex::profile::{Interrupt, Phase, Stopwatch};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

#[test]
fn every_lap_goes_to_one_phase_and_all_laps_fit_into_the_whole() {
    let mut watch = Stopwatch::default();
    watch.switch_on();
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

#[test]
fn a_step_is_interrupted_once_somebody_asks_and_has_waited() {
    let asked = Arc::new(AtomicBool::new(false));
    let [mut patient, mut prompt] = [Stopwatch::default(), Stopwatch::default()];
    patient.interrupt_by(Interrupt::new(asked.clone(), Duration::from_secs(3600)));
    prompt.interrupt_by(Interrupt::new(asked.clone(), Duration::ZERO));
    assert!(!patient.is_interrupted() && !prompt.is_interrupted() && !Stopwatch::default().is_interrupted());
    asked.store(true, Ordering::Relaxed);
    assert!(!patient.is_interrupted() && prompt.is_interrupted());
    assert!(prompt.phases().is_none() && prompt.start().0.is_none());
}
