//! Elementary functions of one and of two numbers, by name: for the blocks `Function` and `BinaryFunction` and for
//! expressions.

use kinegraph_core::Scalar;
use kinegraph_core::scalar::tanh;

macro_rules! functions {
    ($(#[$doc:meta])* $kind:ident { $($variant:ident $name:literal: $about:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $kind {
            $(#[doc = $about] $variant,)*
        }
        impl $kind {
            /// All functions with their names.
            pub const NAMES: &'static [(&'static str, $kind)] = &[$(($name, $kind::$variant)),*];

            /// The function of this name.
            pub fn named(name: &str) -> Option<Self> {
                Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, function)| *function)
            }
        }
    };
}

functions! {
    /// A function of one number. Outside of its domain the value is not finite (`sqrt(-1)`).
    Elementary {
        Sin "sin": "Sine of an angle in rad.",
        Cos "cos": "Cosine of an angle in rad.",
        Tan "tan": "Tangent of an angle in rad.",
        Asin "asin": "Inverse sine, in rad.",
        Acos "acos": "Inverse cosine, in rad.",
        Atan "atan": "Inverse tangent, in rad.",
        Sinh "sinh": "Hyperbolic sine.",
        Cosh "cosh": "Hyperbolic cosine.",
        Tanh "tanh": "Hyperbolic tangent.",
        Exp "exp": "Power of e.",
        Log "log": "Natural logarithm.",
        Log10 "log10": "Logarithm to base 10.",
        Sqrt "sqrt": "Square root.",
        Abs "abs": "Absolute value; its derivative at 0 is 1.",
        Sign "sign": "-1, 0 or 1; its derivative is 0.",
        Square "square": "Square.",
        Reciprocal "reciprocal": "1/x.",
        Floor "floor": "Largest whole number not above x; its derivative is 0.",
        Ceil "ceil": "Smallest whole number not below x; its derivative is 0.",
        Round "round": "Nearest whole number, halves away from zero; its derivative is 0.",
    }
}

functions! {
    /// A function of two numbers a and b.
    Binary {
        Atan2 "atan2": "Angle of the point (b, a) from the x-axis, in rad: a is the y-coordinate.",
        Hypot "hypot": "√(a² + b²).",
        Min "min": "The smaller one.",
        Max "max": "The larger one.",
        Power "power": "a to the power b, for a > 0 (or whole b in expressions).",
    }
}

impl Elementary {
    /// True if it has all derivatives within its domain.
    pub fn is_smooth(self) -> bool {
        use Elementary::*;
        !matches!(self, Abs | Sign | Floor | Ceil | Round)
    }

    /// True if its slope jumps at zero.
    pub fn bends(self) -> bool {
        self == Elementary::Abs
    }

    /// The first argument between two values, in this direction, at which it has a kink or a jump.
    pub(super) fn next_kink(self, way: (f64, f64)) -> Option<f64> {
        use Elementary::*;
        match self {
            Abs | Sign => (way.0 < 0.0 && way.1 >= 0.0 || way.0 > 0.0 && way.1 <= 0.0).then_some(0.0),
            Floor | Ceil => next_step(0.0, way),
            Round => next_step(0.5, way),
            _ => None,
        }
    }

    /// The function's value.
    pub fn apply<S: Scalar>(self, x: S) -> S {
        use Elementary::*;
        let staircase = |f: fn(f64) -> f64| S::constant(f(x.value()));
        match self {
            Sin => x.sin(),
            Cos => x.cos(),
            Tan => x.tan(),
            Asin => x.asin(),
            Acos => x.acos(),
            Atan => x.atan(),
            Sinh => x.sinh(),
            Cosh => x.cosh(),
            Tanh => tanh(x),
            Exp => x.exp(),
            Log => x.ln(),
            Log10 => x.log10(),
            Sqrt => x.sqrt(),
            Abs => x.abs(),
            Sign => staircase(|x| if x == 0.0 { 0.0 } else { x.signum() }),
            Square => x * x,
            Reciprocal => S::one() / x,
            Floor => staircase(f64::floor),
            Ceil => staircase(f64::ceil),
            Round => staircase(f64::round),
        }
    }
}

impl Binary {
    /// True if it has all derivatives within its domain.
    pub fn is_smooth(self) -> bool {
        !matches!(self, Binary::Min | Binary::Max)
    }

    /// True if its slope jumps where its arguments are equal.
    pub fn bends(self) -> bool {
        matches!(self, Binary::Min | Binary::Max)
    }

    /// The function's value.
    pub fn apply<S: Scalar>(self, a: S, b: S) -> S {
        match self {
            Binary::Atan2 => a.atan2(b),
            Binary::Hypot => a.hypot(b),
            Binary::Min => a.min(b),
            Binary::Max => a.max(b),
            Binary::Power => a.powf(b),
        }
    }
}

/// The first of two levels (the lower one given first) that is met between two numbers, in this direction, the end
/// included.
pub(super) fn next_bound([lower, upper]: [f64; 2], (from, to): (f64, f64)) -> Option<f64> {
    let met = |level: f64| from < level && to >= level || from > level && to <= level;
    let [near, far] = if to > from { [lower, upper] } else { [upper, lower] };
    [near, far].into_iter().find(|&level| met(level))
}

/// The first number between two, in this direction, that lies `beyond` a whole number.
pub(super) fn next_step(beyond: f64, (from, to): (f64, f64)) -> Option<f64> {
    if !from.is_finite() {
        return Some(beyond);
    }
    let way = if to > from { 1.0 } else { -1.0 };
    let mut next = way * ((way * (from - beyond)).floor() + 1.0) + beyond;
    // Rounding may leave it where it was.
    if way * (next - from) <= 0.0 {
        next += way;
    }
    (way * (to - next) >= 0.0).then_some(next)
}
