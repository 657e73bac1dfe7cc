//! The impulse of a cone that is nearest to another, where normal and tangents have a compliance each.
//!
//! ```text
//! γ = argmin 1/2 (γ - y)' R (γ - y),   |γt| <= μ γn,   R = diag(Rn, Rt, Rt, …)
//! μ_hat = μ Rt/Rn,   f = 1/(1 + μ μ_hat),   t = yt/|yt|
//!
//! within   |yt| <= μ yn          γ = y
//! surface  -μ_hat |yt| < yn      γn = f (yn + μ_hat |yt|),   γt = μ γn t
//! apex     otherwise             γ = 0
//! ```
//!
//! the projection of [`sap`](crate::solvers::sap), for two tangents or three.

/// A friction coefficient below this is none.
const SMOOTH: f64 = 1e-12;

/// Normal and tangents.
pub(super) type Impulse = [f64; 4];

/// A cone of friction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cone {
    pub friction: f64,
    /// Compliances along the normal and the tangents.
    pub compliance: (f64, f64),
}

impl Cone {
    /// The nearest impulse to `y`, and its derivative by `R y`. Tangents that a contact has not are zero.
    pub fn project(&self, y: &Impulse) -> (Impulse, [[f64; 4]; 4]) {
        let Cone { friction: mu, compliance: (rn, rt) } = *self;
        let (mut out, mut slope) = ([0.0; 4], [[0.0; 4]; 4]);
        if mu <= SMOOTH {
            if y[0] > 0.0 {
                (out[0], slope[0][0]) = (y[0], 1.0 / rn);
            }
            return (out, slope);
        }
        let length = (y[1] * y[1] + y[2] * y[2] + y[3] * y[3]).sqrt();
        if length <= mu * y[0] {
            slope[0][0] = 1.0 / rn;
            (1..4).for_each(|i| slope[i][i] = 1.0 / rt);
            return (*y, slope);
        }
        let steepness = mu * rt / rn;
        if -steepness * length >= y[0] {
            return (out, slope);
        }
        let share = 1.0 / (1.0 + mu * steepness);
        let normal = share * (y[0] + steepness * length);
        let (across, along) = (mu * normal / length / rt, mu * steepness * share / rt);
        out[0] = normal;
        slope[0][0] = share / rn;
        for i in 1..4 {
            let t = y[i] / length;
            out[i] = mu * normal * t;
            (slope[0][i], slope[i][0]) = (mu * share * t / rn, mu * share * t / rn);
            for k in 1..4 {
                slope[i][k] = (along - across) * t * y[k] / length;
            }
            slope[i][i] += across;
        }
        (out, slope)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// It is where no other impulse of the cone is nearer, and its slope is that of differences.
    #[test]
    fn it_is_the_nearest_and_changes_as_it_says() {
        let cone = Cone { friction: 0.6, compliance: (0.3, 0.7) };
        let distance = |g: &Impulse, y: &Impulse| {
            let tangents: f64 = (1..4).map(|i| (g[i] - y[i]).powi(2)).sum();
            0.3 * (g[0] - y[0]).powi(2) + 0.7 * tangents
        };
        let mut surfaces = 0;
        for seed in 0..200 {
            let number = |k: usize| ((seed * 4 + k) as f64 * 12.9898).sin();
            let y = [0, 1, 2, 3].map(number);
            let (found, slope) = cone.project(&y);
            let length = (found[1].powi(2) + found[2].powi(2) + found[3].powi(2)).sqrt();
            assert!(length <= 0.6 * found[0] + 1e-12);
            surfaces += usize::from(length > 0.0 && found != y);
            for other in 0..50 {
                let s = [1, 2, 3].map(|k| ((other * 3 + k) as f64 * 78.233).sin());
                let size = (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]).sqrt();
                let normal = f64::from(other as u32) / 25.0;
                let part = 0.6 * normal / size.max(1.0);
                let other = [normal, s[0] * part, s[1] * part, s[2] * part];
                assert!(distance(&other, &y) >= distance(&found, &y) - 1e-12);
            }
            for k in 0..4 {
                let r = if k == 0 { 0.3 } else { 0.7 };
                let near = |sign: f64| {
                    let mut y = y;
                    y[k] += sign * 1e-7 / r;
                    cone.project(&y).0
                };
                let (more, less) = (near(1.0), near(-1.0));
                for i in 0..4 {
                    assert!(((more[i] - less[i]) / 2e-7 - slope[i][k]).abs() < 1e-5, "{y:?}");
                }
            }
        }
        assert!(surfaces > 50);
        assert_eq!(Cone { friction: 0.0, ..cone }.project(&[2.0, 1.0, 0.0, 0.0]).0, [2.0, 0.0, 0.0, 0.0]);
    }
}
