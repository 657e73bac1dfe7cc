//! `type: variable_delay`.

use kinegraph_core::testing::Bench;
use kinegraph_files::Catalog;
use kinegraph_files::blocks::variable_delay;
use std::path::Path;

#[test]
fn parameters_are_passed_to_the_block() {
    let catalog = Catalog::empty().with(variable_delay::TYPE).unwrap();
    let parameters = serde_json::json!({"longest": 0.3, "period": 0.1, "initial": [1.0, 2.0]});
    let block = catalog.build("variable_delay", parameters, Path::new("")).unwrap();
    assert_eq!(block.ports().ticks()[0].period, 0.1);
    assert_eq!(Bench::new(&*block).input_named("delay", [0.2]).eval_named("output"), [1.0, 2.0]);
}

#[test]
fn a_period_beyond_the_longest_delay_is_a_fault() {
    let catalog = Catalog::empty().with(variable_delay::TYPE).unwrap();
    let parameters = serde_json::json!({"longest": 0.1, "period": 0.2});
    let fault = catalog.build("variable_delay", parameters, Path::new("")).err().unwrap().to_string();
    assert!(fault.contains("0.2 s is longer than the longest delay of 0.1 s"), "{fault}");
}
