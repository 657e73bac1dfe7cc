//! Tests of `systems/core/random/seed.rs`.

use kinegraph_core::random::seed::{halves, held};
use kinegraph_core::random::{derive_seed, derived_seed};

#[test]
fn a_seed_is_held_whole() {
    for seed in [0, 1, 1 << 32, u64::MAX, 0x1234_5678_9abc_def0] {
        assert_eq!(held(&halves(seed)), seed);
    }
}

#[test]
fn derived_seeds_differ_and_can_be_written() {
    let pairs = (0..40).flat_map(|seed| (0..40).map(move |number| (seed, number)));
    let seeds: std::collections::HashSet<u64> = pairs.map(|(s, n)| derived_seed(s, n)).collect();
    assert_eq!(seeds.len(), 1600);
    assert!(seeds.iter().all(|seed| *seed as f64 as u64 == *seed && *seed < 1 << 53));
    let mut run = halves(7);
    derive_seed(&mut run, 3);
    assert_eq!(held(&run), derived_seed(7, 3));
}
