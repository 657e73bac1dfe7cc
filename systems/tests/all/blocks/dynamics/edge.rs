//! Detection of edges.

use kinegraph_core::port::{Crossing, Witness};
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::dynamics::Edge;

const EDGE: Witness = Witness { index: 0 };
const END: Witness = Witness { index: 1 };

#[test]
fn conforms() {
    conformance::check(&Edge::new(Crossing::Either, 0.5, 0.1).unwrap());
}

#[test]
fn a_pulse_begins_at_an_edge_and_ends_after_its_duration() {
    let edge = Edge::new(Crossing::Rising, 0.5, 0.25).unwrap();
    let at = |time: f64| Bench::new(&edge).input(edge.input, [1.0]).time(time);
    assert_eq!(at(2.0).witnesses(), [0.5, -0.25]);
    let on = at(2.0).reset(EDGE).1;
    assert_eq!(on, [1.0, 1.0, 2.0]);
    let bench = at(2.125).discrete(&on);
    assert_eq!((bench.eval(edge.pulse), bench.eval(edge.count)), (vec![1.0], vec![1.0]));
    assert_eq!(bench.witnesses(), [0.5, -0.125]);
    assert_eq!(at(2.25).discrete(&on).reset(END).1, [0.0, 1.0, 2.0]);
}

#[test]
fn an_edge_within_a_pulse_begins_it_anew() {
    let edge = Edge::new(Crossing::Either, 0.5, 0.25).unwrap();
    let again = Bench::new(&edge).input(edge.input, [0.0]).discrete([1.0, 1.0, 2.0]).time(2.25);
    let discrete = again.reset(EDGE).1;
    assert_eq!(discrete, [1.0, 2.0, 2.25]);
    // The end of the first pulse at the same time does not end the second.
    assert_eq!(again.discrete(&discrete).reset(END).1, discrete);
}

#[test]
fn refuses_a_pulse_without_duration() {
    let fault = Edge::new(Crossing::Rising, 0.5, 0.0).err().unwrap();
    assert_eq!(fault.to_string(), "duration[0] is 0, expected a number above 0");
}
