//! Inertial measurement units.

use super::two_bodies::{askew, plant};
use kinegraph_core::LeafSystem;
use kinegraph_core::port::Tick;
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::sensors::{Imu, ImuSettings};
use nalgebra::{Isometry3, UnitQuaternion, Vector3};

/// Readings along a motion of the link, from its pose and velocity at the events.
fn readings(
    imu: &Imu,
    steps: usize,
    motion: impl Fn(f64) -> (Isometry3<f64>, Vector3<f64>, Vector3<f64>),
) -> Vec<[Vec<f64>; 2]> {
    let mut bench = Bench::new(imu);
    (0..steps)
        .map(|i| {
            let time = i as f64 * imu.ports().ticks()[0].period;
            let (X, w, v) = motion(time);
            let (p, r) = (X.translation, X.rotation);
            let poses = [[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], [p.x, p.y, p.z, r.w, r.i, r.j, r.k]].concat();
            let velocities = [[0.0; 6], [w.x, w.y, w.z, v.x, v.y, v.z]].concat();
            let at = bench.clone().time(time).input(imu.body_poses, poses).input(imu.body_velocities, velocities);
            let discrete = at.update(Tick { index: 0 });
            bench = at.discrete(discrete);
            [bench.eval(imu.specific_force), bench.eval(imu.angular_velocity)]
        })
        .collect()
}

#[track_caller]
fn assert_close(found: &[f64], expected: &Vector3<f64>) {
    assert!((Vector3::from_column_slice(found) - expected).norm() < 1e-12, "{found:?} is not {expected}");
}

#[test]
fn conforms() {
    let settings = ImuSettings { accelerometer_noise: 0.1.into(), ..ImuSettings::new(0.01) };
    conformance::check(&Imu::new(&plant(), "drone/body", settings).unwrap());
}

/// Rotation about a fixed axis while the sensor goes round and up: angular velocity and specific force are constant in
/// its axes, so the readings are exact, however long the period.
#[test]
fn reads_what_is_constant_in_its_axes_exactly() {
    let (w, lift) = (Vector3::new(0.0, 0.0, 5.0), Vector3::new(0.0, 0.0, 0.7));
    let start = UnitQuaternion::from_scaled_axis(Vector3::new(0.2, -0.5, 0.9));
    for period in [1e-3, 0.1, 0.5] {
        let settings = ImuSettings { X_LS: askew(), ..ImuSettings::new(period) };
        let imu = Imu::new(&plant(), "drone/body", settings).unwrap();
        let turned = |t: f64| UnitQuaternion::from_scaled_axis(w * t) * start;
        let found =
            readings(&imu, 5, |t| (Isometry3::from_parts((lift * (0.5 * t * t)).into(), turned(t)), w, lift * t));
        let axes = start * askew().rotation;
        let arm = start * askew().translation.vector;
        let f = lift + w.cross(&w.cross(&arm)) + Vector3::new(0.0, 0.0, 9.81);
        for [force, rate] in &found[1..] {
            assert_close(force, &(axes.inverse() * f));
            assert_close(rate, &(axes.inverse() * w));
        }
        // The first knows of no acceleration.
        assert_close(&found[0][0], &(axes.inverse() * Vector3::new(0.0, 0.0, 9.81)));
        assert_close(&found[0][1], &(axes.inverse() * w));
    }
}

/// A motion that changes all the time: dead reckoning with the readings arrives at the pose of the link.
#[test]
fn dead_reckoning_follows_the_link() {
    let period = 0.05;
    let imu = Imu::new(&plant(), "drone/body", ImuSettings::new(period)).unwrap();
    let turned = |t: f64| UnitQuaternion::from_euler_angles((2.0 * t).sin(), (3.0 * t).cos(), 4.0 * t * t);
    let velocity = |t: f64| Vector3::new((5.0 * t).sin(), t * t, (7.0 * t).cos());
    // The angular velocity is read from orientations alone after the first event.
    let found = readings(&imu, 40, |t| {
        (Isometry3::from_parts(Vector3::zeros().into(), turned(t)), Vector3::zeros(), velocity(t))
    });
    let (mut R, mut v) = (turned(0.0), velocity(0.0));
    for [force, rate] in &found[1..] {
        let (f, w) = (Vector3::from_column_slice(force), Vector3::from_column_slice(rate));
        // Simpson's rule over a fine division stands for the integral of the constant reading as it turns.
        const N: usize = 200;
        let mean = (0..=N).fold(Vector3::zeros(), |sum: Vector3<f64>, i| {
            let weight = if i == 0 || i == N { 1.0 } else { [2.0, 4.0][i % 2] } / (3.0 * N as f64);
            sum + UnitQuaternion::from_scaled_axis(w * (period * i as f64 / N as f64)) * f * weight
        });
        v += (R * mean - Vector3::new(0.0, 0.0, 9.81)) * period;
        R *= UnitQuaternion::from_scaled_axis(w * period);
    }
    let end = 39.0 * period;
    assert!(R.angle_to(&turned(end)) < 1e-12 && (v - velocity(end)).norm() < 1e-10, "{R} {v}");
}

/// A link at rest at the origin.
fn at_rest(_: f64) -> (Isometry3<f64>, Vector3<f64>, Vector3<f64>) {
    (Isometry3::identity(), Vector3::zeros(), Vector3::zeros())
}

#[test]
fn noise_has_its_moments_and_follows_the_seed() {
    const N: usize = 20_000;
    let unit = |seed| {
        let settings = ImuSettings {
            accelerometer_bias: [0.1, -0.2, 0.3].into(),
            accelerometer_noise: 0.5.into(),
            gyroscope_bias: 0.01.into(),
            gyroscope_noise: [0.1, 0.2, 0.0].into(),
            seed,
            ..ImuSettings::new(0.01)
        };
        let imu = Imu::new(&plant(), "drone/body", settings).unwrap();
        readings(&imu, N, at_rest).into_iter().map(|both| both.concat()).collect::<Vec<_>>()
    };
    let (one, again, other) = (unit(1), unit(1), unit(2));
    assert_eq!(one, again);
    let (bias, deviation) = ([0.1, -0.2, 0.3 + 9.81, 0.01, 0.01, 0.01], [0.5, 0.5, 0.5, 0.1, 0.2, 0.0]);
    let n = |readings: &[Vec<f64>], k: usize, i: usize| (readings[k][i] - bias[i]) / deviation[i];
    let mean = |f: &dyn Fn(usize) -> f64| (0..N - 1).map(f).sum::<f64>() / (N - 1) as f64;
    // Five standard errors of each estimate.
    let close = |what: &str, value: f64, expected: f64, variance: f64| {
        let error = 5.0 * (variance / N as f64).sqrt();
        assert!((value - expected).abs() < error, "{what}: {value} instead of {expected} ± {error}");
    };
    for i in 0..5 {
        close("mean", mean(&|k| n(&one, k, i)), 0.0, 1.0);
        close("variance", mean(&|k| n(&one, k, i).powi(2)), 1.0, 2.0);
        close("successive readings", mean(&|k| n(&one, k, i) * n(&one, k + 1, i)), 0.0, 1.0);
        close("two units", mean(&|k| n(&one, k, i) * n(&other, k, i)), 0.0, 1.0);
        close("two axes", mean(&|k| n(&one, k, i) * n(&one, k, (i + 1) % 5)), 0.0, 1.0);
    }
    // Without noise the bias is added exactly.
    assert!(one.iter().all(|reading| reading[5] == 0.01));
}

#[test]
fn mismatched_arguments_are_named_in_the_fault() {
    let fault = |link, settings| Imu::new(&plant(), link, settings).err().unwrap().to_string();
    let text = fault("drone/bdy", ImuSettings::new(0.01));
    assert_eq!(text, "the plant has no link `drone/bdy`; did you mean `drone/body`?");
    assert_eq!(fault("drone/body", ImuSettings::new(0.0)), "period[0] is 0, expected a number above 0");
    let wrong = ImuSettings { gyroscope_noise: (-0.1).into(), ..ImuSettings::new(0.01) };
    assert_eq!(fault("drone/body", wrong), "gyroscope_noise[0] is -0.1, expected a number that is not negative");
    let wrong = ImuSettings { accelerometer_bias: [0.1; 2].into(), ..ImuSettings::new(0.01) };
    assert_eq!(fault("drone/body", wrong), "accelerometer_bias has 2 elements, expected 3");
}
