//! Tests of `src/engine/integrators/contact/sweeps.rs`.

use kinegraph_engine::integrators::contact::sweeps::farthest_from;
use nalgebra::{Rotation3, Vector3};
use proptest::prelude::*;

fn vector(size: f64) -> impl Strategy<Value = Vector3<f64>> {
    prop::array::uniform3(-size..size).prop_map(Vector3::from)
}

proptest! {
    /// However long a body turns, none of its points goes farther along a direction than the bound says.
    #[test]
    fn points_stay_within_the_bound(
        extents in prop::array::uniform3(0.01..1.0),
        part in prop::array::uniform3(-1.0..1.0),
        w in vector(10.0),
        n in vector(1.0),
        t in 0.0..3.0,
    ) {
        prop_assume!(w.norm() > 1e-3 && n.norm() > 1e-3);
        let n = n.normalize();
        let p = Vector3::from_fn(|k, _| extents[k] * part[k]);
        let moved = (Rotation3::from_scaled_axis(t * w) * p - p).dot(&n);
        let bound = t * w.cross(&n).norm() * farthest_from(&w.normalize(), extents);
        prop_assert!(moved <= bound * (1.0 + 1e-12) + 1e-15, "{moved} m, at most {bound} m");
    }
}

#[test]
fn a_rod_is_thin_about_its_own_axis() {
    let rod = [0.5, 0.5, 30.0];
    assert_eq!(farthest_from(&Vector3::z(), rod), 0.5_f64.hypot(0.5));
    assert_eq!(farthest_from(&Vector3::x(), rod), 0.5_f64.hypot(30.0));
    assert_eq!(farthest_from(&Vector3::x(), [1.0, f64::INFINITY, 1.0]), f64::INFINITY);
}
