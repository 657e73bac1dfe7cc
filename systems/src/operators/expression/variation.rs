//! Rate of change of an expression with time: bounds of its parts and of their rates over an interval of time.
//!
//! Each function of one number makes waves or transitions as fast as its argument changes: the sine of an argument with
//! the rate w has the period 2 pi/w, and exp, tanh and quotients change within about that time where they are not flat.
//! Inputs count as held: the blocks that drive them state how fast they change.

use super::program::{Instruction, Program};
use crate::operators::{Binary, Elementary};
use kinegraph_core::TimeVariation;

/// Lower and upper bound of a number.
type Bounds = [f64; 2];

/// Bounds of any number.
const ALL: Bounds = [f64::NEG_INFINITY, f64::INFINITY];
/// Arguments beyond this lie where a transition is flat.
const FLAT: f64 = 40.0;

/// A part of an expression: bounds of its value and of its rate.
#[derive(Clone, Copy)]
struct Part {
    value: Bounds,
    rate: Bounds,
}

fn hull(numbers: &[f64]) -> Bounds {
    if numbers.iter().any(|x| x.is_nan()) {
        return ALL;
    }
    [numbers.iter().copied().fold(f64::INFINITY, f64::min), numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max)]
}

fn add(a: Bounds, b: Bounds) -> Bounds {
    hull(&[a[0] + b[0], a[1] + b[1]])
}

fn negative(a: Bounds) -> Bounds {
    [-a[1], -a[0]]
}

fn times(a: Bounds, b: Bounds) -> Bounds {
    // A product with zero is zero, however large the other factor may be.
    if a == [0.0; 2] || b == [0.0; 2] {
        return [0.0; 2];
    }
    hull(&[a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1]])
}

fn largest(a: Bounds) -> f64 {
    a[0].abs().max(a[1].abs())
}

/// The least absolute value.
fn least(a: Bounds) -> f64 {
    if a[0] <= 0.0 && a[1] >= 0.0 { 0.0 } else { a[0].abs().min(a[1].abs()) }
}

fn inverse(a: Bounds) -> Bounds {
    if least(a) == 0.0 { ALL } else { hull(&[1.0 / a[0], 1.0 / a[1]]) }
}

/// Bounds of the rate relative to the value.
fn relative(part: Part) -> f64 {
    let rate = largest(part.rate);
    if rate == 0.0 { 0.0 } else { rate / least(part.value) }
}

impl Part {
    fn constant(value: f64) -> Self {
        Part { value: [value; 2], rate: [0.0; 2] }
    }

    fn product(self, other: Part) -> Self {
        let rate = add(times(self.rate, other.value), times(self.value, other.rate));
        Part { value: times(self.value, other.value), rate }
    }

    fn inverse(self) -> Self {
        let value = inverse(self.value);
        Part { value, rate: negative(times(self.rate, times(value, value))) }
    }

    fn power(self, exponent: i32) -> Self {
        let [a, b] = self.value;
        let to = |exponent: i32| match exponent {
            0 => [1.0; 2],
            n if n < 0 && least([a, b]) == 0.0 => ALL,
            n if n % 2 == 0 && least([a, b]) == 0.0 => [0.0, largest([a, b]).powi(n)],
            n => hull(&[a.powi(n), b.powi(n)]),
        };
        let rate = times([f64::from(exponent); 2], times(to(exponent - 1), self.rate));
        Part { value: to(exponent), rate: if exponent == 0 { [0.0; 2] } else { rate } }
    }

    /// Bounds of a function of this part, and the angular frequency that the function makes of the rate.
    fn function(self, function: Elementary) -> (Self, f64) {
        use Elementary::*;
        let Part { value, rate } = self;
        let ends = hull(&[function.apply(value[0]), function.apply(value[1])]);
        let by = |slope: Bounds, value: Bounds| Part { value, rate: times(slope, rate) };
        let is_flat = value[0] > FLAT || value[1] < -FLAT;
        match function {
            Sin | Cos => (by([-1.0, 1.0], [-1.0, 1.0]), largest(rate)),
            Exp => (by(ends, ends), if value[1] < -FLAT { 0.0 } else { largest(rate) }),
            Tanh => (by([0.0, if is_flat { 0.0 } else { 1.0 }], ends), if is_flat { 0.0 } else { largest(rate) }),
            Atan => (by([0.0, 1.0], ends), if is_flat { relative(self) } else { largest(rate) }),
            Abs => (by([-1.0, 1.0], [least(value), largest(value)]), 0.0),
            Square => (self.power(2), 0.0),
            Reciprocal => (self.inverse(), relative(self)),
            Sqrt => (by(times([0.5; 2], inverse(ends)), ends), relative(self)),
            Log | Log10 => (by(inverse(value), ends), relative(self)),
            Sign => (Part { value: [-1.0, 1.0], rate: [0.0; 2] }, 0.0),
            // One jump per whole number.
            Floor | Ceil | Round => (Part { value: ends, rate: [0.0; 2] }, std::f64::consts::TAU * largest(rate)),
            Tan | Asin | Acos | Sinh | Cosh => (by(ALL, ALL), largest(rate)),
        }
    }

    /// Bounds of a function of this part and `other`, and the angular frequency that it makes of their rates.
    fn binary(self, function: Binary, other: Part) -> (Self, f64) {
        let rate = hull(&[self.rate[0], self.rate[1], other.rate[0], other.rate[1]]);
        match function {
            Binary::Min | Binary::Max => {
                (Part { value: hull(&[self.value[0], self.value[1], other.value[0], other.value[1]]), rate }, 0.0)
            }
            Binary::Hypot => {
                let most = largest(self.rate) + largest(other.rate);
                (Part { value: ALL, rate: [-most, most] }, 0.0)
            }
            Binary::Atan2 | Binary::Power => {
                let is_held = rate == [0.0; 2];
                let frequency = relative(self).min(f64::MAX) + largest(other.rate);
                (Part { value: ALL, rate: if is_held { rate } else { ALL } }, if is_held { 0.0 } else { frequency })
            }
        }
    }
}

/// The faster of two variations; unknown counts as the fastest.
pub(crate) fn faster(one: TimeVariation, other: TimeVariation) -> TimeVariation {
    match (one, other) {
        (TimeVariation::Unknown, _) | (_, TimeVariation::Unknown) => TimeVariation::Unknown,
        (TimeVariation::Steady, other) => other,
        (one, TimeVariation::Steady) => one,
        (TimeVariation::Period(a), TimeVariation::Period(b)) => TimeVariation::Period(a.min(b)),
    }
}

impl Program {
    /// Rate of change of the expression between two times \[s\], with its inputs held.
    pub fn variation(&self, (from, to): (f64, f64)) -> TimeVariation {
        let mut stack: Vec<Part> = Vec::new();
        let (mut fastest, mut reads_time) = (0.0_f64, false);
        for &instruction in self.instructions() {
            use Instruction::*;
            let mut pop = || stack.pop().unwrap_or(Part::constant(0.0));
            let (part, frequency) = match instruction {
                Number(value) => (Part::constant(value), 0.0),
                Time => {
                    reads_time = true;
                    (Part { value: [from, to], rate: [1.0; 2] }, 0.0)
                }
                Input(..) => (Part { value: ALL, rate: [0.0; 2] }, 0.0),
                Negate => {
                    let Part { value, rate } = pop();
                    (Part { value: negative(value), rate: negative(rate) }, 0.0)
                }
                WholePower(exponent) => {
                    let base = pop();
                    (base.power(exponent), if exponent < 0 { relative(base) } else { 0.0 })
                }
                Unary(function) => pop().function(function),
                // A condition jumps like a sign.
                Not => {
                    let _ = pop();
                    (Part { value: [0.0, 1.0], rate: [0.0; 2] }, 0.0)
                }
                Compare(..) | And | Or => {
                    let _ = (pop(), pop());
                    (Part { value: [0.0, 1.0], rate: [0.0; 2] }, 0.0)
                }
                If => {
                    let (c, b, _) = (pop(), pop(), pop());
                    let of = |b: Bounds, c: Bounds| hull(&[b[0], b[1], c[0], c[1]]);
                    (Part { value: of(b.value, c.value), rate: of(b.rate, c.rate) }, 0.0)
                }
                _ => {
                    let b = pop();
                    let a = pop();
                    match instruction {
                        Multiply => (a.product(b), 0.0),
                        Divide => (a.product(b.inverse()), relative(b)),
                        Binary(function) => a.binary(function, b),
                        _ => {
                            let negated = Part { value: negative(b.value), rate: negative(b.rate) };
                            let b = if instruction == Add { b } else { negated };
                            (Part { value: add(a.value, b.value), rate: add(a.rate, b.rate) }, 0.0)
                        }
                    }
                }
            };
            fastest = fastest.max(if frequency.is_nan() { f64::INFINITY } else { frequency });
            stack.push(part);
        }
        match fastest {
            _ if !reads_time => TimeVariation::Steady,
            f64::INFINITY => TimeVariation::Unknown,
            _ => TimeVariation::of_frequency(fastest),
        }
    }
}
