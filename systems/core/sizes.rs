//! Ranges of magnitudes of the numbers in diagram and model files, by unit. A parameter of a diagram names its unit in
//! its declaration, `[s]`, `[N/m]`; the readers of model files have a table. Zero is in every range; whether it is a
//! valid value is decided where it is read.
//!
//! A run computes squares, cubes and quotients of these numbers, and of their products with each other. Within these
//! ranges the results are finite; beyond them no plant of the real world has such values.

use std::fmt;

/// Range of times \[s\].
pub const TIME_SIZES: (f64, f64) = (1e-15, 1e12);

/// Range of the magnitudes of a number.
#[derive(Debug, PartialEq)]
pub struct SizeRange {
    /// The unit; empty where there is none.
    unit: &'static str,
    /// The smallest magnitude other than zero.
    pub smallest: f64,
    /// The largest magnitude.
    pub largest: f64,
    /// Reason why numbers outside of the range are refused.
    pub reason: &'static str,
    /// Magnitudes outside of this range are valid, but likely to be mistakes.
    usual: Option<(f64, f64)>,
}

const COMPUTED: &str = "squares and quotients of it are computed";

impl SizeRange {
    /// The unit; empty if there is none, `any` if it depends on the meaning of the number.
    pub fn unit(&self) -> &'static str {
        self.unit
    }
}

const fn range(unit: &'static str, smallest: f64, largest: f64, reason: &'static str) -> SizeRange {
    SizeRange { unit, smallest, largest, reason, usual: None }
}

const fn usual(range: SizeRange, smallest: f64, largest: f64) -> SizeRange {
    SizeRange { usual: Some((smallest, largest)), ..range }
}

/// Numbers without a unit.
pub static PLAIN: SizeRange = range("", 1e-100, 1e100, COMPUTED);

const STIFFNESS: &str = "between a hair and a mountain, with much room on both sides";
const EFFORT: &str = "from single molecules to rockets, with much room on both sides";
const TIMES: &str = "from the vibration of a molecule to 30,000 years";

/// The ranges by unit. An angular quantity has the ranges of the same quantity per length.
pub static RANGES: [SizeRange; 41] = [
    range("any", 1e-100, 1e100, COMPUTED),
    usual(range("s", TIME_SIZES.0, TIME_SIZES.1, TIMES), 1e-12, 1e9),
    range("1/s", 1e-12, 1e15, TIMES),
    range("1/s²", 1e-24, 1e30, TIMES),
    range("1/s³", 1e-36, 1e45, TIMES),
    range("rad/s", 1e-12, 1e15, TIMES),
    usual(range("m", 1e-12, 1e12, "from an atom to the orbit of Jupiter"), 1e-9, 1e7),
    range("1/m", 1e-12, 1e12, "from an atom to the orbit of Jupiter"),
    range("m/s", 1e-15, 3e8, "nothing is faster than light"),
    range("m/s²", 1e-15, 1e15, COMPUTED),
    range("s/m", 1e-9, 1e15, "nothing is faster than light"),
    range("s/rad", 1e-15, 1e12, TIMES),
    range("rad", 1e-15, 1e15, "beyond it an angle has no digits left within a turn"),
    range("1/rad", 1e-15, 1e15, COMPUTED),
    range("kg", 1e-27, 1e27, "from an atom to a planet"),
    range("kg/m", 1e-24, 1e24, COMPUTED),
    range("kg m²", 1e-40, 1e40, COMPUTED),
    usual(range("N/m", 1e-12, 1e15, STIFFNESS), 1e-6, 1e12),
    usual(range("N m/rad", 1e-18, 1e15, STIFFNESS), 1e-12, 1e12),
    range("N s/m", 1e-15, 1e15, STIFFNESS),
    range("N m s/rad", 1e-18, 1e15, STIFFNESS),
    range("N", 1e-15, 1e15, EFFORT),
    range("N m", 1e-18, 1e15, EFFORT),
    usual(range("Pa", 1e-6, 1e15, "nothing is stiffer than 1e12 Pa"), 1.0, 1e13),
    range("J", 1e-24, 1e30, EFFORT),
    range("W", 1e-24, 1e30, EFFORT),
    range("V", 1e-12, 1e12, EFFORT),
    range("A", 1e-15, 1e12, EFFORT),
    range("Ω", 1e-12, 1e15, EFFORT),
    range("H", 1e-18, 1e9, EFFORT),
    range("F", 1e-21, 1e9, EFFORT),
    range("V s/rad", 1e-15, 1e12, EFFORT),
    range("N m/A", 1e-15, 1e12, EFFORT),
    range("K/W", 1e-15, 1e15, EFFORT),
    range("J/K", 1e-24, 1e24, EFFORT),
    range("Pa s/m³", 1e-12, 1e21, EFFORT),
    range("Pa s²/m³", 1e-12, 1e21, EFFORT),
    range("m³/Pa", 1e-24, 1e12, EFFORT),
    range("m³/s", 1e-24, 1e12, EFFORT),
    range("m²", 1e-24, 1e24, "from an atom to the orbit of Jupiter"),
    range("kg/m³", 1e-12, 1e12, "from the best vacuum to the core of a star"),
];

/// The ranges of a parameter with this declaration: one for each unit in brackets, any of which may be meant.
pub fn of_declaration(about: &str) -> Vec<&'static SizeRange> {
    let groups = about.split('[').skip(1).filter_map(|rest| rest.split_once(']')).map(|(group, _)| group);
    groups.filter_map(of_units).next().unwrap_or_else(|| vec![&PLAIN])
}

/// The ranges of a list of units (`rad, m`), any of which may be meant; `None` if one of them is not a unit.
pub fn of_units(units: &str) -> Option<Vec<&'static SizeRange>> {
    let units = units.split(',').flat_map(|units| units.split(" or "));
    units.map(|unit| RANGES.iter().find(|range| range.unit == unit.trim())).collect()
}

/// True if a number is larger than every range allows, or infinite.
pub fn is_beyond_all(x: f64) -> bool {
    x.abs() > PLAIN.largest
}

/// The range of numbers without a unit.
pub fn plain() -> &'static SizeRange {
    &PLAIN
}

/// Error: a number that lies in none of its ranges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OutOfRange {
    /// Larger than every range allows.
    TooLarge(&'static SizeRange),
    /// Nearer to zero than every range allows, and not zero.
    TooSmall(&'static SizeRange),
}

/// The valid values, in words that fit "expected …".
impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (words, limit, range) = match self {
            OutOfRange::TooLarge(range) => ("a number of at most", range.largest, range),
            OutOfRange::TooSmall(range) => ("0, or a number of at least", range.smallest, range),
        };
        let SizeRange { unit, reason, .. } = range;
        let (space, unit) = if ["", "any"].contains(unit) { ("", "") } else { (" ", *unit) };
        write!(f, "{words} {}{space}{unit} in size ({reason})", show_number(limit))
    }
}

/// Checks that a number lies in one of these ranges.
pub fn check(ranges: &[&'static SizeRange], x: f64) -> Result<(), OutOfRange> {
    let size = x.abs();
    if size == 0.0 || ranges.iter().any(|range| (range.smallest..=range.largest).contains(&size)) {
        return Ok(());
    }
    let range = |better: fn(f64, f64) -> bool, of: fn(&SizeRange) -> f64| {
        ranges.iter().copied().reduce(|a, b| if better(of(b), of(a)) { b } else { a }).unwrap_or(&PLAIN)
    };
    let widest = range(|a, b| a > b, |range| range.largest);
    if size > widest.largest {
        return Err(OutOfRange::TooLarge(widest));
    }
    Err(OutOfRange::TooSmall(range(|a, b| a < b, |range| range.smallest)))
}

/// Describes a number that is valid but likely to be a mistake; `None` for a usual one.
pub fn strange(ranges: &[&'static SizeRange], x: f64) -> Option<String> {
    strange_beyond(ranges, x, true)
}

/// Like [`strange`], for a number that may well be small: a position, a difference.
pub fn strangely_large(ranges: &[&'static SizeRange], x: f64) -> Option<String> {
    strange_beyond(ranges, x, false)
}

fn strange_beyond(ranges: &[&'static SizeRange], x: f64, small_too: bool) -> Option<String> {
    let [range] = ranges else { return None };
    let (smallest, largest) = range.usual?;
    let size = x.abs();
    (size > largest || small_too && size != 0.0 && size < smallest).then(|| {
        let (x, unit) = (show_number(x), range.unit);
        format!(
            "{x} {unit} is outside {} to {} {unit}: is the unit meant?",
            show_number(smallest),
            show_number(largest)
        )
    })
}

/// Angles above this, in radians, are likely to be degrees.
pub const LARGEST_USUAL_ANGLE: f64 = 20.0;

/// Describes an angle \[rad\] in turns: `90 rad are 14.3 turns`.
pub fn in_turns(x: f64) -> String {
    let turns = (x.abs() / std::f64::consts::TAU * 10.0).round() / 10.0;
    format!("{} rad are {} turns", show_number(x), show_number(turns))
}

/// A number as a person writes it, with so many digits behind the first one.
pub fn show_rounded(x: f64, digits: usize) -> String {
    show_number(format!("{x:.digits$e}").parse().unwrap_or(x))
}

/// A number as a person writes it.
pub fn show_number(x: f64) -> String {
    let size = x.abs();
    if x.is_nan() {
        "not-a-number".into()
    } else if x.is_finite() && size != 0.0 && !(1e-4..1e7).contains(&size) {
        format!("{x:e}")
    } else {
        x.to_string()
    }
}
