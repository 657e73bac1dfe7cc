//! Tests of `src/methods/theta_gamma/prox.rs`.

use kinegraph_methods::theta_gamma::prox::Ball;
use nalgebra::{Matrix3, Vector3};

/// Pseudorandom numbers in (-1, 1).
fn numbers() -> impl FnMut() -> f64 {
    let mut x = 0x9e37_79b9_7f4a_7c15_u64;
    move || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        (x >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// The result is stationary on the surface with a positive multiplier, for all metrics (without regularization), axes
/// and distances.
#[test]
fn ellipsoid_projection_meets_its_optimality_conditions() {
    let mut number = numbers();
    for _ in 0..3000 {
        let m = Matrix3::from_fn(|_, _| number());
        let metric = m * m.transpose() + Matrix3::identity() * 10_f64.powf(-3.0 + 3.0 * number());
        let axes = Vector3::new(1.0, 1.0, 10_f64.powf(number()));
        let radius = 10_f64.powf(2.0 * number());
        let p = axes.map(|a| a * radius * number() * 10_f64.powf(1.0 + 2.0 * number()));
        let ball = Ball::new(&metric, axes).unwrap();
        let z = ball.solve(&p, &Vector3::zeros(), radius);
        let inside = p.component_div(&axes).norm() <= radius;
        if inside {
            assert!((z - p).norm() < 1e-9 * p.norm());
            continue;
        }
        assert!((z.component_div(&axes).norm() / radius - 1.0).abs() < 1e-12);
        let gradient = axes.component_mul(&(metric * (z - p)));
        let normal = z.component_div(&axes) / radius;
        let multiplier = -gradient.dot(&normal);
        let left = (gradient + normal * multiplier).norm();
        assert!(multiplier > 0.0 && left < 1e-6 * gradient.norm(), "{left:e} {multiplier}");
    }
}

/// To nine digits for metrics as contacts have them.
#[test]
fn ellipsoid_projection_is_exact_to_nine_digits() {
    let mut number = numbers();
    for _ in 0..1000 {
        let m = Matrix3::from_fn(|_, _| number());
        let metric = m * m.transpose() + Matrix3::identity() * 0.05;
        let axes = Vector3::new(1.0, 1.0, 0.5 + 0.4 * number());
        let p = Vector3::from_fn(|_, _| 5.0 * number());
        let z = Ball::new(&metric, axes).unwrap().solve(&p, &Vector3::zeros(), 1.0);
        let s = z.component_div(&axes);
        if p.component_div(&axes).norm() > 1.0 {
            let gradient = axes.component_mul(&(metric * (z - p)));
            let multiplier = -gradient.dot(&s);
            assert!(multiplier > 0.0 && (gradient + s * multiplier).norm() < 1e-9 * gradient.norm());
        }
    }
}

/// If a contact hardly resists spin, its friction is that of a point; if its friction vanishes, so does the result.
#[test]
fn ellipsoid_projection_tends_to_its_limits_without_spin_and_friction() {
    let mut number = numbers();
    for _ in 0..100 {
        let m = Matrix3::from_fn(|_, _| number());
        let metric = m * m.transpose() + Matrix3::identity() * 0.05;
        let u = Vector3::from_fn(|_, _| number());
        let of_axes = |rho: f64| Ball::new(&metric, Vector3::new(1.0, 1.0, rho)).unwrap();
        let found = [1e-3, 1e-4].map(|rho| of_axes(rho).solve(&Vector3::zeros(), &u, 0.1));
        let mut flat = metric;
        for i in 0..2 {
            (flat[(i, 2)], flat[(2, i)]) = (0.0, 0.0);
        }
        flat[(2, 2)] = 1.0;
        let point = Ball::new(&flat, Vector3::repeat(1.0)).unwrap();
        let point = point.solve(&Vector3::zeros(), &Vector3::new(u.x, u.y, 0.0), 0.1);
        let off = found.map(|z| (z - point).xy().norm());
        assert!(off[1] < 2e-3 * 0.1 && found[1].z.abs() <= 1e-5, "{off:?}");
        let small = of_axes(0.5).solve(&Vector3::zeros(), &u, 1e-12);
        assert!(small.norm() <= 1e-12);
    }
}

/// No other point of the surface is nearer.
#[test]
fn no_point_of_the_ellipsoid_is_nearer_than_the_projection() {
    let mut number = numbers();
    for _ in 0..20 {
        let m = Matrix3::from_fn(|_, _| number());
        let metric = m * m.transpose() + Matrix3::identity() * 0.05;
        let axes = Vector3::new(1.0, 1.0, 0.3);
        let p = Vector3::from_fn(|_, _| 4.0 * number());
        let z = Ball::new(&metric, axes).unwrap().solve(&p, &Vector3::zeros(), 0.7);
        let cost = |z: &Vector3<f64>| (z - p).dot(&(metric * (z - p)));
        for _ in 0..2000 {
            let s = Vector3::from_fn(|_, _| number());
            let other = axes.component_mul(&s) * (0.7 / s.norm().max(1.0));
            assert!(cost(&other) >= cost(&z) - 1e-12 * cost(&p).max(cost(&z)));
        }
    }
}

/// For a disc in an isotropic metric, the radial projection. A metric of rank one is regularized.
#[test]
fn special_metrics() {
    let flat = Matrix3::from_diagonal(&Vector3::new(0.4, 0.4, 1.0));
    let ball = Ball::new(&flat, Vector3::repeat(1.0)).unwrap();
    let z = ball.solve(&Vector3::new(3.0, 4.0, 0.0), &Vector3::zeros(), 2.0);
    assert!((z - Vector3::new(1.2, 1.6, 0.0)).norm() < 1e-14);
    assert_eq!(ball.solve(&Vector3::x(), &Vector3::zeros(), 0.0), Vector3::zeros());
    let u = Vector3::new(1.0, 2.0, 0.5);
    let ball = Ball::new(&(u * u.transpose()), Vector3::repeat(1.0)).unwrap();
    assert!(ball.solve(&Vector3::zeros(), &u, 0.1).iter().all(|x| x.is_finite()));
    assert!(Ball::new(&Matrix3::zeros(), Vector3::repeat(1.0)).is_none());
}
