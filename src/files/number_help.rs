//! Remedies for text that looks like a number to a person, but not to YAML.

use super::node::show_number;
use kinegraph_systems::operators::Expression;

/// Units: name, value in the SI unit, and the SI unit.
const UNITS: [(&str, f64, &str); 18] = [
    ("m", 1.0, "m"),
    ("cm", 0.01, "m"),
    ("mm", 1e-3, "m"),
    ("km", 1e3, "m"),
    ("s", 1.0, "s"),
    ("ms", 1e-3, "s"),
    ("us", 1e-6, "s"),
    ("min", 60.0, "s"),
    ("kg", 1.0, "kg"),
    ("g", 1e-3, "kg"),
    ("N", 1.0, "N"),
    ("kN", 1e3, "N"),
    ("Nm", 1.0, "N m"),
    ("N/m", 1.0, "N/m"),
    ("rad", 1.0, "rad"),
    ("rad/s", 1.0, "rad/s"),
    ("m/s", 1.0, "m/s"),
    ("%", 0.01, "1"),
];

/// Remedy for `text` where a number is expected.
pub(super) fn remedy(text: &str) -> Option<String> {
    let text = text.trim();
    if text.parse::<f64>().is_ok_and(f64::is_finite) {
        return Some("numbers are written without quotes".into());
    }
    if text.contains('$') {
        return Some("a parameter is written `$name`, a formula \"=2*$name\"".into());
    }
    let groups: Vec<&str> = text.split_whitespace().collect();
    let are_numbers = groups.len() > 1 && groups.iter().all(|group| group.parse::<f64>().is_ok());
    let are_thousands =
        groups.iter().skip(1).all(|group| group.len() >= 3 && group.chars().all(|c| c.is_ascii_digit()));
    if are_numbers && !are_thousands {
        return Some(format!("the numbers of a list have commas between them: [{}]", groups.join(", ")));
    }
    let spaced = text.replace(['_', ' ', '\''], "");
    if spaced != text && spaced.parse::<f64>().is_ok() {
        return Some(format!("write {spaced}"));
    }
    let comma = text.replace(',', ".");
    if comma != text && comma.parse::<f64>().is_ok() {
        return Some(format!("decimals are written with a point: {comma}"));
    }
    with_unit(text).or_else(|| formula(text))
}

/// Remedy for `5cm`, and for `30deg` where no angle is expected.
fn with_unit(text: &str) -> Option<String> {
    let end = text.char_indices().rev().take_while(|(_, c)| c.is_alphabetic() || "/°%".contains(*c)).last()?.0;
    let (digits, unit) = text.split_at(end);
    let number: f64 = digits.trim().parse().ok()?;
    if ["deg", "°", "deg/s", "°/s"].contains(&unit) {
        let radians = show_number(number.to_radians());
        let given = show_number(number);
        return Some(format!(
            "degrees are taken where an angle [rad] or its rate [rad/s] is asked, which this is not; {given} degrees are \
             {radians} rad"
        ));
    }
    let (_, factor, si) = UNITS.iter().find(|(name, ..)| *name == unit)?;
    // Division by a whole number keeps decimals exact.
    let value = if *factor < 1.0 { number / (1.0 / factor).round() } else { number * factor };
    let of = if *si == "1" { String::new() } else { format!(" ({si})") };
    Some(format!("numbers are in SI units{of}, whose names are not written: {}", show_number(value)))
}

fn formula(text: &str) -> Option<String> {
    let value = Expression::number(&text.replace("**", "^"))?;
    Some(format!("write {}, or the formula \"={}\": a formula begins with `=`", show_number(value), text.trim()))
}
