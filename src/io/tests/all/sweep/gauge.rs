//! Measures that are computed during a run.

use kinegraph_io::sweep::MeasureKind;
use kinegraph_io::sweep::gauge::Gauge;

/// The measure of samples (time, value).
fn of(kind: MeasureKind, samples: &[(f64, f64)]) -> Option<f64> {
    let mut gauge = Gauge::new(kind);
    samples.iter().for_each(|(time, value)| gauge.take(*time, *value));
    gauge.value()
}

#[test]
fn measures_of_a_ramp_are_exact() {
    let ramp: Vec<(f64, f64)> = (0..=1000).map(|k| (1e-3 * f64::from(k), 2e-3 * f64::from(k) - 1.0)).collect();
    let close = |kind, expected: f64| {
        let found = of(kind, &ramp).unwrap();
        assert!((found - expected).abs() < 1e-6, "{kind:?}: {found}");
    };
    close(MeasureKind::End, 1.0);
    close(MeasureKind::Max, 1.0);
    close(MeasureKind::Min, -1.0);
    close(MeasureKind::Peak, 1.0);
    assert_eq!(of(MeasureKind::Peak, &[(0.0, 1.0), (1.0, -3.0)]), Some(3.0));
    close(MeasureKind::Mean, 0.0);
    close(MeasureKind::Rms, 1.0 / 3f64.sqrt());
    close(MeasureKind::Crossing(0.3003), 0.65015);
    close(MeasureKind::Crossing(-1.0), 0.0);
    assert_eq!(of(MeasureKind::Crossing(1.5), &ramp), None);
    // Rising or falling; reaching the value without passing it counts.
    assert_eq!(of(MeasureKind::Crossing(0.0), &[(0.0, 1.0), (1.0, -1.0), (2.0, 1.0)]), Some(0.5));
    assert_eq!(of(MeasureKind::Crossing(0.0), &[(0.0, 1.0), (1.0, 0.0), (2.0, 1.0)]), Some(1.0));
}

#[test]
fn a_run_of_no_length_has_one_value() {
    assert_eq!(of(MeasureKind::Mean, &[(0.0, -2.0)]), Some(-2.0));
    assert_eq!(of(MeasureKind::Rms, &[(0.0, -2.0)]), Some(2.0));
    assert_eq!(of(MeasureKind::End, &[]), None);
}
