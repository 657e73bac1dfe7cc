//! Common behaviour of sampled sensors.

use kinegraph_core::port::{Sampling, Tick};
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::sensors::{Clock, ClockSettings, SampleSettings};

/// Readings of a clock, which are the times at which they were taken, with the times at which they are at the output.
fn readings(settings: SampleSettings, until: f64) -> Vec<(f64, f64)> {
    let clock = Clock::new(ClockSettings { sampled: settings.clone(), drift: 0.0, start: 0.0 }).unwrap();
    conformance::check(&clock);
    let mut bench = Bench::new(&clock);
    let ticks: Vec<Sampling> = kinegraph_core::LeafSystem::ports(&clock).ticks().to_vec();
    let mut times: Vec<f64> = ticks.iter().flat_map(|s| (0..).map(|k| s.time(k)).take_while(|t| *t < until)).collect();
    times.sort_by(f64::total_cmp);
    times.dedup_by(|a, b| (*a - *b).abs() <= kinegraph_core::port::simultaneous(*b));
    let runs = kinegraph_core::LeafSystem::ports(&clock).discrete();
    let mut discrete: Vec<f64> = runs.iter().flat_map(|run| run.initial.clone()).collect();
    let mut found = Vec::new();
    for time in times {
        let before = bench.clone().time(time).discrete(discrete.clone());
        // All updates of one time read what was before it, and each leaves what the others write.
        let mut next = discrete.clone();
        for (index, _) in ticks.iter().enumerate().filter(|(_, s)| s.fires_at(time)) {
            let updated = before.update(Tick { index });
            for ((next, new), old) in next.iter_mut().zip(updated).zip(&discrete) {
                if new != *old {
                    *next = new;
                }
            }
        }
        discrete = next;
        bench = bench.clone().time(time).discrete(discrete.clone());
        found.push((time, bench.eval(clock.time)[0]));
    }
    found
}

#[test]
fn a_reading_is_there_after_its_latency() {
    for latency in [0.0, 0.03, 0.1, 0.25, 0.3] {
        let found = readings(SampleSettings { latency, ..SampleSettings::every(0.1) }, 2.0);
        for (time, reading) in found.into_iter().filter(|(time, _)| *time >= latency) {
            let taken = ((time - latency + 1e-9) / 0.1).floor() * 0.1;
            assert!((reading - taken).abs() < 1e-12, "{latency}: {reading} at {time}");
        }
    }
}

#[test]
fn readings_are_rounded_to_the_resolution() {
    let settings = SampleSettings { resolution: 0.25.into(), bias: 0.05.into(), ..SampleSettings::every(0.1) };
    for (time, reading) in readings(settings, 3.0) {
        assert!((reading / 0.25).fract() == 0.0 && (reading - time - 0.05).abs() <= 0.125 + 1e-12);
    }
}

#[test]
fn noise_has_its_moments_and_follows_the_seed() {
    let of = |seed| {
        let settings = SampleSettings { noise: 0.5.into(), seed, ..SampleSettings::every(0.1) };
        readings(settings, 500.0).into_iter().map(|(time, reading)| (reading - time) / 0.5).collect::<Vec<f64>>()
    };
    let (one, other) = (of(1), of(2));
    let mean = |f: &dyn Fn(usize) -> f64| (1..one.len()).map(f).sum::<f64>() / (one.len() - 1) as f64;
    let close = |value: f64, expected: f64, variance: f64| {
        assert!((value - expected).abs() < 5.0 * (variance / one.len() as f64).sqrt(), "{value}");
    };
    close(mean(&|k| one[k]), 0.0, 1.0);
    close(mean(&|k| one[k].powi(2)), 1.0, 2.0);
    close(mean(&|k| one[k] * one[k - 1]), 0.0, 1.0);
    close(mean(&|k| one[k] * other[k]), 0.0, 1.0);
}

#[test]
fn mismatched_arguments_are_named_in_the_fault() {
    let fault = |sampled| Clock::new(ClockSettings { sampled, drift: 0.0, start: 0.0 }).err().unwrap().to_string();
    let every = SampleSettings::every(0.1);
    let text = fault(SampleSettings { latency: -1.0, ..every.clone() });
    assert_eq!(text, "latency[0] is -1, expected a number that is not negative");
    let text = fault(SampleSettings { noise: [0.1; 2].into(), ..every.clone() });
    assert_eq!(text, "noise has 2 elements, expected 1");
    assert!(fault(SampleSettings { latency: 1e9, ..every }).starts_with("latency: the block would hold 1.000e10"));
}
