//! Angles written in degrees where an angle, or a number of whatever unit, is asked.

use kinegraph_core::sizes::of_declaration;
use kinegraph_files::degrees::{read, strange};

#[test]
fn degrees_are_read_where_an_angle_may_be_meant() {
    let (angle, joint, rate) = (of_declaration("[rad]"), of_declaration("[rad, m]"), of_declaration("[rad/s]"));
    for (text, ranges, expected) in [
        ("180deg", &angle, Some(std::f64::consts::PI)),
        ("-90 °", &joint, Some(-std::f64::consts::FRAC_PI_2)),
        ("90deg/s", &rate, Some(std::f64::consts::FRAC_PI_2)),
        ("1e1°", &of_declaration("a signal [any]"), Some(10_f64.to_radians())),
        ("90deg", &rate, None),
        ("90deg/s", &angle, None),
        ("90deg", &of_declaration("length [m]"), None),
        ("90deg", &of_declaration("a gain"), None),
        ("deg", &angle, None),
        ("infdeg", &angle, None),
        ("ninety deg", &angle, None),
    ] {
        assert_eq!(read(text, ranges), expected, "{text}");
    }
    assert_eq!(read("90deg", &[]), Some(std::f64::consts::FRAC_PI_2));
}

#[test]
fn a_bare_number_of_many_turns_is_noted() {
    let joint = of_declaration("[rad, m]");
    let said = strange(&joint, 90.0).unwrap();
    assert_eq!(said, "90 rad are 14.3 turns; an angle in degrees is written `90deg`: is the unit meant?");
    assert_eq!((strange(&joint, 6.0), strange(&of_declaration("[m]"), 90.0)), (None, None));
}
