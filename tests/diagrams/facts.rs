//! Names of types in the facts of a diagram.

use kinegraph_diagram::facts::short_type;

#[test]
fn names_of_types_have_no_modules() {
    assert_eq!(short_type("a::b::Gain"), "Gain");
    assert_eq!(short_type("a::With<b_c::d::Gain, e::F>"), "With<Gain, F>");
}
