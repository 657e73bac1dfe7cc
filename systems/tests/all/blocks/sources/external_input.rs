//! A signal that is set from outside the diagram.

use kinegraph_core::testing::conformance;
use kinegraph_core::{LeafSystem, SignalKind};
use kinegraph_systems::sources::{Constant, ExternalInput};

#[test]
fn conforms() {
    conformance::check(&ExternalInput::new(SignalKind::Vector, [1.0, -2.0]).unwrap());
}

#[test]
fn takes_the_place_of_a_source() {
    let constant = Constant::new([1.0, 2.0]).unwrap();
    let port = &LeafSystem::ports(&constant).outputs()[0];
    let input = ExternalInput::in_place_of(port, [3.0, 4.0]).unwrap();
    let output = &LeafSystem::ports(&input).outputs()[0];
    assert_eq!((&output.name, output.kind, output.width), (&port.name, port.kind, port.width));
    assert!(ExternalInput::in_place_of(port, [3.0]).is_err());
    assert!(ExternalInput::new(SignalKind::Vector, [f64::NAN]).is_err());
}
