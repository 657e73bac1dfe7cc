//! Compliances and targets of contact points.
//!
//! ```text
//! R_n = max(β²/(4π²) w, 1/(h k (h + τ))),   R_t = σ w,   v_hat = -φ0/(h + τ)
//! ```
//!
//! The second term of R_n is an implicit spring of stiffness k with the relaxation time τ. The first one is that of a
//! spring whose period is β times the step: a stiffer contact is near-rigid, and yields as little as the step can
//! resolve. Sticking contacts creep by `R_t |f_t| h`.

use super::options::SolverOptions;
use super::projection::ConeLaw;
use super::weights::Weight;
use kinegraph_convex::contact::ContactRow;
use std::f64::consts::PI;

/// Lower bound of effective weights \[1/kg\].
const LEAST_WEIGHT: f64 = 1e-12; // rounding
/// Lower bound of compliances \[1/kg\].
const LEAST_COMPLIANCE: f64 = 1e-30; // rounding

/// Law of a contact point in a step of length `h`.
pub(super) fn law(pair: &ContactRow, weight: &Weight, options: &SolverOptions, h: f64) -> ConeLaw {
    let (wn, wt) = (weight.normal.max(LEAST_WEIGHT), weight.tangential.max(LEAST_WEIGHT));
    let reach = h + options.relaxation_time.unwrap_or(h);
    let rigid = options.beta.powi(2) / (4.0 * PI * PI) * wn; // formula
    let normal = rigid.max(1.0 / (h * pair.material.stiffness * reach)).max(LEAST_COMPLIANCE);
    let tangential = (options.sigma * wt).max(LEAST_COMPLIANCE);
    ConeLaw::new(pair.normal, pair.start.friction, [normal, tangential], pair.depth / reach)
}
