//! Tests of `systems/multibody/spatial.rs`.

use kinegraph_multibody::{SpatialInertia, SpatialVector};
use nalgebra::{Matrix3, Vector3};

fn vector(a: f64) -> SpatialVector<f64> {
    SpatialVector::new(Vector3::new(a, 2.0 - a, 0.5 * a), Vector3::new(1.0 + a, -a, a * a))
}

#[test]
fn power_does_not_depend_on_the_point() {
    let (motion, force, r) = (vector(0.3), vector(-1.2), Vector3::new(0.4, -2.0, 1.1));
    assert!((motion.dot(&force) - motion.motion_at(&r).dot(&force.force_at(&r))).abs() < 1e-14);
}

#[test]
fn motion_and_force_products_are_dual() {
    // (v × m)·f + m·(v ×* f) = 0: a carried motion and a carried force keep their power.
    let (v, m, f) = (vector(0.7), vector(-0.4), vector(1.9));
    assert!((v.cross_motion(&m).dot(&f) + m.dot(&v.cross_force(&f))).abs() < 1e-13);
}

#[test]
fn momentum_of_a_body_away_from_the_reference_point() {
    let (mass, c) = (2.5, Vector3::new(0.2, -0.1, 0.7));
    let about_com = Matrix3::new(0.3, 0.01, 0.02, 0.01, 0.4, -0.03, 0.02, -0.03, 0.5);
    let v = vector(0.8);
    let momentum = SpatialInertia::new(mass, &c, &about_com).apply(&v);
    let at_com = v.motion_at(&c);
    assert!((momentum.linear - at_com.linear * mass).norm() < 1e-14);
    let spin = about_com * at_com.angular + c.cross(&(at_com.linear * mass));
    assert!((momentum.angular - spin).norm() < 1e-14);
}
