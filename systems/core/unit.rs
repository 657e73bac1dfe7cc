//! Units: powers of the base units of the SI, and numbers written with a unit (`kN/m`, `kg m^2`, `rpm`).
//!
//! The radian has an exponent of its own, so that a speed of rotation is shown in rad/s. Where units are compared it
//! counts as 1 ([`Dimension::fits`]): a torque is a stiffness in N m/rad times an angle, and a speed is an angular
//! velocity times a radius, in both of which rad is left out by custom.

use std::f64::consts::{PI, TAU};
use std::fmt;

/// Number of base units: kg, m, s, A, K, mol, rad.
const BASES: usize = 7;
/// The base units, in the order in which products of them are written.
const BASE_NAMES: [&str; BASES] = ["kg", "m", "s", "A", "K", "mol", "rad"];
const RADIAN: usize = 6;
const SECOND: usize = 2;
/// Largest exponent of a base unit.
const MAX_EXPONENT: i8 = 60;
/// Largest exponent that is written behind a symbol.
const MAX_WRITTEN: i32 = 9;

/// A product of powers of base units of the SI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Dimension([i8; BASES]);

impl Dimension {
    /// No unit: a ratio, a count.
    pub const ONE: Self = Dimension([0; BASES]);
    /// The second.
    pub const SECOND: Self = Dimension([0, 0, 1, 0, 0, 0, 0]);
    /// The radian.
    pub const RADIAN: Self = Dimension([0, 0, 0, 0, 0, 0, 1]);

    /// Reads a unit of the SI (`N m`, `rad/s`); `None` for a text that is no unit, or one with a factor (`mm`).
    pub fn read(text: &str) -> Option<Self> {
        let unit = Unit::read(text)?;
        (unit.to_si(1.0) == 1.0).then_some(unit.dimension)
    }

    /// This unit times `other^power`; `None` if an exponent gets too large to be one.
    pub fn times(self, other: Self, power: i32) -> Option<Self> {
        let mut product = self.0;
        for (mine, theirs) in product.iter_mut().zip(other.0) {
            let exponent = i32::from(*mine) + power.checked_mul(i32::from(theirs))?;
            *mine = i8::try_from(exponent).ok().filter(|exponent| exponent.abs() <= MAX_EXPONENT)?;
        }
        Some(Dimension(product))
    }

    /// True if numbers in `self` may be taken for numbers in `other`: equal but for powers of rad.
    pub fn fits(self, other: Self) -> bool {
        self.0[..RADIAN] == other.0[..RADIAN]
    }

    /// Exponent of rad.
    pub fn radians(self) -> i8 {
        self.0[RADIAN]
    }

    /// Exponent of s.
    pub fn seconds(self) -> i8 {
        self.0[SECOND]
    }

    /// The exponents of kg, m, s, A, K, mol and rad.
    pub fn exponents(self) -> [i8; BASES] {
        self.0
    }

    /// Number of factors of the unit written as a product of base units.
    fn length(self) -> u32 {
        self.0.iter().map(|exponent| u32::from(exponent.unsigned_abs())).sum()
    }
}

/// Units by the names that their fields use, which are shown in place of products of base units. Of two names of one
/// unit the first is shown.
const USUAL: [&str; 30] = [
    "N",
    "N m",
    "N/m",
    "N m/rad",
    "N s/m",
    "N m s/rad",
    "W",
    "Pa",
    "V",
    "Ω",
    "H",
    "F",
    "T",
    "C",
    "V s/rad",
    "N m/A",
    "N/s",
    "N m/s",
    "V/s",
    "A/s",
    "kg m²",
    "kg/m³",
    "N/m²",
    "N s",
    "Pa s",
    "N/A",
    "V/m",
    "N m s",
    "W/K",
    "J/K",
];

/// Units of which, with some base units, others are composed.
const DERIVED: [&str; 6] = ["N", "V", "Pa", "W", "Ω", "T"];

/// The unit as its field writes it: `1`, `N m`, `kg m²`, `rad/s`.
impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let read = |name: &&str| Unit::read(name).map(|unit| unit.dimension);
        if let Some(name) = USUAL.iter().find(|name| read(name) == Some(*self)) {
            return f.write_str(name);
        }
        let rest = |name: &&'static str| Some((*name, self.times(read(name)?, -1)?));
        let composed = DERIVED.iter().filter_map(rest).min_by_key(|(_, rest)| rest.length());
        match composed {
            // Without mass no force, voltage or power is meant: m/s², not N/kg.
            Some((name, rest)) if self.0[0] != 0 && rest.length() + 1 < self.length() => {
                write_product(f, Some(name), rest)
            }
            _ => write_product(f, None, *self),
        }
    }
}

fn write_product(f: &mut fmt::Formatter<'_>, first: Option<&str>, rest: Dimension) -> fmt::Result {
    let mut is_empty = first.is_none();
    f.write_str(first.unwrap_or(""))?;
    let factors = || BASE_NAMES.iter().zip(rest.0);
    for (name, exponent) in factors().filter(|(_, exponent)| *exponent > 0) {
        f.write_str(if is_empty { "" } else { " " })?;
        is_empty = false;
        write_power(f, name, exponent, " ")?;
    }
    if is_empty {
        f.write_str("1")?;
    }
    for (name, exponent) in factors().filter(|(_, exponent)| *exponent < 0) {
        f.write_str("/")?;
        write_power(f, name, -exponent, "/")?;
    }
    Ok(())
}

/// Writes a power; one too large for a symbol in parts with `between` between them.
fn write_power(f: &mut fmt::Formatter<'_>, name: &str, exponent: i8, between: &str) -> fmt::Result {
    match exponent {
        1 => f.write_str(name),
        2 => write!(f, "{name}²"),
        3 => write!(f, "{name}³"),
        _ => {
            let nines = exponent / MAX_WRITTEN as i8;
            let rest = exponent % MAX_WRITTEN as i8;
            let parts = std::iter::repeat_n(MAX_WRITTEN as i8, nines as usize).chain((rest > 0).then_some(rest));
            for (i, part) in parts.enumerate() {
                write!(f, "{}{name}^{part}", if i == 0 { "" } else { between })?;
            }
            Ok(())
        }
    }
}

/// A unit as it is written, in terms of SI units.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// Its name in SI units: `N/m` for `kN/m`.
    pub name: String,
    /// The unit of numbers that [`to_si`](Self::to_si) returns.
    pub dimension: Dimension,
    /// Power of ten by which numbers in it are multiplied.
    power: i32,
    /// Factor besides that power.
    factor: f64,
}

/// Units of SI that a prefix may stand before, with the name in SI units, a power of ten and the exponents of kg, m, s,
/// A, K, mol and rad.
const PREFIXED: [(&str, &str, i32, [i8; BASES]); 18] = [
    ("m", "m", 0, [0, 1, 0, 0, 0, 0, 0]),
    ("s", "s", 0, [0, 0, 1, 0, 0, 0, 0]),
    ("g", "kg", -3, [1, 0, 0, 0, 0, 0, 0]),
    ("N", "N", 0, [1, 1, -2, 0, 0, 0, 0]),
    ("Pa", "Pa", 0, [1, -1, -2, 0, 0, 0, 0]),
    ("J", "J", 0, [1, 2, -2, 0, 0, 0, 0]),
    ("W", "W", 0, [1, 2, -3, 0, 0, 0, 0]),
    ("V", "V", 0, [1, 2, -3, -1, 0, 0, 0]),
    ("A", "A", 0, [0, 0, 0, 1, 0, 0, 0]),
    ("Hz", "Hz", 0, [0, 0, -1, 0, 0, 0, 0]),
    ("Ω", "Ω", 0, [1, 2, -3, -2, 0, 0, 0]),
    ("ohm", "Ω", 0, [1, 2, -3, -2, 0, 0, 0]),
    ("H", "H", 0, [1, 2, -2, -2, 0, 0, 0]),
    ("F", "F", 0, [-1, -2, 4, 2, 0, 0, 0]),
    ("C", "C", 0, [0, 0, 1, 1, 0, 0, 0]),
    ("T", "T", 0, [1, 0, -2, -1, 0, 0, 0]),
    ("rad", "rad", 0, [0, 0, 0, 0, 0, 0, 1]),
    ("Nm", "N m", 0, [1, 2, -2, 0, 0, 0, 0]),
];

/// Prefixes, with their powers of ten.
const PREFIXES: [(&str, i32); 10] =
    [("p", -12), ("n", -9), ("u", -6), ("µ", -6), ("μ", -6), ("m", -3), ("c", -2), ("k", 3), ("M", 6), ("G", 9)];

/// Units without prefixes, with the name in SI units, the factor and the exponents.
const OTHERS: [(&str, &str, f64, [i8; BASES]); 11] = [
    ("1", "1", 1.0, [0; BASES]),
    ("K", "K", 1.0, [0, 0, 0, 0, 1, 0, 0]),
    ("mol", "mol", 1.0, [0, 0, 0, 0, 0, 1, 0]),
    ("min", "s", 60.0, [0, 0, 1, 0, 0, 0, 0]),
    ("h", "s", 3600.0, [0, 0, 1, 0, 0, 0, 0]),
    ("deg", "rad", PI / 180.0, [0, 0, 0, 0, 0, 0, 1]),
    ("°", "rad", PI / 180.0, [0, 0, 0, 0, 0, 0, 1]),
    ("rpm", "rad/s", TAU / 60.0, [0, 0, -1, 0, 0, 0, 1]),
    ("l", "m³", 1e-3, [0, 3, 0, 0, 0, 0, 0]),
    ("bar", "Pa", 1e5, [1, -1, -2, 0, 0, 0, 0]),
    ("%", "1", 0.01, [0; BASES]),
];

/// A symbol found in the tables above.
struct Symbol {
    name: &'static str,
    power: i32,
    factor: f64,
    dimension: Dimension,
}

impl Unit {
    /// Reads a unit: factors between blanks, `*` or `·`, each behind a `/` if it divides, with whole powers. `None` for
    /// a text that is no unit.
    pub fn read(text: &str) -> Option<Self> {
        let mut unit = Unit { name: String::new(), dimension: Dimension::ONE, power: 0, factor: 1.0 };
        let (mut divides, mut symbol) = (false, String::new());
        for c in text.trim().chars().chain([' ']) {
            if !matches!(c, ' ' | '*' | '·' | '/') {
                symbol.push(c);
                continue;
            }
            if !symbol.is_empty() {
                unit.multiply(&symbol, divides)?;
                symbol.clear();
                divides = false;
            }
            if c == '/' {
                (!divides && !unit.name.is_empty()).then_some(())?;
                divides = true;
            }
        }
        (!divides && !unit.name.is_empty()).then_some(unit)
    }

    fn multiply(&mut self, written: &str, divides: bool) -> Option<()> {
        let (symbol, exponent) = split_exponent(written)?;
        let symbol = symbol_of(symbol)?;
        let sign = if divides { -1 } else { 1 };
        self.power += sign * exponent * symbol.power;
        self.factor *= symbol.factor.powi(sign * exponent);
        self.dimension = self.dimension.times(symbol.dimension, sign * exponent)?;
        let exponent = match exponent {
            1 => String::new(),
            _ => format!("^{exponent}"),
        };
        // A unit such as rpm stands alone: a power of its name would be that of its last part.
        (exponent.is_empty() && !divides || !symbol.name.contains(['/', ' ', '³'])).then_some(())?;
        let between = match (divides, self.name.is_empty()) {
            (true, _) => "/",
            (false, false) => " ",
            (false, true) => "",
        };
        self.name = format!("{}{between}{}{exponent}", self.name, symbol.name);
        Some(())
    }

    /// Number in SI units of a number in this unit.
    pub fn to_si(&self, number: f64) -> f64 {
        let number = number * self.factor;
        // Division keeps decimals exact: 9 mm are 0.009 m, which a multiplication by 0.001 misses.
        if self.power < 0 { number / 10f64.powi(-self.power) } else { number * 10f64.powi(self.power) }
    }

    /// Number in this unit of a number in SI units.
    pub fn from_si(&self, number: f64) -> f64 {
        let number = if self.power < 0 { number * 10f64.powi(-self.power) } else { number / 10f64.powi(self.power) };
        number / self.factor
    }

    /// True if a number in this unit is one in `wanted`. The radian may be left out, but not added, and a frequency in
    /// Hz is no angular velocity: it would be wrong by 2 π.
    pub fn gives(&self, wanted: Dimension) -> bool {
        let is_same = self.dimension == wanted;
        let lacks_radians = self.dimension.radians() == 0 && self.dimension.fits(wanted) && !self.name.contains("Hz");
        is_same || lacks_radians
    }
}

/// Symbol and exponent of `m^2`, `m²` or `m`.
fn split_exponent(written: &str) -> Option<(&str, i32)> {
    if let Some((symbol, exponent)) = written.split_once('^') {
        let exponent: i32 = exponent.parse().ok()?;
        return (exponent != 0 && exponent.abs() <= MAX_WRITTEN).then_some((symbol, exponent));
    }
    let raised = [("²", 2), ("³", 3)].iter().find_map(|(sign, n)| Some((written.strip_suffix(sign)?, *n)));
    Some(raised.unwrap_or((written, 1)))
}

fn symbol_of(symbol: &str) -> Option<Symbol> {
    if let Some((_, name, factor, exponents)) = OTHERS.iter().find(|(other, ..)| *other == symbol) {
        return Some(Symbol { name, power: 0, factor: *factor, dimension: Dimension(*exponents) });
    }
    let plain = |symbol: &str, prefix: i32| {
        let (_, name, power, exponents) = PREFIXED.iter().find(|(unit, ..)| *unit == symbol)?;
        Some(Symbol { name, power: power + prefix, factor: 1.0, dimension: Dimension(*exponents) })
    };
    plain(symbol, 0).or_else(|| {
        let mut prefixes = PREFIXES.iter();
        prefixes.find_map(|(prefix, power)| plain(symbol.strip_prefix(prefix)?, *power))
    })
}
