//! Tests of `systems/geometry/ray_tree.rs`.

use kinegraph_geometry::ray_tree::RayTree;
use kinegraph_geometry::{Aabb, Ray};
use nalgebra::Vector3;
use proptest::prelude::*;

fn triple(range: std::ops::Range<f64>) -> impl Strategy<Value = Vector3<f64>> {
    prop::array::uniform3(range).prop_map(Vector3::from)
}

proptest! {
    /// Every box that the ray meets is visited, and at most half of many boxes in a row beside it.
    #[test]
    fn all_boxes_on_the_way_are_found(
        boxes in prop::collection::vec((triple(-1.0..1.0), triple(0.0..0.3)), 1..40),
        origin in triple(-2.0..2.0), direction in triple(-1.0..1.0), flat in 0_usize..4,
    ) {
        let mut direction = direction;
        if flat < 3 {
            direction[flat] = 0.0;
        }
        prop_assume!(direction.norm() > 1e-3);
        let ray = Ray::new(origin, direction).unwrap();
        let boxes: Vec<Aabb> = boxes.iter().map(|(c, r)| Aabb { min: c - r, max: c + r }).collect();
        let mut tree = RayTree::default();
        tree.build(|i| boxes[i as usize], boxes.len());
        let mut seen = vec![0; boxes.len()];
        tree.along(&ray, 3.0, |i, limit| {
            seen[i as usize] += 1;
            limit
        });
        for (b, seen) in boxes.iter().zip(seen) {
            prop_assert!(seen <= 1);
            // A box that the exact test meets is looked at.
            let strictly = Aabb { min: b.min.add_scalar(1e-6), max: b.max.add_scalar(-1e-6) };
            let meets = (0..3).all(|k| strictly.min[k] < strictly.max[k]) && strictly.meets_ray(&ray, 3.0);
            prop_assert!(!meets || seen == 1);
        }
    }
}

/// A ray along a row of a thousand boxes visits few of them once it has a hit.
#[test]
fn a_ray_stops_at_the_nearest() {
    let at = |i: u32| Vector3::new(f64::from(i) * 2.0, 0.0, 0.0);
    let boxes = |i: u32| Aabb { min: at(i).add_scalar(-0.5), max: at(i).add_scalar(0.5) };
    let mut tree = RayTree::default();
    tree.build(boxes, 1000);
    let ray = Ray::new(Vector3::new(-5.0, 0.1, 0.1), Vector3::x()).unwrap();
    let mut looked = 0;
    tree.along(&ray, f64::INFINITY, |i, limit| {
        looked += 1;
        limit.min(f64::from(i) * 2.0 + 4.5)
    });
    assert_eq!(looked, 1);
}
