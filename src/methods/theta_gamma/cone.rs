//! Projection of an impulse onto a cone, with separate compliances of normal and tangents.
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
//! the projection of [`sap`](crate::sap), for two tangents or three.

/// A friction coefficient below this counts as zero.
const SMOOTH: f64 = 1e-12; // rounding

/// Normal and tangents.
pub type Impulse = [f64; 4];

/// A cone of friction.
#[derive(Clone, Copy, Debug)]
pub struct Cone {
    pub friction: f64,
    /// Compliances along the normal and the tangents.
    pub compliance: (f64, f64),
}

impl Cone {
    /// Nearest impulse to `y`, and its derivative with respect to `R y`. Unused tangents of a contact are zero.
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
