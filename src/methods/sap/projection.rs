//! The potential of one contact point: the cost of projecting onto Coulomb's cone.
//!
//! With the relative velocity vc (B relative to A), its normal part vn > 0 separating and its tangential part vt, and
//! the compliances R of the impulse along the normal and the surface,
//!
//! ```text
//! y = R^-1 (v_hat - vc),   y_r = sqrt(|y_t|² + ε²),   t = y_t/y_r
//! μ_hat = μ R_t/R_n,   f = 1/(1 + μ μ_hat)
//!
//! stick:  y_r <= μ y_n           γ = y
//! slide:  -μ_hat y_r < y_n       γ_n = f (y_n + μ_hat y_r),   γ_t = μ γ_n t
//! none:   otherwise              γ = 0
//! cost = 1/2 γ' R γ
//! ```
//!
//! γ is the impulse of the cone that is nearest to y in R, minus the gradient of the cost, and continuous in vc
//! \[Castro et al. 2022, An Unconstrained Convex Formulation of Compliant Contact, sec. III\]. All terms use the normal
//! alone, so that nothing depends on the choice of tangents.

use kinegraph_core::Scalar;
use nalgebra::{Matrix3, Vector3};

/// Regularizes the direction of y_t \[N s\].
const SOFTNESS: f64 = 1e-7; // method
/// A friction coefficient below this counts as zero.
const SMOOTH: f64 = 1e-12; // rounding

/// Region of the law at a contact point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// Within the cone of friction: sticking.
    Stick,
    /// On its surface: sliding.
    Slide,
    /// Apart: no impulse.
    None,
}

/// The law of one contact point within one solve.
#[derive(Clone, Copy, Debug)]
pub struct ConeLaw {
    /// Unit normal from A into B.
    pub normal: Vector3<f64>,
    /// Friction coefficient μ.
    pub friction: f64,
    /// Compliance R_n of the normal impulse \[1/kg\].
    pub normal_compliance: f64,
    /// Compliance R_t of friction that sticks \[1/kg\].
    pub tangential_compliance: f64,
    /// Normal velocity v_hat at which the impulse vanishes \[m/s\].
    pub target: f64,
    /// `μ R_t/R_n`, and `f`.
    slope: f64,
    share: f64,
}

/// Terms of the law at one velocity.
struct At<S: Scalar> {
    yn: S,
    yt: Vector3<S>,
    yr: S,
    region: Region,
}

impl ConeLaw {
    /// Creates the law with these compliances and target.
    pub fn new(
        normal: Vector3<f64>,
        friction: f64,
        [normal_compliance, tangential_compliance]: [f64; 2],
        target: f64,
    ) -> Self {
        let friction = if friction > SMOOTH { friction } else { 0.0 };
        let slope = friction * tangential_compliance / normal_compliance;
        let share = 1.0 / (1.0 + friction * slope);
        ConeLaw { normal, friction, normal_compliance, tangential_compliance, target, slope, share }
    }

    #[inline]
    fn at<S: Scalar>(&self, vc: &Vector3<S>) -> At<S> {
        let n = self.normal.map(S::constant);
        let vn = n.dot(vc);
        let yt = (n * vn - vc) * S::constant(1.0 / self.tangential_compliance);
        let yn = (S::constant(self.target) - vn) * S::constant(1.0 / self.normal_compliance);
        let yr = (yt.dot(&yt) + S::constant(SOFTNESS * SOFTNESS)).sqrt();
        let region = if yr.value() <= self.friction * yn.value() {
            Region::Stick
        } else if -self.slope * yr.value() < yn.value() {
            Region::Slide
        } else {
            Region::None
        };
        At { yn, yt, yr, region }
    }

    /// Region at `vc`.
    pub fn region(&self, vc: &Vector3<f64>) -> Region {
        self.at(vc).region
    }

    /// The potential \[J\].
    pub fn cost<S: Scalar>(&self, vc: &Vector3<S>) -> S {
        let gamma = self.impulse(vc);
        let n = self.normal.map(S::constant);
        let normal = n.dot(&gamma);
        let friction = gamma - n * normal;
        normal * normal * S::constant(0.5 * self.normal_compliance)
            + friction.dot(&friction) * S::constant(0.5 * self.tangential_compliance)
    }

    /// The impulse on B \[N s\].
    #[inline]
    pub fn impulse<S: Scalar>(&self, vc: &Vector3<S>) -> Vector3<S> {
        let At { yn, yt, yr, region } = self.at(vc);
        let n = self.normal.map(S::constant);
        match region {
            Region::Stick => yt + n * yn,
            Region::Slide => {
                let normal = S::constant(self.share) * (yn + S::constant(self.slope) * yr);
                n * normal + yt * (S::constant(self.friction) * normal / yr)
            }
            Region::None => Vector3::zeros(),
        }
    }

    /// Impulse on B and Hessian of the cost, positive semidefinite \[N s\], \[kg\].
    #[inline]
    pub fn impulse_and_hessian(&self, vc: &Vector3<f64>) -> (Vector3<f64>, Matrix3<f64>) {
        let At { yn, yt, yr, region } = self.at(vc);
        let n = self.normal;
        let (stiff_n, stiff_t) = (1.0 / self.normal_compliance, 1.0 / self.tangential_compliance);
        let nn = n * n.transpose();
        match region {
            Region::Stick => (yt + n * yn, Matrix3::from_diagonal_element(stiff_t) + nn * (stiff_n - stiff_t)),
            Region::Slide => {
                let (f, mu) = (self.share, self.friction);
                let normal = f * (yn + self.slope * yr);
                let t = yt / yr;
                let across = mu * normal / yr * stiff_t;
                let along = mu * self.slope * f * stiff_t;
                let mut hessian = t * t.transpose() * (along - across) + nn * (f * stiff_n - across);
                let between = t * n.transpose() * (mu * f * stiff_n);
                hessian += between + between.transpose();
                (0..3).for_each(|i| hessian[(i, i)] += across);
                (n * normal + t * (mu * normal), hessian)
            }
            Region::None => (Vector3::zeros(), Matrix3::zeros()),
        }
    }

    /// Slope and curvature of the cost at `vc` along `uc`.
    #[inline]
    pub fn along(&self, vc: &Vector3<f64>, uc: &Vector3<f64>) -> (f64, f64) {
        let At { yn, yt, yr, region } = self.at(vc);
        if region == Region::None {
            return (0.0, 0.0);
        }
        let un = self.normal.dot(uc);
        let ut = uc.norm_squared() - un * un;
        let (stiff_n, stiff_t) = (1.0 / self.normal_compliance, 1.0 / self.tangential_compliance);
        if region == Region::Stick {
            return (-(yt.dot(uc) + yn * un), ut * stiff_t + un * un * stiff_n);
        }
        let (f, mu) = (self.share, self.friction);
        let normal = f * (yn + self.slope * yr);
        let along = yt.dot(uc) / yr;
        let across = mu * normal / yr * stiff_t * (ut - along * along);
        let own = f * stiff_n * (mu * along + un).powi(2);
        (-normal * (mu * along + un), across.max(0.0) + own)
    }
}
