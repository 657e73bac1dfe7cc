//! The muscle of MuJoCo (documentation, *Muscles*): force over length and velocity.
//!
//! A muscle pulls with `F₀ FL(L) FV(V) a` under the activation a, and passively with `F₀ FP(L)`. Its length l is that
//! of the whole string; the tendon in series is inelastic. With the range of lengths (l₁, l₂) and the same in units of
//! the optimal length (r₁, r₂): `L₀ = (l₂ - l₁)/(r₂ - r₁)`, `L = r₁ + (l - l₁)/L₀`, `V = l̇/(L₀ v_max)`.
//!
//! FL is a bump of four half parabolas: 0 at l_min, 1/2 half way to 1, 1 at 1, and back to 0 at l_max. FV is `(1 + V)²`
//! from V = -1 to 0, and rises as a parabola to fv_max where `V = fv_max - 1`. FP is 0 up to L = 1, a parabola to
//! fp_max/2 at `b = (1 + l_max)/2`, and a straight line of the same slope from there.

use crate::multibody::scene_data::Muscle;
use crate::scalar::Scalar;

impl Muscle {
    /// Length and rate in units of the optimal length.
    fn normalized<S: Scalar>(&self, length: S, rate: S) -> (S, S) {
        let optimal = (self.lengths.1 - self.lengths.0) / (self.range.1 - self.range.0);
        let L = S::constant(self.range.0) + (length - S::constant(self.lengths.0)) / S::constant(optimal);
        (L, rate / S::constant(optimal * self.max_velocity))
    }

    /// The force for a full activation: negative, since it pulls \[N\].
    pub(super) fn active<S: Scalar>(&self, length: S, rate: S) -> S {
        let (L, V) = self.normalized(length, rate);
        S::constant(-self.force) * self.over_length(L) * self.over_velocity(V)
    }

    /// The force without an activation: negative, since it pulls \[N\].
    pub(super) fn passive<S: Scalar>(&self, length: S) -> S {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::{partial, seed};

    fn muscle() -> Muscle {
        Muscle {
            force: 100.0,
            lengths: (0.2, 0.35),
            range: (0.75, 1.05),
            min_length: 0.5,
            max_length: 1.6,
            max_velocity: 1.5,
            max_passive: 1.3,
            max_lengthening: 1.2,
        }
    }

    /// The optimal length is half a metre here: l = 0.2 + (L - 0.75)/2.
    #[test]
    fn its_curves_have_their_corners() {
        let m = muscle();
        let at = |L: f64| 0.2 + (L - 0.75) * 0.5;
        for (L, share) in [(0.5, 0.0), (0.75, 0.5), (1.0, 1.0), (1.3, 0.5), (1.6, 0.0), (0.4, 0.0), (1.7, 0.0)] {
            assert!((m.active(at(L), 0.0) + 100.0 * share).abs() < 1e-10, "{L}");
        }
        for (V, share) in [(-1.0, 0.0), (-2.0, 0.0), (-0.5, 0.25), (0.0, 1.0), (0.2, 1.2), (1.0, 1.2)] {
            assert!((m.active(at(1.0), V * 0.75) + 100.0 * share).abs() < 1e-10, "{V}");
        }
        for (L, share) in [(0.9, 0.0), (1.0, 0.0), (1.3, 0.65), (1.6, 1.95)] {
            assert!((m.passive(at(L)) + 100.0 * share).abs() < 1e-10, "{L}");
        }
    }

    /// No jumps of force or slope anywhere: neighbours differ by their slope.
    #[test]
    fn force_and_slope_are_continuous() {
        let m = muscle();
        for i in 0..2000 {
            let (l, h) = (0.05 + 3e-4 * f64::from(i), 1e-7);
            for f in [|m: &Muscle, l| m.active(l, seed(0.1, 1, 1.0)), |m: &Muscle, l| m.passive(l)] {
                let (a, b) = (f(&m, seed(l, 0, 1.0)), f(&m, seed(l + h, 0, 1.0)));
                let slope = 0.5 * (partial(&a, 0) + partial(&b, 0));
                assert!((b.value() - a.value() - h * slope).abs() < 1e-9, "at {l}");
                assert!((partial(&a, 0) - partial(&b, 0)).abs() < 1e-3, "at {l}");
            }
        }
    }
}
