//! Tests of `src/engine/integrators/cenic/thirds.rs`.

use kinegraph_engine::integrators::cenic::thirds::Thirds;
use kinegraph_engine::integrators::{CenicTuning, Estimate, FirstDifference, StepControl};

const ACCURACY: f64 = 1e-3;

/// Judges an attempt of length `h` in lasting contact, in accuracies, and takes it if that is accurate: the
/// estimate in accuracies, and the step wanted then in place of one of `h`.
fn take(thirds: &mut Thirds, h: f64, first: f64, third: Option<f64>) -> (Estimate, f64) {
    let difference = FirstDifference { elsewhere: (0.0, 0), lasting: Some((first * ACCURACY, 0)) };
    let third = third.map(|error| (error * ACCURACY, 0));
    let mut estimate = thirds.judge(h, ACCURACY, difference, 0.0, third, &CenicTuning::DEFAULT);
    let mut control = StepControl::new(ACCURACY, 1e3);
    control.want(h);
    if estimate.error <= ACCURACY {
        thirds.accept(&mut control);
    }
    estimate.error /= ACCURACY;
    (estimate, control.memory().wanted.unwrap_or(f64::NAN))
}

#[test]
fn the_third_order_is_tried_where_contact_has_lasted_for_steps() {
    let mut thirds = Thirds::default();
    assert!(!thirds.reaches(1.0));
    let wanted: Vec<f64> = (0..8).map(|_| take(&mut thirds, 1.0, 1.0, None).1).collect();
    assert_eq!(wanted[..7], [1.0; 7]);
    assert!(wanted[7] > CenicTuning::DEFAULT.third_pays && thirds.reaches(wanted[7]), "{wanted:?}");
    // Contact ends: nothing is known.
    let ended = FirstDifference { elsewhere: (ACCURACY, 0), lasting: None };
    thirds.judge(1.0, ACCURACY, ended, 0.0, None, &CenicTuning::DEFAULT);
    thirds.accept(&mut StepControl::new(ACCURACY, 1e3));
    assert!(!thirds.reaches(1e-3));
}

#[test]
fn the_third_order_is_kept_where_its_steps_are_three_times_as_long() {
    let mut thirds = Thirds::default();
    let (estimate, wanted) = take(&mut thirds, 1.0, 16.0, Some(1.0));
    assert_eq!((estimate.error, estimate.order, wanted), (1.0, Some(3), 1.0));
    assert!(thirds.reaches(1.0) && !thirds.reaches(1.001));
    // It is accurate, but does not pay: the next step is one of the second order.
    let (estimate, wanted) = take(&mut thirds, 1.0, 2.0, Some(1.0));
    assert!(estimate.order == Some(3) && (wanted - 0.9 / f64::sqrt(2.0)).abs() < 1e-12, "{wanted}");
    // It is not accurate: what pays is tried again.
    assert_eq!(take(&mut thirds, 1.0, 64.0, Some(8.0)).0.order, Some(3));
    assert_eq!(take(&mut thirds, 1.0, 4.0, Some(8.0)).0.order, None);
}

#[test]
fn where_no_third_solution_helps_steps_are_of_the_second_order() {
    let mut thirds = Thirds::default();
    thirds.memory.reach = Some(2.0);
    let (estimate, _) = take(&mut thirds, 1.0, 4.0, None);
    assert_eq!((estimate.error, estimate.order), (4.0, None));
    assert!(thirds.reaches(0.5) && !thirds.reaches(0.51));
    // What is no number is no solution.
    assert!(take(&mut thirds, 1.0, f64::NAN, None).0.error.is_nan());
    assert_eq!(take(&mut thirds, 1.0, 4.0, Some(f64::NAN)).0.order, None);
}
