//! Tests of `systems/geometry/broad_phase.rs`.

use kinegraph_geometry::broad_phase::{BroadPhase, ascending};
use kinegraph_geometry::{Aabb, Shape, aabb};
use nalgebra::{Isometry3, Vector3};
use proptest::prelude::*;

/// The half-space below the height `z` \[m\].
fn ground(z: f64) -> Aabb {
    aabb(&Shape::HalfSpace, &Isometry3::translation(0.0, 0.0, z))
}

proptest! {
    #[test]
    fn sweep_and_brute_force_find_the_same_pairs(
        boxes in prop::collection::vec((prop::array::uniform3(-3.0..3.0_f64), prop::array::uniform3(0.0..1.0_f64)), 0..40),
        has_ground in any::<bool>(),
    ) {
        let mut boxes: Vec<_> = boxes
            .iter()
            .map(|(c, h)| Aabb { min: Vector3::from(*c) - Vector3::from(*h), max: Vector3::from(*c) + Vector3::from(*h) })
            .collect();
        if has_ground {
            boxes.push(ground(-1.0));
        }
        let allowed = |i: u32, j: u32| !(i + j).is_multiple_of(3);
        let mut expected = Vec::new();
        for j in 0..boxes.len() {
            for i in 0..j {
                if boxes[i].overlaps(&boxes[j]) && allowed(i as u32, j as u32) {
                    expected.push((i as u32, j as u32));
                }
            }
        }
        expected.sort_unstable();
        let mut sweep = BroadPhase::default();
        prop_assert_eq!(sweep.candidates(&boxes, allowed, ascending), &expected[..]);
        prop_assert_eq!(sweep.candidates(&boxes, allowed, ascending), &expected[..]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// Enough boxes to be swept in columns: a pile, with walls and a ground that reach through all.
    #[test]
    fn columns_find_all_pairs(
        centres in prop::collection::vec(prop::array::uniform3(0.0..1.0_f64), 128..400),
        stretch in prop::array::uniform3(0.0..30.0_f64),
        large in 0.1..10.0_f64,
    ) {
        let centred = |(i, c): (usize, &[f64; 3])| {
            let centre = Vector3::from(*c).component_mul(&Vector3::from(stretch));
            Aabb { min: centre, max: centre }.inflated(if i % 50 == 0 { large } else { 0.5 })
        };
        let mut boxes: Vec<_> = centres.iter().enumerate().map(centred).collect();
        boxes.push(ground(1.0));
        let all = (0..boxes.len()).flat_map(|i| (i + 1..boxes.len()).map(move |j| (i, j)));
        let expected: Vec<_> =
            all.filter(|&(i, j)| boxes[i].overlaps(&boxes[j])).map(|(i, j)| (i as u32, j as u32)).collect();
        let mut sweep = BroadPhase::default();
        prop_assert_eq!(sweep.candidates(&boxes, |_, _| true, ascending), &expected[..]);
    }
}

#[test]
fn sweeping_a_floor_of_boxes_costs_about_linear_time() {
    // Counted by what reaches the filter: every overlapping pair once, and each box has a bounded number of them.
    let mut boxes = vec![ground(0.0)];
    for i in 0..400 {
        let centre = Vector3::new((i % 20) as f64 * 1.1, (i / 20) as f64 * 1.1, 0.5);
        boxes.push(Aabb { min: centre, max: centre }.inflated(0.5));
    }
    let asked = std::cell::Cell::new(0);
    let mut sweep = BroadPhase::default();
    let filter = |_, _| {
        asked.set(asked.get() + 1);
        true
    };
    let pairs = sweep.candidates(&boxes, filter, ascending);
    assert_eq!(pairs.len(), 400);
    assert_eq!(asked.get(), 400);
}
