//! A choice among several signals by a number.

use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::operators::MultiportSwitch;

#[test]
fn conforms() {
    conformance::check(&MultiportSwitch::new(3, 2).unwrap());
}

#[test]
fn passes_on_the_input_of_the_nearest_number() {
    let block = MultiportSwitch::new(3, 1).unwrap();
    let mut bench = Bench::new(&block);
    for (k, &input) in block.inputs.iter().enumerate() {
        bench = bench.input(input, [10.0 + k as f64]);
    }
    for (select, expected) in
        [(-7.0, 10.0), (0.0, 10.0), (0.49, 10.0), (0.5, 11.0), (1.4, 11.0), (1.5, 12.0), (2.0, 12.0), (9.0, 12.0)]
    {
        let bench = bench.clone().input(block.select, [select]);
        assert_eq!(bench.eval(block.output), [expected], "at {select}");
        assert_eq!(bench.witnesses(), [select - 0.5, select - 1.5]);
    }
}

#[test]
fn refuses_to_choose_among_one() {
    let fault = MultiportSwitch::new(1, 1).err().unwrap();
    assert_eq!(fault.to_string(), "inputs[0] is 1, expected a whole number from 2 to 1000");
}
