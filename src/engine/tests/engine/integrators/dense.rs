//! Tests of `src/engine/integrators/dense.rs`.

use kinegraph_convex::linear_algebra::quaternion::turned;
use kinegraph_engine::integrators::DenseStep;
use nalgebra::Vector3;

#[test]
fn a_line_bends_through_a_third_point_within_bounds() {
    let mut dense = DenseStep::default();
    let unknown = [f64::NAN; 2];
    dense.record((0.0, 2.0), &[1.0, 1.0], &[5.0, 5.0], (&unknown, &unknown));
    // 1 + t²/2 + t, and far off the line.
    dense.bend(0, 2.5, 0.6);
    dense.bend(1, -40.0, 0.25);
    let mut at = Vec::new();
    dense.evaluate(0.5, &mut at);
    assert_eq!(at[0], 1.0 + 0.125 + 0.5);
    dense.evaluate(1.0, &mut at);
    assert_eq!(at, [2.5, 2.75]);
    dense.evaluate(2.0, &mut at);
    assert_eq!(at, [5.0, 5.0]);
}

#[test]
fn turns_about_a_fixed_axis_are_exact_and_others_of_fourth_order() {
    let q0 = turned(&Vector3::new(0.4, -0.3, 0.9), &[1.0, 0.0, 0.0, 0.0]);
    let rate = |q: &[f64; 4], w: &Vector3<f64>| {
        let (h, mut at) = (1e-7, [0.0; 4]);
        let (on, back) = (turned(&(w * h), q), turned(&(w * -h), q));
        at.iter_mut().enumerate().for_each(|(i, at)| *at = (on[i] - back[i]) / (2.0 * h));
        at
    };
    // Spin about an axis that turns with z: q(t) = Exp(t p) Exp(t s) q0.
    let error = |p: f64, h: f64| {
        let (p, s) = (Vector3::z() * p, Vector3::new(3.0, 4.0, 12.0));
        let at = |t: f64| turned(&(p * t), &turned(&(s * t), &q0));
        let w = |t: f64| {
            let z = turned(&(p * t), &[1.0, 0.0, 0.0, 0.0]);
            p + nalgebra::UnitQuaternion::new_unchecked(nalgebra::Quaternion::new(z[0], z[1], z[2], z[3])) * s
        };
        let mut dense = DenseStep::default();
        let rates = (rate(&at(0.0), &w(0.0)), rate(&at(h), &w(h)));
        dense.record((0.0, h), &at(0.0), &at(h), (&rates.0, &rates.1));
        dense.turn(&[0], (&rates.0, &rates.1));
        let mut found = Vec::new();
        [0.2, 0.5, 0.9].into_iter().fold(0.0_f64, |most, u| {
            dense.evaluate(u * h, &mut found);
            let norm = found.iter().map(|x| x * x).sum::<f64>();
            assert!((norm - 1.0).abs() < 1e-13);
            most.max(kinegraph_convex::linear_algebra::quaternion::angle_between(&found, &at(u * h)))
        })
    };
    // Two revolutions.
    assert!(error(0.0, 1.0) < 1e-6, "{}", error(0.0, 1.0));
    let (coarse, fine) = (error(2.0, 0.1), error(2.0, 0.05));
    assert!((12.0..20.0).contains(&(coarse / fine)), "{coarse} {fine}");
}

#[test]
fn a_cubic_whose_rates_lead_elsewhere_becomes_a_parabola() {
    let mut dense = DenseStep::default();
    let (start, end) = ([1.0, 1.0, 0.0], [1.0, 1.0, 1.0]);
    // One that stops at once, as its middle shows; two that go on as their rates say.
    dense.record((0.0, 1.0), &start, &end, (&[4.0, 4.0, 1.0], &[0.0, 0.0, 1.0]));
    for (i, (middle, most)) in [(1.0, 0.0), (1.5, 0.1), (0.5 + 1e-3, 1e-2)].into_iter().enumerate() {
        dense.bend_if_off(i, middle, most, || 0.0);
    }
    let mut at = Vec::new();
    dense.evaluate(0.25, &mut at);
    assert_eq!(at[0], 1.0);
    assert_eq!(at[1], 1.5625);
    assert_eq!(at[2], 0.25);
}

#[test]
fn cubics_are_exact_lines_are_straight_and_the_quartic_vanishes_at_both_ends_with_its_slope() {
    let x = |t: f64| [t.powi(3) - 2.0 * t, 5.0 * t];
    let rates = |t: f64| [3.0 * t * t - 2.0, f64::NAN];
    let mut dense = DenseStep::default();
    dense.record((1.0, 1.5), &x(1.0), &x(1.5), (&rates(1.0), &rates(1.5)));
    let mut at = Vec::new();
    for t in [1.0, 1.1, 1.2345, 1.5] {
        dense.evaluate(t, &mut at);
        assert!(at.iter().zip(x(t)).all(|(a, b)| (a - b).abs() < 1e-15), "{t}: {at:?}");
    }
    dense.quartic()[0] = 16.0;
    let (mut slopes, mut near) = (Vec::new(), [Vec::new(), Vec::new()]);
    for (u, d) in [(0.25, 1e-6), (0.5, 1e-6), (0.75, 1e-6)] {
        dense.slopes(u, &mut slopes);
        dense.evaluate(1.0 + 0.5 * (u - d), &mut near[0]);
        dense.evaluate(1.0 + 0.5 * (u + d), &mut near[1]);
        assert!((0..2).all(|i| ((near[1][i] - near[0][i]) / (2.0 * d) - slopes[i]).abs() < 1e-8), "{u}");
    }
    dense.evaluate(1.25, &mut at);
    assert!((at[0] - x(1.25)[0] - 1.0).abs() < 1e-14);
    for (t, bound) in [(1.0, 0.0), (1.5, 0.0), (1.0 + 5e-7, 1.7e-11), (1.5 - 5e-7, 1.7e-11)] {
        dense.evaluate(t, &mut at);
        assert!((at[0] - x(t)[0]).abs() <= bound + 1e-15);
    }
}

/// Rates at both ends and the parabola through the middle are those of one motion: a cubic is met. A decay that is
/// faster than the step, by rates a hundred times the way, neither turns nor passes its end, nor do rates that are
/// noise.
#[test]
fn rates_lead_where_the_middle_goes() {
    let mut dense = DenseStep::default();
    let unknown = [f64::NAN; 3];
    let (cubic, rate) = (|t: f64| 1.0 + t * (2.0 - t * (3.0 - t)), |t: f64| 2.0 - t * (6.0 - 3.0 * t));
    let (start, end) = ([cubic(0.0), 1.0, 0.0], [cubic(0.5), 0.0, 0.0]);
    dense.record((0.0, 0.5), &start, &end, (&unknown, &unknown));
    let bend = dense.bend_through(0, 0.5, cubic(0.25));
    dense.lead(0, (rate(0.0), rate(0.5)), Some(bend), 0.0);
    let bend = dense.bend_through(1, 0.5, 0.02);
    dense.lead(1, (-200.0, -1e-9), Some(bend), 0.0);
    let bend = dense.bend_through(2, 0.5, 1e-6);
    dense.lead(2, (50.0, 50.0), Some(bend), 2e-6);
    let mut at = Vec::new();
    let mut last = 1.0;
    for k in 0..=20 {
        let t = 0.025 * f64::from(k);
        dense.evaluate(t, &mut at);
        assert!((at[0] - cubic(t)).abs() < 1e-14, "{} at {t}", at[0]);
        assert!((0.0..=last).contains(&at[1]), "{} at {t}", at[1]);
        assert!(at[2].abs() < 1e-5, "{} at {t}", at[2]);
        last = at[1];
    }
}
