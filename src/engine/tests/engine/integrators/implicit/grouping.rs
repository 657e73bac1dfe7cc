//! Tests of `src/engine/integrators/implicit/grouping.rs`.

use kinegraph_engine::integrators::couplings::Couplings;
use kinegraph_engine::integrators::implicit::grouping::Grouping;

#[test]
fn parts_that_share_no_row_share_a_color() {
    // A chain of bodies 0 - 1 - 2, one apart, and a filter that 3 drives; two numbers each.
    let mut couplings = Couplings::default();
    couplings.start([0, 0, 1, 1, 2, 2, 3, 3, 4, 4].into_iter());
    couplings.join(0, 1);
    couplings.join(2, 1);
    couplings.add(3, 4);
    let mut grouping = Grouping::default();
    grouping.find(&couplings);
    let colors: Vec<&[usize]> = (0..grouping.colors()).map(|color| grouping.parts(color)).collect();
    assert_eq!(colors, [&[0, 3][..], &[1, 4], &[2]]);
    assert_eq!(grouping.rows(3).collect::<Vec<_>>(), [6, 7, 8, 9]);
    assert_eq!(grouping.rows(4).collect::<Vec<_>>(), [8, 9]);
    let mut blocks = Vec::new();
    grouping.blocks(&couplings, &mut blocks);
    assert_eq!(blocks, [0, 0, 0, 0, 0, 0, 3, 3, 3, 3]);
}
