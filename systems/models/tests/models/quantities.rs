//! Tests of `systems/models/quantities.rs`.

use kinegraph_core::sizes;
use kinegraph_models::mjcf::schema;
use kinegraph_models::quantities::{Quantity, TREES, VALUE};

#[test]
fn every_unit_of_the_table_is_known() {
    for (elements, attributes, units, _) in &TREES {
        assert!(sizes::of_units(units).is_some(), "{elements} {attributes}: {units}");
    }
    for attribute in schema::all().flat_map(schema::Element::attributes).filter(|of| !of.units.is_empty()) {
        assert!(sizes::of_units(attribute.units).is_some(), "{}: {}", attribute.names, attribute.units);
    }
}

#[test]
fn the_element_and_the_attribute_decide() {
    let refused = |quantity: &Quantity, x: f64| quantity.check(x).err().map(|out| out.to_string());
    let size = schema::quantity("geom", "size");
    assert_eq!((refused(size, 0.0), refused(size, 0.1)), (None, None));
    let message = "a number of at most 1e12 m in size (from an atom to the orbit of Jupiter)";
    assert_eq!(refused(size, 1e308).as_deref(), Some(message));
    assert!(refused(size, 1e-308).is_some_and(|message| message.starts_with("0, or a number of at least 1e-12 m")));
    // What rounding leaves of zero.
    let place = schema::quantity("body", "pos");
    assert_eq!((refused(place, 1e-17), refused(place, 5e-324)), (None, None));
    assert_eq!(refused(Quantity::of_tree("origin", "xyz"), -1e13).as_deref(), Some(message));
    assert!(refused(Quantity::of_tree("drake:bushing_force_damping", VALUE), 1e16).is_some());
    assert!(refused(Quantity::of_tree("drake:point_contact_stiffness", VALUE), 1e16).is_some());
    // Without a unit.
    let gain = schema::quantity("general", "gainprm");
    assert!(gain.check(1e99).is_ok() && gain.check(1e101).is_err());
}

#[test]
fn unusual_but_valid_quantities_cause_a_note() {
    let size = schema::quantity("geom", "size");
    assert!(size.strange(1e9).is_some_and(|note| note == "1e9 m is outside 1e-9 to 1e7 m: is the unit meant?"));
    assert!(size.strange(1e-10).is_some());
    assert_eq!((size.strange(0.0), schema::quantity("body", "pos").strange(1e-17)), (None, None));
}
