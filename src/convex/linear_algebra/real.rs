//! Floating-point numbers of factors: `f64`, and `f32` for half the memory and half the digits.

use faer::traits::RealField;
use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// A floating-point number.
pub trait RealScalar:
    RealField
    + Copy
    + Default
    + Debug
    + PartialOrd
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
    + 'static
{
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;
    /// Value larger than all others.
    const LARGEST: Self;
    /// Number nearest to `value`.
    fn nearest(value: f64) -> Self;
    /// This number with the digits of `f64`.
    fn value(self) -> f64;
    /// Square root.
    fn root(self) -> Self;

    /// Sets `target` to the `count` numbers that `write` makes of any numbers; `scratch` is memory for numbers of
    /// another kind.
    fn write(target: &mut Vec<Self>, scratch: &mut Vec<f64>, count: usize, write: impl FnOnce(&mut [f64]));
}

impl RealScalar for f64 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    const LARGEST: Self = f64::INFINITY;

    #[inline(always)]
    fn nearest(value: f64) -> Self {
        value
    }
    #[inline(always)]
    fn value(self) -> f64 {
        self
    }
    #[inline(always)]
    fn root(self) -> Self {
        self.sqrt()
    }
    #[inline(always)]
    fn write(target: &mut Vec<Self>, _scratch: &mut Vec<f64>, count: usize, write: impl FnOnce(&mut [f64])) {
        target.resize(count, 0.0);
        write(target);
    }
}

impl RealScalar for f32 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    const LARGEST: Self = f32::INFINITY;

    #[inline(always)]
    fn nearest(value: f64) -> Self {
        value as f32
    }
    #[inline(always)]
    fn value(self) -> f64 {
        f64::from(self)
    }
    #[inline(always)]
    fn root(self) -> Self {
        self.sqrt()
    }
    fn write(target: &mut Vec<Self>, scratch: &mut Vec<f64>, count: usize, write: impl FnOnce(&mut [f64])) {
        scratch.resize(count, 0.0);
        write(scratch);
        target.clear();
        target.extend(scratch.iter().map(|x| *x as f32));
    }
}
