//! Tests of `systems/geometry/hull/clusters.rs`.

use kinegraph_geometry::hull::clusters::Clusters;
use nalgebra::Vector3;

#[test]
fn the_farthest_of_all_is_found_whatever_their_number() {
    for count in [1, 4, 15, 16, 17, 31, 33, 100, 1000] {
        let points: Vec<_> = (0..count)
            .map(f64::from)
            .map(|x| Vector3::new((1.7 * x).sin(), 0.3 * (2.9 * x).cos(), (0.4 * x).sin() * (5.1 * x).cos()))
            .collect();
        let clusters = Clusters::new(&points);
        for turn in (0..50).map(f64::from) {
            let n = Vector3::new((1.3 * turn).sin(), (0.7 * turn).cos(), (2.1 * turn).sin()).normalize();
            let farthest = points.iter().map(|p| p.dot(&n)).fold(f64::NEG_INFINITY, f64::max);
            assert!((clusters.farthest_beyond(&n, f64::NEG_INFINITY) - farthest).abs() < 1e-15, "{count}");
        }
    }
}
