//! Tests of `systems/geometry/neighbours.rs`.

use kinegraph_geometry::broad_phase::{BroadPhase, ascending};
use kinegraph_geometry::{Aabb, Neighbours};
use nalgebra::Vector3;
use proptest::prelude::*;

proptest! {
    #[test]
    fn moving_boxes_have_the_candidates_of_a_sweep_at_every_time(
        boxes in prop::collection::vec((prop::array::uniform3(-3.0..3.0_f64), prop::array::uniform3(-0.3..0.3_f64)), 1..30),
        slack in 0.0..0.5_f64,
    ) {
        let (mut neighbours, mut sweep) = (Neighbours::default(), BroadPhase::default());
        let allowed = |i: u32, j: u32| !(i + j).is_multiple_of(3);
        for time in 0..20 {
            let at = |(p, v): &([f64; 3], [f64; 3])| {
                let center = Vector3::from(*p) + Vector3::from(*v) * f64::from(time);
                Aabb { min: center, max: center }.inflated(0.4)
            };
            let now: Vec<_> = boxes.iter().map(at).collect();
            let found: Vec<_> = neighbours.candidates(&now, slack, allowed, ascending).collect();
            prop_assert_eq!(&found[..], sweep.candidates(&now, allowed, ascending));
        }
    }
}

#[test]
fn pairs_have_the_order_that_is_asked_for() {
    let unit = Aabb { min: Vector3::zeros(), max: Vector3::repeat(1.0) };
    let mut neighbours = Neighbours::default();
    let mut found = |rank: fn(u32, u32) -> u128| -> Vec<_> {
        neighbours.forget();
        neighbours.candidates(&[unit; 3], 0.1, |_, _| true, rank).collect()
    };
    assert_eq!(found(ascending), [(0, 1), (0, 2), (1, 2)]);
    assert_eq!(found(|i, j| ascending(3 - j, i)), [(0, 2), (1, 2), (0, 1)]);
}

#[test]
fn a_sweep_serves_until_something_has_moved_by_the_slack() {
    let mut neighbours = Neighbours::default();
    let unit = Aabb { min: Vector3::zeros(), max: Vector3::repeat(1.0) };
    for (moved, sweeps) in [(0.0, 1), (0.05, 1), (0.09, 1), (0.11, 2), (0.2, 2), (0.0, 3)] {
        let boxes = [unit, Aabb { min: unit.min.add_scalar(moved), max: unit.max.add_scalar(moved) }];
        assert_eq!(neighbours.candidates(&boxes, 0.1, |_, _| true, ascending).count(), 1);
        assert_eq!(neighbours.sweeps(), sweeps, "{moved}");
    }
}
