//! The axes of a sweep, and the enumeration of its variations.

use kinegraph_io::sweep::{Axis, SampledParameter, Sweep, Variation};
use std::collections::HashSet;

#[test]
fn every_combination_comes_once_the_last_axis_fastest() {
    let sweep = Sweep {
        vary: vec![Axis::parse("a=1,2").unwrap(), Axis::parse("b=x,y,z").unwrap()],
        integrators: vec!["rk3".into(), "cenic".into()],
        accuracies: vec![1e-2, 1e-3],
        ..Sweep::default()
    };
    let all: Vec<Variation> = sweep.variations().collect();
    assert_eq!(all.len() as u64, sweep.len());
    assert_eq!(all.len(), 24);
    let reported: HashSet<String> = all.iter().map(|v| format!("{:?}", Variation { index: 0, ..v.clone() })).collect();
    assert_eq!(reported.len(), 24);
    let value = |i: usize, path: usize| all[i].overrides[path].1.as_str();
    assert_eq!([value(0, 0), value(0, 1), value(4, 1), value(12, 0)], ["1", "x", "y", "2"]);
    assert_eq!((all[1].accuracy, all[2].integrator.as_deref()), (Some(1e-3), Some("cenic")));
    assert!(all.iter().all(|variation| variation.seed.is_none()));
    assert_eq!(sweep.variation(24), None);
}

#[test]
fn draws_are_the_same_for_every_combination_and_made_alone() {
    let sweep = Sweep {
        vary: vec![Axis::parse("a=1,2").unwrap()],
        sample: vec![SampledParameter::parse("m=normal(1,0.1)").unwrap()],
        runs: 3,
        seed: 5,
        ..Sweep::default()
    };
    let all: Vec<Variation> = sweep.variations().collect();
    assert_eq!(all.len(), 6);
    for draw in 0..3 {
        assert_eq!(all[draw].overrides[1], all[draw + 3].overrides[1]);
        assert_eq!(all[draw].seed, all[draw + 3].seed);
        assert_eq!(sweep.variation(draw as u64).as_ref(), Some(&all[draw]));
    }
    assert_ne!(all[0].overrides[1], all[1].overrides[1]);
    let other = Sweep { seed: 6, ..sweep.clone() };
    assert_ne!(other.variation(0).unwrap().overrides[1], all[0].overrides[1]);
    let text = serde_json::to_string(&sweep).unwrap();
    assert_eq!(serde_json::from_str::<Sweep>(&text).unwrap(), sweep);
}
