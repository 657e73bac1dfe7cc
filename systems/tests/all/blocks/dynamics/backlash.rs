//! Play between two parts.

use kinegraph_core::port::{Tick, Witness};
use kinegraph_core::testing::{Bench, Sample, conformance};
use kinegraph_systems::dynamics::Backlash;

#[test]
fn conforms() {
    let block = Backlash::new(3, 0.2, 0.5).unwrap();
    conformance::check(&block);
    let discrete = vec![1.0, 0.0, -1.0, 0.0, 0.7, 0.0];
    let inputs = vec![Some(vec![0.3, 0.4, 0.5]), Some(vec![-1.0, 2.0, 3.0])];
    conformance::check_at(&block, &[Sample { time: 1.0, state: vec![], discrete, inputs }]);
}

#[test]
fn is_carried_at_its_sides_and_rests_between() {
    let block = Backlash::new(3, 0.5, 0.0).unwrap();
    let bench = Bench::new(&block).input(block.input, [2.0; 3]).input(block.rate, [3.0; 3]);
    let bench = bench.discrete([-1.0, 0.0, 1.0, 0.0, 1.875, 0.0]);
    assert_eq!(bench.eval(block.output), [2.25, 1.875, 1.75]);
    assert_eq!(bench.eval(block.output_rate), [3.0, 0.0, 3.0]);
    // The lower side is left upwards, the upper one downwards; between, half of the gap less the distance is left.
    assert_eq!(bench.witnesses(), [-1.0, 3.0, -0.125, -1.0, -1.0, -3.0]);
}

#[test]
fn takes_the_side_it_meets_and_rests_where_it_leaves_one() {
    let block = Backlash::new(1, 0.5, 0.0).unwrap();
    let [engage, release] = [0, 1].map(|index| Witness { index });
    for side in [-1.0, 1.0] {
        let bench = Bench::new(&block).input(block.input, [side * 1.0]).input(block.rate, [0.0]);
        assert_eq!(bench.clone().discrete([0.0, side * 0.7]).reset(engage).1[0], side);
        assert_eq!(bench.discrete([side, 0.0]).reset(release).1, [0.0, side * 0.75]);
    }
}

/// From the upper side at y = 0.75, an event takes the input to other places.
#[test]
fn a_jump_of_the_input_leaves_it_or_carries_it() {
    let block = Backlash::new(1, 0.5, 0.0).unwrap();
    let at = |u: f64, discrete: &[f64]| {
        Bench::new(&block).input(block.input, [u]).input(block.rate, [1.0]).discrete(discrete)
    };
    let before = at(1.0, &[1.0, 0.0]);
    for (input, output) in [(1.25, 1.0), (0.875, 0.75), (0.5, 0.75), (0.25, 0.5)] {
        let discrete = before.jumped(&at(input, &[1.0, 0.0]));
        assert_eq!(at(input, &discrete).eval(block.output), [output], "at {input}");
    }
    // A smooth input between the two instants at which it is read is no jump.
    assert_eq!(before.jumped(&at(1.0 - 1e-12, &[1.0, 0.0])), [1.0, 0.0]);
}

#[test]
fn the_start_is_within_the_gap() {
    let block = Backlash::new(3, 0.5, 0.0).unwrap();
    let bench = Bench::new(&block).input(block.input, [-1.0, 0.2, 1.0]).input(block.rate, [0.0; 3]);
    let discrete = bench.update(Tick { index: 0 });
    assert_eq!(bench.discrete(&discrete).eval(block.output), [-0.75, 0.0, 0.75]);
}

#[test]
fn refuses_a_gap_of_nothing() {
    assert_eq!(Backlash::new(1, 0.0, 0.0).err().unwrap().to_string(), "gap[0] is 0, expected a number above 0");
}
