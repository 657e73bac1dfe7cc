//! A recording of a thrown cube says its friction and its inertia.

use super::fitted::{Truth, fitted};

const TRUE: [Truth; 2] = [("friction", 0.22, "0.02:1"), ("inertia", 8.1e-4, "2e-4:5e-3")];

#[test]
fn friction_and_inertia_are_found_through_the_impact() {
    let found = fitted("thrown_cube", &[], &TRUE);
    assert!(found.halves.iter().zip(TRUE).all(|(half, (_, truth, _))| *half < 0.03 * truth), "{:?}", found.halves);
    // Four numbers of the quaternion, three of the place.
    let noise = [0.01, 0.01, 0.01, 0.01, 1e-3, 1e-3, 1e-3];
    let within = |(one, noise): (&f64, f64)| (one - noise).abs() < 0.25 * noise;
    assert!(found.differences.iter().zip(noise).all(within), "{:?}", found.differences);
}
