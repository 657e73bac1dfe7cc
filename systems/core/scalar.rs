//! The two scalars of block mathematics: plain `f64` values and [`Jet`]s, which carry partial derivatives.
//!
//! Block methods are generic over [`Scalar`], parameters stay `f64`. Exactly two scalars are
//! instantiated, so that a diagram can store a block behind one object-safe trait without ever
//! converting the block itself.

use nalgebra::RealField;
use num_dual::DualSVec64;

/// Number of partial derivatives of one [`Jet`]; a Jacobian with more columns loops over chunks of this width.
pub const JET_WIDTH: usize = 7;

/// A value with [`JET_WIDTH`] partial derivatives (forward-mode dual number, `Copy`).
pub type Jet = DualSVec64<JET_WIDTH>;

/// The number type of block mathematics: `f64` or [`Jet`].
///
/// All of nalgebra's real-field functions (`sin`, `sqrt`, `powi`, …) are available through [`RealField`].
/// Comparisons look at the value only, so a branch follows the same path for both scalars.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a scalar",
    label = "expected `f64` or `Jet`",
    note = "the mathematics of blocks runs on `f64` and on `Jet`, which carries derivatives"
)]
pub trait Scalar: RealField + Copy {
    /// True if the scalar carries partial derivatives.
    const HAS_PARTIALS: bool;
    /// A constant: a parameter of the block, with all partial derivatives zero.
    fn constant(value: f64) -> Self;
    /// The value without its derivatives.
    fn value(self) -> f64;
    /// The partial derivatives; all zero for a plain number.
    fn partials(self) -> [f64; JET_WIDTH];
    /// A value with partial derivatives, which a plain number drops.
    fn with_partials(value: f64, partials: &[f64; JET_WIDTH]) -> Self;
}

impl Scalar for f64 {
    const HAS_PARTIALS: bool = false;
    fn constant(value: f64) -> Self {
        value
    }
    fn value(self) -> f64 {
        self
    }
    fn partials(self) -> [f64; JET_WIDTH] {
        [0.0; JET_WIDTH]
    }
    fn with_partials(value: f64, _partials: &[f64; JET_WIDTH]) -> Self {
        value
    }
}

impl Scalar for Jet {
    const HAS_PARTIALS: bool = true;
    fn constant(value: f64) -> Self {
        Jet::from_re(value)
    }
    fn value(self) -> f64 {
        self.re
    }
    fn partials(self) -> [f64; JET_WIDTH] {
        self.eps.0.map_or([0.0; JET_WIDTH], |eps| eps.into())
    }
    fn with_partials(value: f64, partials: &[f64; JET_WIDTH]) -> Self {
        Jet::new(value, num_dual::Derivative::some((*partials).into()))
    }
}

/// Seed of a derivative: the jet of `value` with partial derivative `slope` in `direction` and zero in all others.
pub fn seed(value: f64, direction: usize, slope: f64) -> Jet {
    let mut eps = nalgebra::SVector::<f64, JET_WIDTH>::zeros();
    eps[direction] = slope;
    Jet::new(value, num_dual::Derivative::some(eps))
}

/// tanh x. nalgebra computes that of jets as sinh x/cosh x, which is NaN from 711 on.
pub fn tanh<S: Scalar>(x: S) -> S {
    let y = x.value().tanh();
    S::with_partials(y, &x.partials().map(|slope| slope * (1.0 - y * y)))
}

/// The partial derivative of `jet` in `direction` (zero for a constant).
pub fn partial(jet: &Jet, direction: usize) -> f64 {
    jet.eps.0.map_or(0.0, |eps| eps[direction])
}
