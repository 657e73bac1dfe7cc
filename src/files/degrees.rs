//! Angles written in degrees where an angle, or a number of whatever unit, is asked: `20deg`, `90°`, `30 deg/s`.

use super::node::{Value, show_number};
use kinegraph_core::sizes::{LARGEST_USUAL_ANGLE, SizeRange, in_turns};

const ENDINGS: [&str; 4] = ["deg", "°", "deg/s", "°/s"];

/// The number of radians (per second) that `text` gives in degrees, if one of the units that the number may have is
/// that of an angle (or of its rate); no ranges: any unit.
pub fn read(text: &str, ranges: &[&'static SizeRange]) -> Option<f64> {
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
pub fn strange(ranges: &[&'static SizeRange], x: f64) -> Option<String> {
    let is_angle = ranges.iter().any(|range| range.unit() == "rad");
    (is_angle && x.abs() > LARGEST_USUAL_ANGLE).then(|| {
        let shown = show_number(x);
        format!("{}; an angle in degrees is written `{shown}deg`: is the unit meant?", in_turns(x))
    })
}
