//! Angles written in degrees where an angle, or a number of whatever unit, is asked: `20deg`, `90°`, `30 deg/s`.

use super::node::{Value, show_number};
use kinegraph_systems::sizes::SizeRange;

/// More than so many radians are likely to be degrees.
const LARGEST_USUAL_ANGLE: f64 = 20.0;

const ENDINGS: [&str; 4] = ["deg", "°", "deg/s", "°/s"];

/// The number of radians (per second) that `text` gives in degrees, if one of the units that the number may have is
/// that of an angle (or of its rate); no ranges: any unit.
pub(super) fn read(text: &str, ranges: &[&'static SizeRange]) -> Option<f64> {
    let text = text.trim();
    let strip = |endings: [&str; 2]| endings.iter().find_map(|ending| text.strip_suffix(ending));
    let (digits, unit) = match strip(["deg/s", "°/s"]) {
        Some(digits) => (digits, "rad/s"),
        None => (strip(["deg", "°"])?, "rad"),
    };
    let may_be = ranges.is_empty() || ranges.iter().any(|range| [unit, "any"].contains(&range.unit()));
    let degrees: f64 = digits.trim_end().parse().ok()?;
    (may_be && degrees.is_finite()).then(|| degrees.to_radians())
}

/// Whether a value is written in degrees, of whatever it is.
pub(super) fn is_written(value: &Value) -> bool {
    matches!(value, Value::Text(text) if ENDINGS.iter().any(|ending| text.trim().ends_with(ending)))
}

/// What is strange about a bare number that may be an angle, in words.
pub(super) fn strange(ranges: &[&'static SizeRange], x: f64) -> Option<String> {
    let is_angle = ranges.iter().any(|range| range.unit() == "rad");
    (is_angle && x.abs() > LARGEST_USUAL_ANGLE).then(|| {
        let turns = (x.abs() / std::f64::consts::TAU * 10.0).round() / 10.0;
        let (x, turns) = (show_number(x), show_number(turns));
        format!("{x} rad are {turns} turns; an angle in degrees is written `{x}deg`: is the unit meant?")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use kinegraph_systems::sizes::of_declaration;

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
}
