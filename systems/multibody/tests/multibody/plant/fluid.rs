//! Tests of `systems/multibody/plant/fluid.rs`.

use kinegraph_multibody::plant::fluid::{Ellipsoid, carlson_d, carried_along, of_box};
use kinegraph_multibody::scene_data::Medium;
use nalgebra::Vector3;
use std::f64::consts::PI;

/// A ball has half its volume as added mass (Lamb); a long rod all of it across, and little along it.
#[test]
fn the_mass_that_is_carried_along_is_that_of_lamb() {
    let [ball, turns] = carried_along(&Vector3::repeat(0.3));
    let volume = 4.0 / 3.0 * PI * 0.027;
    assert!((ball - Vector3::repeat(0.5 * volume)).amax() < 1e-14, "{ball}");
    assert_eq!(turns, Vector3::zeros());
    let [rod, _] = carried_along(&Vector3::new(0.01, 0.01, 10.0));
    let volume = 4.0 / 3.0 * PI * 0.001;
    assert!((rod.x / volume - 1.0).abs() < 1e-4 && rod.z / volume < 1e-4, "{rod}");
    // A prolate spheroid of twice its width: k₁ = 0.2100, k₂ = 0.7024, k' = 0.2394 (Lamb 1932, §115 and its table).
    let r = Vector3::new(1.0, 1.0, 2.0);
    let [mass, moments] = carried_along(&r);
    let volume = 4.0 / 3.0 * PI * 2.0;
    assert!((mass.z / volume - 0.2100).abs() < 1e-3 && (mass.x / volume - 0.7024).abs() < 2e-3, "{mass}");
    assert!((moments.x / (volume * (1.0 + 4.0) / 5.0) - 0.2394).abs() < 1e-3, "{moments}");
}

/// `R_D` by its definition, with `t = z u²/(1 - u²)` and the midpoint rule.
#[test]
fn the_integral_is_that_of_its_definition() {
    for (x, y, z) in [(1.0, 2.0, 3.0), (0.3, 5.0, 0.7), (2.0, 2.0, 2.0)] {
        let n = 20_000;
        let term = |i: usize| {
            let u = (i as f64 + 0.5) / n as f64;
            let t = z * u * u / (1.0 - u * u);
            let rate = 2.0 * z * u / (1.0 - u * u).powi(2);
            1.5 * rate / ((t + z) * ((t + x) * (t + y) * (t + z)).sqrt()) / n as f64
        };
        let sum: f64 = (0..n).map(term).sum();
        assert!((carlson_d(x, y, z) / sum - 1.0).abs() < 1e-6, "{} {sum}", carlson_d(x, y, z));
    }
}

/// Stokes' drag of a slow ball, and the drag of a fast one with the coefficient of a sphere.
#[test]
fn a_ball_is_slowed_as_stokes_says() {
    let r = Vector3::repeat(0.01);
    let [blunt, slender, angular, kutta, magnus] = [0.5, 0.25, 1.5, 1.0, 1.0];
    let ball = Ellipsoid { r, blunt, slender, angular, kutta, magnus, carried: carried_along(&r) };
    let v = Vector3::new(0.3, -0.4, 0.0);
    let thick = Medium { density: 0.0, viscosity: 2.0, wind: Vector3::zeros() };
    let slow = ball.force(&thick, &Vector3::zeros(), &v).linear;
    assert!((slow + v * (6.0 * PI * 2.0 * 0.01)).norm() < 1e-15);
    let thin = Medium { density: 1.2, viscosity: 0.0, wind: Vector3::zeros() };
    let fast = ball.force(&thin, &Vector3::zeros(), &v).linear;
    assert!((fast + v * (1.2 * 0.5 * PI * 1e-4 * 0.5)).norm() < 1e-15);
}

/// Lift and added mass do no work; drag takes energy out of every motion.
#[test]
fn only_drag_works() {
    let r = Vector3::new(0.1, 0.25, 0.04);
    let medium = Medium { density: 1.2, viscosity: 0.1, wind: Vector3::zeros() };
    let of = |blunt, slender, angular| Ellipsoid {
        r,
        blunt,
        slender,
        angular,
        kutta: 1.3,
        magnus: 0.8,
        carried: carried_along(&r),
    };
    let mut seed = 7_u64;
    let mut vector = || {
        Vector3::from_fn(|_, _| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        })
    };
    for _ in 0..100 {
        let (w, v) = (vector() * 20.0, vector() * 5.0);
        let power = |shape: &Ellipsoid, medium: &Medium| {
            let force = shape.force(medium, &w, &v);
            force.linear.dot(&v) + force.angular.dot(&w)
        };
        let drag = power(&of(0.5, 0.25, 1.5), &medium);
        assert!(drag < 0.0, "{drag}");
        let lift = power(&of(0.0, 0.0, 0.0), &Medium { viscosity: 0.0, ..medium });
        assert!(lift.abs() < 1e-12 * drag.abs(), "{lift} of {drag}");
        let edges = of_box(&r, &medium, &w, &v);
        assert!(edges.linear.dot(&v) + edges.angular.dot(&w) < 0.0);
    }
}
