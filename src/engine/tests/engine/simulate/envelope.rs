//! Tests of `src/engine/simulate/envelope.rs`.

use kinegraph_engine::simulate::envelope::Envelope;

fn watched(size: impl Fn(f64) -> f64, end: f64) -> Envelope {
    let mut envelope = Envelope::default();
    for i in 0..=20_000 {
        let time = end * f64::from(i) / 20_000.0;
        envelope.see(time, size(time));
    }
    envelope
}

#[test]
fn exponentials_are_not_powers_and_from_what_settles() {
    for (rate, frequency) in [(0.3, 0.0), (5.0, 3.0), (40.0, 200.0)] {
        let grows = |t: f64| 0.02 * (rate * t).exp() * (1.2 + (frequency * t).cos());
        let found = watched(grows, 25.0 / rate).growth().unwrap();
        assert!((found.rate / rate - 1.0).abs() < 0.4, "{} is not {rate}", found.rate);
    }
    for power in 1..5 {
        assert_eq!(watched(|t| 1.0 + t.powi(power), 1e9_f64.powf(1.0 / f64::from(power))).growth(), None);
    }
    assert_eq!(watched(|t| 1.0 / (1.0 - t), 1.0 - 1e-9).growth(), None);
    // Grows from a small disturbance, and then no more: the last decades are those of the growth, and small.
    let settles = watched(|t| 0.5e-9 * t.exp() / (1.0 + 1e-9 * t.exp()), 100.0);
    assert!(!Envelope::is_lost(1.0, Some(1e-6)) && settles.growth().is_some());
}
