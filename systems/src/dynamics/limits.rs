//! Limits of a continuous state.
//!
//! At a limit the state stays until its rate points inward again, so it does not wind up. The limit that holds the
//! state is a mode of its own (discrete state: -1 lower, 0 free, 1 upper), so that no step of an integrator meets a
//! jump of the derivative:
//!
//! ```text
//! free    ẋ = u            until x passes a limit (witness `limit`); then x is put on it
//! upper   ẋ = min(u, 0)    until u turns inward (witness `turn`): x leaves from the limit; or until x has left with
//!                           u inward all the time (witness `limit`)
//! lower   ẋ = max(u, 0)    likewise
//! ```
//!
//! The rate has a kink where u turns, within a step, so that x may seem to leave a little earlier: u decides, and x is
//! on the limit then. The second witness is for an input that jumps inward at an event, where it crosses nothing. It
//! needs a distance, so that rounding does not count as leaving: [`LIMIT_TOLERANCE`] of the range.

use kinegraph_core::parameter::{self, ParameterError, PerChannel};
use kinegraph_core::port::{Crossing, Witness};
use kinegraph_core::{Context, Ports, Reset, Scalar};

/// Fraction of the range between the limits (of the limit's size, if there is only one) by which the state must move
/// inwards to count as having left a limit.
const LIMIT_TOLERANCE: f64 = 1e-9;

/// Mode of a state with limits.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Mode {
    Lower,
    Free,
    Upper,
}

impl Mode {
    pub fn of(number: f64) -> Self {
        if number > 0.5 {
            Mode::Upper
        } else if number < -0.5 {
            Mode::Lower
        } else {
            Mode::Free
        }
    }

    pub fn number(self) -> f64 {
        match self {
            Mode::Lower => -1.0,
            Mode::Free => 0.0,
            Mode::Upper => 1.0,
        }
    }

    /// The part of `rate` that the mode leaves.
    pub fn hold<S: Scalar>(self, rate: S) -> S {
        let outward = match self {
            Mode::Free => false,
            Mode::Upper => rate.value() > 0.0,
            Mode::Lower => rate.value() < 0.0,
        };
        if outward { S::zero() } else { rate }
    }
}

/// The limits of all continuous states of a block, or none. Their witness functions are the first of the block, two per
/// state; their modes are its first discrete states, one per state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Limits {
    /// Lower and upper limit of each state, infinite for none; empty if no state has any.
    pairs: Vec<(f64, f64)>,
}

impl Limits {
    /// Limits of `n` states, called `lower` and `upper`.
    ///
    /// # Errors
    /// A list that is not n long, a number that is not finite, a lower limit that is not below the upper one.
    pub fn new(lower: Option<PerChannel>, upper: Option<PerChannel>, n: usize) -> Result<Self, ParameterError> {
        if lower.is_none() && upper.is_none() {
            return Ok(Limits::default());
        }
        let lower = lower.map_or(Ok(vec![f64::NEG_INFINITY; n]), |l| l.expand("lower", n))?;
        let upper = upper.map_or(Ok(vec![f64::INFINITY; n]), |u| u.expand("upper", n))?;
        parameter::bounds(parameter::named("lower", &lower), parameter::named("upper", &upper))?;
        Ok(Limits { pairs: lower.into_iter().zip(upper).collect() })
    }

    /// Limits to either side of zero.
    pub fn symmetric(sizes: impl IntoIterator<Item = f64>) -> Self {
        Limits { pairs: sizes.into_iter().map(|size| (-size, size)).collect() }
    }

    /// Declares modes and witness functions.
    pub fn declare(&self, ports: &mut Ports) {
        if !self.pairs.is_empty() {
            ports.discrete_state("mode", vec![Mode::Free.number(); self.pairs.len()]);
        }
        for i in 0..self.pairs.len() {
            ports.witness(format!("limit[{i}]"), Crossing::Rising);
            ports.witness(format!("turn[{i}]"), Crossing::Rising);
        }
    }

    /// Number of witness functions that [`declare`](Self::declare) has declared.
    pub fn witness_count(&self) -> usize {
        2 * self.pairs.len()
    }

    /// The first state that is not within its limits.
    pub fn first_outside(&self, x: &[f64]) -> Option<usize> {
        self.pairs.iter().zip(x).position(|(&(lower, upper), &x)| x < lower || x > upper)
    }

    /// Brings states within their limits.
    pub fn clamp(&self, x: &mut [f64]) {
        for (x, &(lower, upper)) in x.iter_mut().zip(&self.pairs) {
            *x = x.clamp(lower, upper);
        }
    }

    /// Sets outputs that are at a limit by their `modes` to it exactly.
    pub fn put_held<S: Scalar>(&self, modes: &[f64], output: &mut [S]) {
        for ((x, &(lower, upper)), &mode) in output.iter_mut().zip(&self.pairs).zip(modes) {
            match Mode::of(mode) {
                Mode::Lower => *x = S::constant(lower),
                Mode::Free => {}
                Mode::Upper => *x = S::constant(upper),
            }
        }
    }

    /// The witness functions; `rate` gives the rate that each state would have without limits.
    pub fn witnesses(&self, ctx: &Context<f64>, rate: impl Fn(usize) -> f64, values: &mut [f64]) {
        for (i, &(lower, upper)) in self.pairs.iter().enumerate() {
            let x = ctx.continuous[i];
            let slack =
                |limit: f64| LIMIT_TOLERANCE * if (upper - lower).is_finite() { upper - lower } else { limit.abs() };
            let left = |way: f64, inward: f64| (if inward < way { inward } else { way }, inward);
            (values[2 * i], values[2 * i + 1]) = match Mode::of(ctx.discrete[i]) {
                Mode::Free => ((x - upper).max(lower - x), -1.0),
                Mode::Upper => left(upper - slack(upper) - x, -rate(i)),
                Mode::Lower => left(x - lower - slack(lower), rate(i)),
            };
        }
    }

    /// Changes state and mode where a witness function crosses zero; `false` if it is none of the limits.
    pub fn reset(&self, witness: Witness, state: &mut Reset) -> bool {
        let i = witness.index / 2;
        let Some(&(lower, upper)) = self.pairs.get(i) else { return false };
        let (x, held) = (state.continuous[i], Mode::of(state.discrete[i]));
        let near = if x - upper >= lower - x { Mode::Upper } else { Mode::Lower };
        // If x turns and leaves at the same time, the first of both has set it free already.
        let turns = witness.index % 2 == 1;
        let (at, mode) = match held {
            Mode::Free if turns => (near, Mode::Free),
            Mode::Free => (near, near),
            held if turns => (held, Mode::Free),
            _ => (Mode::Free, Mode::Free),
        };
        match at {
            Mode::Upper => state.continuous[i] = upper,
            Mode::Lower => state.continuous[i] = lower,
            Mode::Free => {}
        }
        state.discrete[i] = mode.number();
        true
    }
}
