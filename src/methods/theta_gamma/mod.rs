//! Theta-gamma: nonsmooth contact by an exact penalty and block Gauss-Seidel, at a time within the step of its own.
//!
//! A step of length h goes from (x0, v0) with an acceleration k:
//!
//! ```text
//! v(θ) = v0 + θ h k,   m(x(θ)) k = f(x(θ), v(θ), t + θ h) + J' r,   x1 = x0 + h v(θ),   v1 = v0 + h k
//! (gap, u(γ) = J v(γ), r) by Signorini's and Coulomb's laws,   v(γ) = v0 + γ h k
//! ```
//!
//! With `v = v(θ)` and `dt = θ h` the dynamics are those of a problem of the step `dt`, `A v = r0 + J' λ` with
//! `λ = dt r`; and `u(γ) = s J v + (1 - s) J v0` with `s = γ/θ` (see
//! `sweeps/row_rules.rs`).
//!
//! ```text
//! normal     0 <= λn  ⊥  un + b >= 0,   b = gap/(γ h) over a gap, else -min(κ (depth - slop)/h, vc)
//! friction   λt = prox of the disc of radius μ λn at λt - R^-1 ut, in the metric R = its own block of J A^-1 J'
//! Contensou  the same of (λt, spin moment) and the ellipsoid of radii μ λn (1, 1, ρ), against (ut, spin)
//! ```
//!
//! Rigid bodies that touch with a surface or by volume do not determine how the force spreads over it, but its spread
//! says how spin is braked. The points of one surface yield to their normal impulses by `R λn`, in proportion to the
//! stiffness of all over their own, together by a hundredth of the inverse mass.
//!
//! As the law does not depend on impulses of others, each local solve is exact: the prox in the metric of its own
//! block is the solution of the contact with all others held ([`prox`]). Friction is not associated: bodies that slide
//! are not lifted, and what sticks does not creep. Sweeps alternate their direction and start from the forces of the
//! last step; a solve that has not arrived after the most sweeps takes what it has, and is counted
//! (`SolveReport::unsettled`). What sweeps do not get through in time, stacks and large ratios of masses, is brought
//! near by all impulses at once ([`proximal`]), between sweeps; in a bundle of fibres from within their cones first
//! ([`interior`]). Where such rounds leave less than 1e-6 of the impulses
//! between fibres and no longer halve it, what is left is rounding, and the solve has arrived.
//!
//! What is closed has `u(γ) = 0`, so that it rebounds with `(1 - γ)/γ` of its speed: γ = 1 is plastic, γ = 1/2
//! elastic. With γ = 1 a restitution may be given instead (Newton's law).
//!
//! Rows that yield without bounds (beams of fibres, bushings) are a part of the inertia ([`fold`]); a contact then sees
//! the whole fibre. What is left is reported as the natural residual of all contacts, `|r - prox(r - R^-1 (u + b))|`.
//!
//! Joint stops, other bilateral rows, dry friction of joints and limited efforts are rows as in
//! [`projected_gauss_seidel`](super::projected_gauss_seidel); what is compliant (stops, rows, efforts) acts at θ.
//!
//! Islands are independent of each other: several may be solved at the same time ([`workers`]).
//!
//! \[Jourdan, Alart & Jean 1998; Moreau 1999; Leine & Glocker 2003\]

#[doc(hidden)]
pub mod cone;
#[doc(hidden)]
pub mod cone_pair;
mod fold;
mod integrator;
mod interior;
mod look_back;
#[doc(hidden)]
pub mod minimal_residual;
#[doc(hidden)]
pub mod mixing;
mod option_group;
mod options;
#[doc(hidden)]
pub mod prox;
mod proximal;
mod solver;
mod step;
mod sweep;
mod units;
mod workers;

pub use integrator::TYPE;
pub use options::{Friction, Metric, ThetaGammaOptions};
pub use solver::ThetaGamma;
pub use step::ThetaStep;
