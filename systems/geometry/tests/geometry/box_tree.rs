//! Tests of `systems/geometry/box_tree.rs`.

use kinegraph_geometry::box_tree::{Candidates, Tree};
use nalgebra::{Isometry3, Translation3, Vector3};
use proptest::prelude::*;

fn boxes() -> impl Strategy<Value = Vec<[Vector3<f64>; 2]>> {
    let range = || prop::array::uniform3(-1.0..1.0_f64).prop_map(Vector3::from);
    prop::collection::vec((range(), range()).prop_map(|(p, q)| [p.inf(&q) * 0.3 + p, p.sup(&q) * 0.3 + p]), 1..20)
}

proptest! {
    #[test]
    fn a_tree_finds_all_pairs_of_boxes_that_overlap(a in boxes(), b in boxes(), p in prop::array::uniform3(-1.0..1.0_f64)) {
        let X = Isometry3::from_parts(Translation3::from(Vector3::from(p)), Default::default());
        let mut found = Candidates::default();
        Tree::new(&a).pairs(&Tree::new(&b), &X, 0.0, &mut found);
        for (i, [low, high]) in a.iter().enumerate() {
            for (j, [m, v]) in b.iter().enumerate() {
                let (m, v) = (m + Vector3::from(p), v + Vector3::from(p));
                let apart = (0..3).any(|k| low[k] > v[k] || m[k] > high[k]);
                let pair = (i as u32, j as u32);
                prop_assert!(apart || found.pairs.binary_search(&pair).is_ok());
            }
        }
    }
}
