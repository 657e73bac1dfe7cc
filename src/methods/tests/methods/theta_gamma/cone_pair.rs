//! Tests of `src/methods/theta_gamma/cone_pair.rs`.

use kinegraph_methods::theta_gamma::cone_pair::{ConePair, Point, depth, product, room};
use nalgebra::Matrix4;

fn pair() -> ConePair {
    let (impulse, velocity) = (Point::new(2.0, 0.5, -1.2, 0.3), Point::new(0.7, -0.1, 0.2, 0.6));
    let mut pair = ConePair::default();
    (pair.size, pair.impulse, pair.velocity) = (4, impulse, velocity);
    assert!(pair.scale());
    pair
}

#[test]
fn the_scaling_makes_both_the_same() {
    let pair = pair();
    let (x, y) = (pair.scaled(&pair.impulse, false), pair.scaled(&pair.velocity, true));
    assert!((x - y).norm() < 1e-14, "{x} {y}");
    assert!((pair.scaled(&pair.scaled(&x, false), true) - x).norm() < 1e-14);
    // W² x = y, and its inverse with compliances added.
    let weight = pair.weight(0.0, 0.0);
    assert!((weight * pair.velocity - pair.impulse).norm() < 1e-13);
    let mut square = weight.try_inverse().expect("an inverse");
    square += Matrix4::identity() * 0.3;
    square[(0, 0)] += 0.2;
    assert!((square * pair.weight(0.3, 0.2) - Matrix4::identity()).norm() < 1e-13);
}

#[test]
fn a_correction_leads_to_the_gap_that_it_asks_for() {
    let pair = pair();
    let none = Point::zeros();
    // With dx = 0, dy = W q: to first order x ∘ (y + dy) has the required gap.
    let change = pair.correction(0.01, &none, &none);
    let at = pair.scaled(&pair.impulse, false);
    let found = product(&at, &(at + pair.scaled(&change, true)));
    assert!((found - Point::new(0.01, 0.0, 0.0, 0.0)).norm() < 1e-13, "{found}");
}

#[test]
fn room_ends_at_the_border() {
    let (x, change) = (Point::new(2.0, 0.5, -1.2, 0.3), Point::new(-1.0, 0.2, 0.7, -0.1));
    let end = x + change * room(&x, &change);
    assert!(depth(&end).abs() < 1e-13 && end[0] > 0.0);
    assert_eq!(room(&x, &Point::new(1.0, 0.1, 0.0, 0.0)), f64::INFINITY);
    let x = Point::new(3.0, 0.0, 0.0, 0.0);
    assert!((room(&x, &Point::new(-1.5, 0.0, 0.0, 0.0)) - 2.0).abs() < 1e-14);
}
