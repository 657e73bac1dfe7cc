//! Tests of `src/convex/contact/elements/joint_stops.rs`.

use kinegraph_convex::contact::elements::joint_stops::damping_ratio;
use std::f64::consts::PI;

#[test]
fn the_damping_ratio_gives_the_restitution_back() {
    for e in [0.01, 0.3, 0.7, 1.0_f64] {
        let ratio = damping_ratio(e);
        assert!(((-PI * ratio / (1.0 - ratio * ratio).sqrt()).exp() - e).abs() < 1e-14, "{e}");
    }
    assert_eq!(damping_ratio(0.0), 1.0);
}
