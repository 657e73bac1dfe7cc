//! Names of types in the picture of a diagram.

use kinegraph_diagram::graph::short_type;

#[test]
fn types_lose_their_modules_and_nothing_else() {
    assert_eq!(short_type("kinegraph_systems::control::pid::Pid"), "Pid");
    assert_eq!(short_type("a::Real<b::c::Policy, d::Other<e::F>>"), "Real<Policy, Other<F>>");
    assert_eq!(short_type("Plain"), "Plain");
}
