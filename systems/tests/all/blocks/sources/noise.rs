//! Random numbers, held between samples.

use kinegraph_core::port::Tick;
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::sources::Noise;

#[test]
fn conforms() {
    conformance::check(&Noise::new(3, [0.0, 1.0, 2.0], 0.5, 0.1, 7).unwrap());
}

#[test]
fn has_the_moments_of_independent_normal_numbers() {
    let noise = Noise::new(2, 3.0, 1.0, 0.01, 42).unwrap();
    const N: usize = 20_000;
    let samples: Vec<Vec<f64>> =
        (0..N).map(|k| Bench::new(&noise).discrete([k as f64, 0.0, 42.0]).eval(noise.output)).collect();
    let mean = |f: &dyn Fn(usize) -> f64| (0..N - 1).map(f).sum::<f64>() / (N - 1) as f64;
    let n = |k: usize, channel: usize| (samples[k][channel] - 1.0) / 3.0;
    // Five standard errors of each estimate.
    let close = |what: &str, value: f64, expected: f64, variance: f64| {
        let error = 5.0 * (variance / N as f64).sqrt();
        assert!((value - expected).abs() < error, "{what}: {value} instead of {expected} ± {error}");
    };
    for channel in 0..2 {
        close("mean", mean(&|k| n(k, channel)), 0.0, 1.0);
        close("variance", mean(&|k| n(k, channel).powi(2)), 1.0, 2.0);
        close("fourth moment", mean(&|k| n(k, channel).powi(4)), 3.0, 96.0);
        close("successive samples", mean(&|k| n(k, channel) * n(k + 1, channel)), 0.0, 1.0);
    }
    close("channels", mean(&|k| n(k, 0) * n(k, 1)), 0.0, 1.0);
}

#[test]
fn the_sample_is_that_of_the_time() {
    let noise = Noise::new(1, 1.0, 0.0, 0.1, 1).unwrap();
    assert_eq!(Bench::new(&noise).time(0.1 + 0.2).update(Tick { index: 0 }), [3.0, 0.0, 1.0]);
    let other = Noise::new(1, 1.0, 0.0, 0.1, 2).unwrap();
    assert_ne!(Bench::new(&noise).eval(noise.output), Bench::new(&other).eval(other.output));
}

#[test]
fn refuses_a_negative_deviation() {
    let fault = Noise::new(1, -1.0, 0.0, 0.1, 1).err().unwrap();
    assert_eq!(fault.to_string(), "standard_deviation[0] is -1, expected a number that is not negative");
}
