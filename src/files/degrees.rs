//! Angles in degrees, in place of an angle or of a number without a fixed unit: `20deg`, `90°`, `30 deg/s`.

use super::node::{Value, show_number};
use kinegraph_core::sizes::{LARGEST_USUAL_ANGLE, SizeRange, in_turns};

const ENDINGS: [&str; 4] = ["deg", "°", "deg/s", "°/s"];

/// Radians (per second) for a `text` in degrees; `None` unless one of the number's possible units is that of an angle
/// or its rate. Without ranges, any unit is possible.
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

/// True if a value is written in degrees.
pub(super) fn is_written(value: &Value) -> bool {
    matches!(value, Value::Text(text) if ENDINGS.iter().any(|ending| text.trim().ends_with(ending)))
}

/// Warning for a bare number that is likely an angle in degrees.
pub fn strange(ranges: &[&'static SizeRange], x: f64) -> Option<String> {
    let is_angle = ranges.iter().any(|range| range.unit() == "rad");
    (is_angle && x.abs() > LARGEST_USUAL_ANGLE).then(|| {
        let shown = show_number(x);
        format!("{}; an angle in degrees is written `{shown}deg`: is the unit meant?", in_turns(x))
    })
}
