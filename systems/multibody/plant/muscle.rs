//! The muscle of MuJoCo (documentation, *Muscles*): force over length and velocity.
//!
//! A muscle pulls with `F₀ FL(L) FV(V) a` under the activation a, and passively with `F₀ FP(L)`. Its length l is that
//! of the whole string; the tendon in series is inelastic. With the range of lengths (l₁, l₂) and the same range in
//! units of the optimal length (r₁, r₂): `L₀ = (l₂ - l₁)/(r₂ - r₁)`, `L = r₁ + (l - l₁)/L₀`, `V = l̇/(L₀ v_max)`.
//!
//! FL is a bump of four half parabolas: 0 at l_min, 1/2 half way to 1, 1 at 1, and back to 0 at l_max. FV is `(1 + V)²`
//! from V = -1 to 0, and rises as a parabola to fv_max where `V = fv_max - 1`. FP is 0 up to L = 1, a parabola to
//! fp_max/2 at `b = (1 + l_max)/2`, and a straight line of the same slope from there.

use crate::scene_data::Muscle;
use kinegraph_core::scalar::Scalar;

impl Muscle {
    /// Length and rate in units of the optimal length.
    fn normalized<S: Scalar>(&self, length: S, rate: S) -> (S, S) {
        let optimal = (self.lengths.1 - self.lengths.0) / (self.range.1 - self.range.0);
        let L = S::constant(self.range.0) + (length - S::constant(self.lengths.0)) / S::constant(optimal);
        (L, rate / S::constant(optimal * self.max_velocity))
    }

    /// Force at full activation \[N\]: negative, since it pulls.
    pub fn active<S: Scalar>(&self, length: S, rate: S) -> S {
        let (L, V) = self.normalized(length, rate);
        S::constant(-self.force) * self.over_length(L) * self.over_velocity(V)
    }

    /// Passive force \[N\]: negative, since it pulls.
    pub fn passive<S: Scalar>(&self, length: S) -> S {
        let (L, _) = self.normalized(length, S::zero());
        let width = 0.5 * (1.0 + self.max_length) - 1.0;
        let x = (L - S::one()) / S::constant(width);
        let share = if x.value() <= 0.0 {
            S::zero()
        } else if x.value() <= 1.0 {
            x * x * S::constant(0.5)
        } else {
            x - S::constant(0.5)
        };
        S::constant(-self.force * self.max_passive) * share
    }

    fn over_length<S: Scalar>(&self, L: S) -> S {
        let (least, most) = (self.min_length, self.max_length);
        let (half, one) = (S::constant(0.5), S::one());
        let (end, way, is_outer) = if L.value() <= 1.0 {
            let middle = 0.5 * (least + 1.0);
            if L.value() <= middle {
                (L - S::constant(least), middle - least, true)
            } else {
                (one - L, 1.0 - middle, false)
            }
        } else {
            let middle = 0.5 * (1.0 + most);
            if L.value() <= middle {
                (L - one, middle - 1.0, false)
            } else {
                (S::constant(most) - L, most - middle, true)
            }
        };
        if end.value() < 0.0 {
            return S::zero();
        }
        let x = end / S::constant(way);
        if is_outer { half * x * x } else { one - half * x * x }
    }

    fn over_velocity<S: Scalar>(&self, V: S) -> S {
        let most = self.max_lengthening;
        let end = most - 1.0;
        if V.value() <= -1.0 {
            S::zero()
        } else if V.value() <= 0.0 {
            (V + S::one()) * (V + S::one())
        } else if V.value() <= end {
            let left = S::constant(end) - V;
            S::constant(most) - left * left / S::constant(end)
        } else {
            S::constant(most)
        }
    }
}
