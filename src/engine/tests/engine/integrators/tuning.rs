//! Tests of `src/engine/integrators/tuning.rs`.

use kinegraph_engine::integrators::CenicTuning;

#[test]
fn every_number_has_a_name_of_its_own_and_is_read_where_it_is_set() {
    let mut names: Vec<&str> = CenicTuning::NUMBERS.iter().map(|number| number.name).collect();
    for number in CenicTuning::NUMBERS {
        let mut tuning = CenicTuning::DEFAULT;
        assert_eq!((number.get)(&tuning), number.default);
        (number.set)(&mut tuning, -1.0);
        assert_eq!((number.get)(&tuning), -1.0);
        assert_ne!(tuning, CenicTuning::DEFAULT);
    }
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
}
