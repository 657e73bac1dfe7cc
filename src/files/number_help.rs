//! Remedies for text that looks like a number to a person, but not to YAML.

use super::node::{shorten, show_number};
use super::quantity;
use kinegraph_core::unit::Unit;
use kinegraph_systems::operators::Expression;

/// Units of other systems and long names: name, value in the SI unit, and the SI unit.
const FOREIGN: [(&str, f64, &str); 34] = [
    ("in", 0.0254, "m"),
    ("inch", 0.0254, "m"),
    ("ft", 0.3048, "m"),
    ("feet", 0.3048, "m"),
    ("mile", 1609.344, "m"),
    ("meter", 1.0, "m"),
    ("meters", 1.0, "m"),
    ("metre", 1.0, "m"),
    ("metres", 1.0, "m"),
    ("lb", 0.45359237, "kg"),
    ("lbs", 0.45359237, "kg"),
    ("oz", 0.028349523125, "kg"),
    ("kgs", 1.0, "kg"),
    ("kilogram", 1.0, "kg"),
    ("lbf", 4.4482216152605, "N"),
    ("kgf", 9.80665, "N"),
    ("Newton", 1.0, "N"),
    ("newton", 1.0, "N"),
    ("psi", 6894.757293168361, "Pa"),
    ("atm", 101325.0, "Pa"),
    ("hp", 745.6998715822702, "W"),
    ("mph", 0.44704, "m/s"),
    ("kmh", 0.2777777777777778, "m/s"),
    ("kph", 0.2777777777777778, "m/s"),
    ("sec", 1.0, "s"),
    ("secs", 1.0, "s"),
    ("second", 1.0, "s"),
    ("seconds", 1.0, "s"),
    ("msec", 1e-3, "s"),
    ("degree", 0.017453292519943295, "rad"),
    ("degrees", 0.017453292519943295, "rad"),
    ("radians", 1.0, "rad"),
    ("rev/min", 0.10471975511965977, "rad/s"),
    ("RPM", 0.10471975511965977, "rad/s"),
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

/// Remedy for `5 inch`, and for `5 mm` where a count is expected.
fn with_unit(text: &str) -> Option<String> {
    let (number, unit) = quantity::split(text)?;
    if Unit::read(unit).is_some() {
        return Some(format!("this has no unit: write {}", show_number(number)));
    }
    let shown = show_number(number);
    if let Some((_, factor, si)) = FOREIGN.iter().find(|(name, ..)| *name == unit) {
        return Some(format!(
            "`{unit}` is no unit of a file; {shown} {unit} are {} {si}",
            show_number(number * factor)
        ));
    }
    let is_word = unit.chars().all(|c| c.is_alphanumeric() || " */·^²³°%-".contains(c));
    // A formula or a name is no unit.
    let is_unit = is_word && !unit.starts_with(['*', '^', '-']) && formula(text).is_none();
    is_unit.then(|| {
        format!(
            "`{}` is no unit: units are SI symbols with their prefixes, such as mm, ms, kg, kN/m, N m s/rad, and deg, rpm, \
             min, h, bar, %",
            shorten(unit)
        )
    })
}

fn formula(text: &str) -> Option<String> {
    let value = Expression::number(&text.replace("**", "^"))?;
    Some(format!("write {}, or the formula \"={}\": a formula begins with `=`", show_number(value), text.trim()))
}
